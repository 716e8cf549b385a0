/**
 * Authorization of the paths that edits name, before state is read.
 *
 * What really changes is authorized when it lands. Without this earlier check a denied caller could probe values with writes
 * that change nothing or fail on what is there, or replace a container of which it may write only a part.
 */

import type { Work } from '../../store/index.ts'
import type { Edit } from '../../tree/index.ts'
import type { Accessor } from '../records/accessor.ts'
import { currentAccess } from './access-state.ts'
import { admit } from './admit.ts'
import { requestsAt } from './landing-requests.ts'
import { noteRefusal } from './refusals.ts'

/** Uses the cached access state, because the landing that follows guards the ref. */
export function* assertMayEdit(
  accessor: Accessor,
  agent: string,
  branch: string | undefined,
  edits: readonly Pick<Edit, 'path'>[],
): Work<void> {
  if (accessor.identity === undefined || branch === undefined) return
  const paths = edits.map(({ path }) => path)
  try {
    yield* admit(accessor, () => ({ agent, requests: requestsAt('commit', branch, paths), changes: [] }))
  } catch (error) {
    throw yield* noteRefusal(accessor, error)
  }
}

/** Uses the current access state, for calls that may land nothing and so guard nothing. */
export function* assertStillMayEdit(
  accessor: Accessor,
  agent: string,
  branch: string | undefined,
  edits: readonly Pick<Edit, 'path'>[],
): Work<void> {
  if (accessor.identity !== undefined) yield* currentAccess(accessor)
  yield* assertMayEdit(accessor, agent, branch, edits)
}
