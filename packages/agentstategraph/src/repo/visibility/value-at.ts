/** The value at a path of a state, as far as it may be read. */

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

/** The value at a path; absent is an error that says where it was looked for. */
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
