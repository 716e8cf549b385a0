/** Commits that led to one, newest first. */

import type { StoredCommit, Work } from '../store/index.ts'
import { isSeen } from './access/seen-commit.ts'
import type { View } from './access/sight.ts'
import { detailOf } from './commit.ts'
import { epochScope } from './epoch-entry.ts'
import { type CommitFilter, type IntentFacts, type Matcher, matcherOf, matches } from './filter.ts'
import type { Handle } from './handle.ts'
import { type Ancestry, ancestry } from './history.ts'
import { intentFacts } from './intent-facts.ts'
import { isTouched } from './touched.ts'

/** A walk that gives only what a filter lets through, and what may be seen in a view. */
export function* filteredLog(
  handle: Handle,
  from: readonly number[],
  filter: CommitFilter,
  view?: View | undefined,
): Work<Ancestry> {
  const scope = filter.epoch === undefined ? undefined : yield* epochScope(handle, filter.epoch)
  const matcher = matcherOf(filter, scope)
  const facts = yield* intentFacts(matcher)
  const walk = ancestry(handle, from, filter.firstParent === true)
  return {
    *next(): Work<StoredCommit | undefined> {
      for (;;) {
        const commit = yield* walk.next()
        if (commit === undefined) return undefined
        // Newest first, and time follows the journal's order: nothing after this is recent enough.
        if (matcher.since !== undefined && commit.entry.time < matcher.since) return undefined
        if (matcher.range !== undefined && commit.seq < matcher.range.from) return undefined
        if (yield* passes(handle, matcher, facts, commit, view)) return commit
      }
    },
    frontier: walk.frontier,
  }
}

export function* passes(
  handle: Handle,
  matcher: Matcher,
  facts: IntentFacts,
  commit: StoredCommit,
  view: View | undefined,
): Work<boolean> {
  if (!(yield* isSeen(handle.journal, commit, view))) return false
  const isLong = matcher.words.length > 0 && commit.record.reasoning === undefined && commit.detail !== undefined
  const reasoning = isLong ? (yield* detailOf(handle.journal, commit)).reasoning : undefined
  if (!matches(matcher, commit, facts, reasoning)) return false
  return matcher.glob === undefined || (yield* isTouched(handle, commit, matcher.glob, view))
}
