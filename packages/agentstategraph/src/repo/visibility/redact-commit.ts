/**
 * Whether a commit is readable, and its redaction.
 *
 * A commit is readable with one of the places that it changed. Its description and reasoning are then returned whole;
 * expectations and warnings are returned for readable places, and tool calls without arguments and results.
 */

import { parseKnownPath } from '../../core/index.ts'
import { type Journal, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { type Child, isSameContent } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { changedPath } from '../records/changed-path.ts'
import type { Commit } from './commit.ts'
import { type BranchScope, branchScopeOf } from './read-scope.ts'
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

/** The commit without what is not readable. */
export function redactCommit<T extends Commit>(commit: T, scope: BranchScope | undefined): T {
  if (scope === undefined || scope.isWhole) return commit
  const isReadable = ({ path }: { readonly path: string }): boolean => scope.readability(parseKnownPath(path)) === 'all'
  const isWhole = scope.readability([]) === 'all'
  const { attached, ...rest } = commit
  return {
    ...(rest as T),
    expects: commit.expects.filter(isReadable),
    // Arguments and results of tools and attachments belong to no path, so they need the whole state.
    ...(isWhole && attached !== undefined ? { attached } : {}),
    tools: isWhole ? commit.tools : commit.tools.map(({ args: _, result: __, ...call }) => call),
    alternatives: isWhole ? commit.alternatives : commit.alternatives.map(({ root: _, ...one }) => one),
    ...(commit.warnings === undefined ? {} : { warnings: commit.warnings.filter(isReadable) }),
  }
}

/** The result of a write, which may be a commit of another principal. */
export function* redactWritten<T extends Commit>(handle: Handle, written: T): Work<T> {
  // Checked before the scope: an own commit is returned even when its principal was frozen after it landed.
  if (handle.identity === undefined || written.principal === handle.identity.principal) return written
  const scope = yield* branchScopeOf(handle)
  const commit = yield* readCommit(handle.journal, written.seq)
  if (yield* isReadableCommit(handle.journal, commit, scope)) return redactCommit(written, scope)
  return redactWholeCommit(written, scope)
}

/** A commit that is not readable: only that it exists. */
export function redactWholeCommit<T extends Commit>(commit: T, scope: BranchScope | undefined): T {
  const { reasoning: _, attached: __, ...rest } = redactCommit(commit, scope)
  return {
    ...rest,
    intent: { ...commit.intent, description: '', tags: [] },
    alternatives: [],
    tools: [],
  } as unknown as T
}
