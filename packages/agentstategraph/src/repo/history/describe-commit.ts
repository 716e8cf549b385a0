/** A commit with what it changed and on whose authority. */

import type { StoredCommit, Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import type { Commit } from '../visibility/commit.ts'
import type { BranchScope } from '../visibility/read-scope.ts'
import { changesOfCommit, type ReadableChanges } from '../visibility/readable-changes.ts'
import { type Blame, blamedCommit } from './blame.ts'

/** A commit with what it changed, against its first parent, and the grants that it was made under. */
export interface DescribedCommit extends Commit, ReadableChanges, Pick<Blame, 'chain'> {}

export function* describeCommit(
  handle: Handle,
  commit: StoredCommit,
  view: BranchScope | undefined,
): Work<DescribedCommit> {
  return { ...(yield* blamedCommit(handle, commit, view)), ...(yield* changesOfCommit(handle, commit, view)) }
}
