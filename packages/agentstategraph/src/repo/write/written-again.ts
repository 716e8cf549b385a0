/**
 * The answer to a repeated request: what the earlier call with the same idempotency key did.
 *
 * A repetition is a read, so the answer holds what the caller may read now. It comes from the journal, even when the branch is
 * gone; of a commit whose pack was collected it has the commit's text without its detail.
 */

import { isStateError } from '../../core/index.ts'
import {
  type CommitText,
  readCommit,
  readCommitText,
  readEntry,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { changedPath } from '../records/changed-path.ts'
import { commitFrom, unreadableCommit, type Written } from '../visibility/commit.ts'
import { branchScopeOfCommit } from '../visibility/names-of-commit.ts'
import type { BranchScope } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { findDone, type Request } from './idempotency.ts'

/** What an earlier call with the request's key did; undefined when there was none. */
export function* findWritten(handle: Handle, request: Request | undefined): Work<Written | undefined> {
  const seq = request && (yield* findDone(request))
  return seq === undefined ? undefined : yield* writtenAgain(handle, seq)
}

/** The answer to a repeated request: what the entry of the first one did. */
export function* writtenAgain(handle: Handle, seq: number): Work<Written> {
  const { journal } = handle
  const stored = yield* commitOf(handle, seq)
  const isCollected = !('tree' in stored)
  const view = yield* viewOfLanded(handle, stored)
  const seen = isCollected ? isReadableByPath(stored, view) : yield* isReadableCommit(journal, stored, view)
  if (seen) return { ...(yield* commitFrom(journal, stored, view)), changed: false }
  const isOwn = stored.record.principal === handle.identity?.principal
  return { ...unreadableCommit(journal, isOwn ? stored : undefined), changed: false }
}

/** The commit of an entry, or the one that the entry moved a branch to. */
function* commitOf({ journal }: Handle, seq: number): Work<StoredCommit | CommitText> {
  const { record } = yield* readEntry(seq)
  const at = record.commit === undefined ? record.moves.find(([, , to]) => to !== null && to > 0)![2]! : seq
  try {
    return yield* readCommit(journal, at)
  } catch (error) {
    if (!isStateError(error, 'pack-dropped')) throw error
    return yield* readCommitText(at)
  }
}

function* viewOfLanded(handle: Handle, stored: StoredCommit | CommitText): Work<BranchScope | undefined> {
  return handle.identity === undefined ? undefined : yield* branchScopeOfCommit(handle, stored as StoredCommit)
}

/** Whether a place that a collected commit changed may be read, as far as that shows without its state. */
function isReadableByPath({ entry }: CommitText, view: BranchScope | undefined): boolean {
  if (view === undefined || view.isWhole) return true
  const changed = (entry.changed ?? []).map(path => changedPath(path).segments)
  return changed.some(path => view.readability(path) === 'all')
}
