/**
 * Whether somebody may write at the places that edits name, asked before anything is looked at.
 *
 * What really changes is judged when it lands. But a write that changes nothing, or fails on what is there, would tell what is
 * there to somebody who may neither write nor read it; and to replace a whole is to write every place in it.
 */

import type { Work } from '../../store/index.ts'
import type { Edit } from '../../tree/index.ts'
import type { Accessor } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import { currentAccess } from './access-state.ts'
import { admit } from './admit.ts'
import { cacheKeyOf, findDecision } from './decision-cache.ts'
import { requestsAt } from './landing-requests.ts'
import { noteRefusal } from './refusals.ts'

/** Judges by the access state last seen: whatever lands is guarded. */
export function* assertMayEdit(
  accessor: Accessor,
  agent: string,
  branch: string | undefined,
  edits: readonly Pick<Edit, 'path'>[],
): Work<void> {
  // The operator may write everywhere.
  if (accessor.identity === undefined || branch === undefined) return
  const paths = edits.map(({ path }) => path)
  const requests = requestsAt('commit', branch, paths)
  if (isDecided(accessor, agent, requests)) return
  try {
    yield* admit(accessor, () => ({ agent, requests, changes: [] }))
  } catch (error) {
    throw yield* noteRefusal(accessor, error)
  }
}

/** The same by the access state as it is now, for what will not land and so is not guarded. */
export function* assertStillMayEdit(
  accessor: Accessor,
  agent: string,
  branch: string | undefined,
  edits: readonly Pick<Edit, 'path'>[],
): Work<void> {
  if (accessor.identity !== undefined) yield* currentAccess(accessor)
  yield* assertMayEdit(accessor, agent, branch, edits)
}

/** Whether the same was allowed before, in the state last seen. */
function isDecided(
  { shared: { access }, identity }: Accessor,
  agent: string,
  requests: readonly AccessRequest[],
): boolean {
  if (access.seq === undefined || access.state === undefined || agent !== identity!.principal) return false
  const place = cacheKeyOf(requests)
  return place !== undefined && findDecision(access.state, identity!, place) !== undefined
}
