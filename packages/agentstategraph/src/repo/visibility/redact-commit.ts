/**
 * Whether a commit may be seen, and what it shows.
 *
 * A commit is seen by whoever may read one of the places that it changed. What was said of it is shown; what it expects, warns
 * of or called tools with is shown as far as it is about places that may be read.
 */

import { parseKnownPath } from '../../core/index.ts'
import { type Journal, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { type Child, isSameContent } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { changedPath } from '../records/changed-path.ts'
import type { Commit } from './commit.ts'
import { type BranchScope, branchScopeOf } from './read-scope.ts'
import { visibleAt } from './visible.ts'

/** Whether one of the places that a commit changed may be read. */
export function* isSeen(journal: Journal, commit: StoredCommit, view: BranchScope | undefined): Work<boolean> {
  if (view === undefined || view.isWhole) return true
  if (view.isBlank) return false
  const changed = (commit.entry.changed ?? []).map(path => changedPath(path).segments)
  // One that changed nothing speaks of the whole.
  if (changed.length === 0) return view.sees([]) === 'all'
  if (changed.some(path => view.sees(path) === 'all')) return true
  const parts = changed.filter(path => view.sees(path) !== 'none')
  if (parts.length === 0) return false
  const first = commit.parents[0]
  const before = first === undefined ? undefined : yield* readCommit(journal, first)
  for (const path of parts) {
    const now = yield* visibleAt(journal.context, commit, path, view)
    const then = before === undefined ? undefined : yield* visibleAt(journal.context, before, path, view)
    if (!isSame(then, now)) return true
  }
  return false
}

function isSame(a: Child | undefined, b: Child | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameContent(a, b)
}

/** A commit as those see it who may not read everything. */
export function seenCommit<T extends Commit>(commit: T, view: BranchScope | undefined): T {
  if (view === undefined || view.isWhole) return commit
  const isShown = ({ path }: { readonly path: string }): boolean => view.sees(parseKnownPath(path)) === 'all'
  const isWhole = view.sees([]) === 'all'
  const { attached, ...rest } = commit
  return {
    ...(rest as T),
    expects: commit.expects.filter(isShown),
    // What tools were given and gave, and what was attached, is of no place.
    ...(isWhole && attached !== undefined ? { attached } : {}),
    tools: isWhole ? commit.tools : commit.tools.map(({ args: _, result: __, ...call }) => call),
    alternatives: isWhole ? commit.alternatives : commit.alternatives.map(({ root: _, ...one }) => one),
    ...(commit.warnings === undefined ? {} : { warnings: commit.warnings.filter(isShown) }),
  }
}

/** What a write gave back, which may be a commit that somebody else made. */
export function* seenWritten<T extends Commit>(handle: Handle, written: T): Work<T> {
  // Asked before the sight: what has landed is told, even to somebody who was frozen a moment later.
  if (handle.identity === undefined || written.principal === handle.identity.principal) return written
  const view = yield* branchScopeOf(handle)
  const commit = yield* readCommit(handle.journal, written.seq)
  if (yield* isSeen(handle.journal, commit, view)) return seenCommit(written, view)
  return hiddenCommit(written, view)
}

/** A commit that the reader may not see, with nothing but the fact that it is there. */
export function hiddenCommit<T extends Commit>(commit: T, view: BranchScope | undefined): T {
  const { reasoning: _, attached: __, ...rest } = seenCommit(commit, view)
  return {
    ...rest,
    intent: { ...commit.intent, description: '', tags: [] },
    alternatives: [],
    tools: [],
  } as unknown as T
}
