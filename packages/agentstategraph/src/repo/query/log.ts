/** Commits that led to one, newest first. */

import { ask, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { epochScope } from '../log/epoch-entry.ts'
import { type Ancestry, ancestry } from '../visibility/ancestry.ts'
import { detailOf } from '../visibility/commit.ts'
import type { BranchScope } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { type CommitFilter, type IntentFacts, isImpossible, type Matcher, matcherOf, matches } from './filter.ts'
import { indexUntil } from './index-build.ts'
import { foreignTerm, proposalOf } from './index-terms.ts'
import { intentFacts } from './intent-facts.ts'
import { straightLog } from './straight-log.ts'
import { isTouched } from './touches.ts'

/** A walk that gives only what a filter lets through, and what may be seen in a view. */
export function* filteredLog(
  handle: Handle,
  from: readonly number[],
  filter: CommitFilter,
  view?: BranchScope | undefined,
): Work<Ancestry> {
  const scope = filter.epoch === undefined ? undefined : yield* epochScope(handle, filter.epoch)
  const matcher = matcherOf(filter, scope)
  const facts = yield* intentFacts(matcher)
  const walk = walkOf(handle, isImpossible(matcher) ? [] : from, filter.firstParent === true, matcher)
  let firstForeign: number | undefined
  return {
    *next(): Work<StoredCommit | undefined> {
      for (;;) {
        const commit = yield* walk.next()
        if (commit === undefined) return undefined
        // The time of entries follows the journal's order, and commits made here have the time of their entries. Before the
        // first commit that brought its own time from elsewhere, nothing older can be recent enough.
        if (matcher.since !== undefined && commit.entry.time < matcher.since) {
          firstForeign ??= yield* firstForeignEntry(handle)
          if (commit.seq < firstForeign) return undefined
        }
        if (matcher.range !== undefined && commit.seq < matcher.range.from) return undefined
        if (yield* passes(handle, matcher, facts, commit, view)) return commit
      }
    },
    frontier: walk.frontier,
  }
}

/** A later entry can tell of intents and deviations of earlier commits, which the index may not have heard of. */
function walkOf(handle: Handle, from: readonly number[], isFirstParentOnly: boolean, matcher: Matcher): Ancestry {
  const { intents, isDeviated } = matcher
  const proposal = proposalOf(matcher)
  // Every proposal asks for landed commits.
  const isProposed = proposal.all.length > 1 && intents.length === 0 && isDeviated === undefined
  if (!isProposed) return ancestry(handle, from, isFirstParentOnly)
  return straightLog(handle, from, isFirstParentOnly, proposal)
}

/** The first entry whose commit has a time of its own; Infinity when there is none, 0 where no index can tell. */
function* firstForeignEntry(handle: Handle): Work<number> {
  const { seq: newest } = yield* ask(log => log.head())
  if (!(yield* indexUntil(handle, newest))) return 0
  const search = { from: 1, to: newest, all: [[foreignTerm]], none: [], order: 'oldest' as const, limit: 1 }
  const [first] = (yield* ask(log => log.index!.search(search))).seqs
  return first ?? Number.POSITIVE_INFINITY
}

export function* passes(
  handle: Handle,
  matcher: Matcher,
  facts: IntentFacts,
  commit: StoredCommit,
  view: BranchScope | undefined,
): Work<boolean> {
  if (!(yield* isReadableCommit(handle.journal, commit, view))) return false
  const isLong = matcher.text !== undefined && commit.record.reasoning === undefined && commit.detail !== undefined
  const reasoning = isLong ? (yield* detailOf(handle.journal, commit)).reasoning : undefined
  if (!matches(matcher, commit, facts, reasoning)) return false
  return matcher.path === undefined || (yield* isTouched(handle, commit, matcher.path, view))
}
