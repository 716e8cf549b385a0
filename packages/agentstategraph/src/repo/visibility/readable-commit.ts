/** Whether a commit is readable: it is with one of the places that it changed. What it then shows is decided in commit.ts. */

import { type Journal, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { type Child, isSameContent } from '../../tree/index.ts'
import { changedPath } from '../records/changed-path.ts'
import type { BranchScope } from './read-scope.ts'
import { readableAt } from './readable-state.ts'

/** Whether one of the places that a commit changed is readable. */
export function* isReadableCommit(
  journal: Journal,
  commit: StoredCommit,
  scope: BranchScope | undefined,
): Work<boolean> {
  if (scope === undefined || scope.isWhole) return true
  if (scope.isBlank) return false
  const changed = (commit.entry.changed ?? []).map(path => changedPath(path).segments)
  // A commit without changes is about the whole state.
  if (changed.length === 0) return scope.readability([]) === 'all'
  if (changed.some(path => scope.readability(path) === 'all')) return true
  const parts = changed.filter(path => scope.readability(path) !== 'none')
  if (parts.length === 0) return false
  const first = commit.parents[0]
  const before = first === undefined ? undefined : yield* readCommit(journal, first)
  for (const path of parts) {
    const now = yield* readableAt(journal.context, commit, path, scope)
    const then = before === undefined ? undefined : yield* readableAt(journal.context, before, path, scope)
    if (!isSame(then, now)) return true
  }
  return false
}

function isSame(a: Child | undefined, b: Child | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameContent(a, b)
}
