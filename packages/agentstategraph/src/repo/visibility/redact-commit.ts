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
import { readableAt } from './readable-state.ts'

/** Whether one of the places that a commit changed may be read. */
export function* isReadableCommit(
  journal: Journal,
  commit: StoredCommit,
  scope: BranchScope | undefined,
): Work<boolean> {
  if (scope === undefined || scope.isWhole) return true
  if (scope.isBlank) return false
  const changed = (commit.entry.changed ?? []).map(path => changedPath(path).segments)
  // One that changed nothing speaks of the whole.
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

/** A commit as those see it who may not read everything. */
export function redactCommit<T extends Commit>(commit: T, scope: BranchScope | undefined): T {
  if (scope === undefined || scope.isWhole) return commit
  const isShown = ({ path }: { readonly path: string }): boolean => scope.readability(parseKnownPath(path)) === 'all'
  const isWhole = scope.readability([]) === 'all'
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
export function* redactWritten<T extends Commit>(handle: Handle, written: T): Work<T> {
  // Asked before the sight: what has landed is told, even to somebody who was frozen a moment later.
  if (handle.identity === undefined || written.principal === handle.identity.principal) return written
  const scope = yield* branchScopeOf(handle)
  const commit = yield* readCommit(handle.journal, written.seq)
  if (yield* isReadableCommit(handle.journal, commit, scope)) return redactCommit(written, scope)
  return redactWholeCommit(written, scope)
}

/** A commit that the reader may not see, with nothing but the fact that it is there. */
export function redactWholeCommit<T extends Commit>(commit: T, scope: BranchScope | undefined): T {
  const { reasoning: _, attached: __, ...rest } = redactCommit(commit, scope)
  return {
    ...rest,
    intent: { ...commit.intent, description: '', tags: [] },
    alternatives: [],
    tools: [],
  } as unknown as T
}
