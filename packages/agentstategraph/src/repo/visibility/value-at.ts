/** The readable part of the value at a path of a state. */

import { formatPath } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import type { TreeContext } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import { decodeChild } from '../state/decode-value.ts'
import type { BranchScope } from './read-scope.ts'
import { readableAt } from './readable-state.ts'

type State = Pick<StoredCommit, 'tree' | 'system'>

export function* findValue(
  context: TreeContext,
  state: State,
  path: readonly string[],
  scope?: BranchScope | undefined,
): Work<unknown> {
  const child = yield* readableAt(context, state, path, scope)
  return child === undefined ? undefined : yield* decodeChild(context, child, path)
}

/** The same; throws when there is none. `at` names the state in the error. */
export function* getValue(
  context: TreeContext,
  state: State,
  path: readonly string[],
  at: string,
  scope?: BranchScope | undefined,
): Work<unknown> {
  const child = yield* readableAt(context, state, path, scope)
  if (child === undefined) throw repoError('path-not-found', { path: formatPath(path), at })
  return yield* decodeChild(context, child, path)
}
