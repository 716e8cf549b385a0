/** What a commit changed, as far as a reader may see it. */

import type { StoredCommit, Work } from '../../store/index.ts'
import { diff, type Link } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import type { Change } from '../records/change.ts'
import { ifStored } from '../records/find-kept.ts'
import { changesFrom } from '../state/decode-value.ts'
import { stateBefore } from '../state/roots.ts'
import type { BranchScope } from './read-scope.ts'
import { readableRoot } from './readable-state.ts'

export interface ReadableChanges {
  readonly changes: readonly Change[]
  /** That retention dropped the states which the changes are read from. */
  readonly trimmed?: true
}

/** Against the first parent; of the first commit, against nothing. */
export function* changesOfCommit(
  handle: Handle,
  commit: StoredCommit,
  view: BranchScope | undefined,
): Work<ReadableChanges> {
  const changes = yield* ifStored(changesSince(handle, commit, view))
  return changes === undefined ? { changes: [], trimmed: true } : { changes }
}

function* changesSince(handle: Handle, commit: StoredCommit, view: BranchScope | undefined): Work<readonly Change[]> {
  return yield* readableDiff(handle, (yield* stateBefore(handle, commit)).tree, commit.tree, view)
}

/** What differs between two states of the user's tree. */
export function* readableDiff(
  { journal }: Handle,
  from: Link,
  to: Link,
  view: BranchScope | undefined,
): Work<readonly Change[]> {
  const { context } = journal
  const before = yield* readableRoot(context, from, view)
  const after = yield* readableRoot(context, to, view)
  return yield* changesFrom(context, yield* diff(context, before, after))
}
