/**
 * Every landed commit of a namespace that a filter lets through.
 *
 * An index, where the backend has one, proposes; the entries after its mark are read one by one; the filter decides. So
 * the answer is the same with an index, without one, and while one is being built. Refs play no part: what was merged,
 * or was on a branch that is gone, is found as well, as long as garbage collection has left it.
 */

import {
  ask,
  type IndexSearch,
  type Journal,
  type JournalEntry,
  parseCommit,
  pausePoint,
  readEntries,
  readEntriesAt,
  type StoredCommit,
  stretchEntries,
  type Work,
} from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { epochScope } from '../log/epoch-entry.ts'
import { findKept } from '../records/find-kept.ts'
import { branchScopeOfCommit } from '../visibility/names-of-commit.ts'
import { type CommitFilter, type IntentFacts, isImpossible, type Matcher, matcherOf, matches } from './filter.ts'
import { indexBatch, indexUntil, prepareIndex } from './index-build.ts'
import { deepTerm, foreignTerm, type Proposal, proposalOf, underTerm } from './index-terms.ts'
import { intentFacts } from './intent-facts.ts'
import { isLanded } from './landed.ts'
import { passes } from './log.ts'
import { lastEntryUntil } from './revision.ts'

/** How many entries are read at once. */
const SCANNED_ENTRIES = 256
/** How many entries the index proposes at once. */
const PROPOSED_ENTRIES = 64
/** How many entries may lie after the mark before a query indexes them: more than a follower leaves. */
const LONGEST_TAIL = 3 * stretchEntries

/** A query that gives one commit after the other. */
export interface Query {
  next(): Work<StoredCommit | undefined>
  /** The commit that was given last; 0 before the first. */
  last(): number
}

/** What a query asks for, made ready. */
interface Question {
  readonly handle: Handle
  readonly matcher: Matcher
  readonly facts: IntentFacts
  /** Undefined where there is no index. */
  readonly proposal: Proposal | undefined
  readonly within: IndexSearch['within']
  readonly order: 'newest' | 'oldest'
  /** The newest entry when the query was made: later ones are not asked for. */
  readonly newest: number
  /** Whether only an index of all entries can answer: a later one may tell of commits long before it. */
  readonly needsAll: boolean
}

/** Begins a query, or goes on after a commit that one gave. */
export function* query(handle: Handle, filter: CommitFilter, after?: number): Work<Query> {
  const question = yield* questionOf(handle, filter)
  const { order, newest } = question
  const { from = 1, to = newest } = question.matcher.range ?? {}
  let edge = after ?? (order === 'newest' ? Math.min(newest, to) + 1 : from - 1)
  let waiting: number[] = []
  let last = after ?? 0
  return {
    *next(): Work<StoredCommit | undefined> {
      for (;;) {
        const seq = waiting.pop()
        if (seq !== undefined) {
          yield pausePoint
          const commit = yield* decided(question, seq)
          if (commit === undefined) continue
          last = seq
          return commit
        }
        if (isImpossible(question.matcher)) return undefined
        if (order === 'newest' ? edge <= from : edge >= Math.min(newest, to)) return undefined
        yield pausePoint
        const step: Step = yield* order === 'newest' ? stepBack(question, edge) : stepOn(question, edge)
        edge = step.edge
        waiting = step.seqs.toReversed()
      }
    },
    last: () => last,
  }
}

function* questionOf(handle: Handle, filter: CommitFilter): Work<Question> {
  const scope = filter.epoch === undefined ? undefined : yield* epochScope(handle, filter.epoch)
  const matcher = matcherOf(filter, scope)
  const { seq: newest } = yield* ask(log => log.head())
  const needsAll = matcher.intents.length > 0 || matcher.isDeviated !== undefined
  const isIndexed = yield* indexUntil(handle, needsAll ? newest : newest - LONGEST_TAIL)
  // What is missing in an index that only others make is read.
  const hasIndex = isIndexed || (!needsAll && (yield* prepareIndex(handle.journal)) !== undefined)
  const common = { handle, order: filter.order ?? 'newest', newest }
  if (!hasIndex) {
    return { ...common, matcher, facts: yield* intentFacts(matcher), proposal: undefined, within: undefined, needsAll }
  }
  const proposal = proposalOf(matcher)
  const within = yield* placesOf(matcher)
  const facts = { below: yield* deepBelow(matcher.intents, newest), deviated: undefined }
  // What the index knows of deviations is exact; the filter need not ask again.
  return { ...common, matcher: { ...matcher, isDeviated: undefined }, facts, proposal, within, needsAll }
}

/** The intents at or below those asked for, when the index does not list all of them by term; undefined when it does. */
function* deepBelow(intents: Matcher['intents'], newest: number): Work<IntentFacts['below']> {
  if (intents.length === 0) return undefined
  const deep = { from: 1, to: newest, all: [[deepTerm]], none: [], order: 'oldest' as const, limit: 1 }
  if ((yield* ask(log => log.index!.search(deep))).seqs.length === 0) return undefined
  const all: ReadonlySet<string>[] = []
  for (const roots of intents) {
    const below = new Set(roots)
    for (let next = roots; next.length > 0; ) {
      next = (yield* intentsUnder(next, newest)).filter(id => !below.has(id))
      for (const name of next) below.add(name)
    }
    all.push(below)
  }
  return all
}

/** The intents of the commits that put one below others. */
function* intentsUnder(intents: readonly string[], newest: number): Work<readonly string[]> {
  const all = [intents.map(underTerm)]
  const under = { from: 1, to: newest, all, none: [], order: 'oldest' as const, limit: Number.MAX_SAFE_INTEGER }
  const { seqs } = yield* ask(log => log.index!.search(under))
  const found = new Set<string>()
  for (const { row } of (yield* readEntriesAt(seqs, ['text', 'commit'])).values()) {
    found.add(parseCommit(row.commit!.text).intent.id)
  }
  return [...found]
}

/** The part of the journal that was written in the time asked for; commits from elsewhere bring their own time. */
function* placesOf({ since, until }: Matcher): Work<IndexSearch['within']> {
  if (since === undefined && until === undefined) return undefined
  const from = since === undefined ? 1 : (yield* lastEntryUntil(since - 1)) + 1
  const to = until === undefined ? Number.MAX_SAFE_INTEGER : yield* lastEntryUntil(until)
  return { from, to, or: foreignTerm }
}

/** Entries that could pass, in order, and how far they go. */
interface Step {
  readonly edge: number
  readonly seqs: readonly number[]
}

/** Goes on before an edge, towards older entries. */
function* stepBack(question: Question, edge: number): Work<Step> {
  const mark = yield* markOf(question)
  if (edge - 1 > mark) {
    const from = Math.max(mark + 1, edge - SCANNED_ENTRIES)
    return { edge: from, seqs: (yield* scan(question, from, edge - 1)).reverse() }
  }
  const seqs = yield* propose(question, 1, edge - 1)
  if (seqs === undefined) return { edge, seqs: [] }
  return { edge: isLast(seqs) ? 0 : seqs.at(-1)!, seqs }
}

/** Goes on after an edge, towards newer entries. */
function* stepOn(question: Question, edge: number): Work<Step> {
  const mark = Math.min(yield* markOf(question), question.newest)
  if (edge >= mark) {
    const to = Math.min(question.newest, edge + SCANNED_ENTRIES)
    return { edge: to, seqs: yield* scan(question, edge + 1, to) }
  }
  const seqs = yield* propose(question, edge + 1, mark)
  if (seqs === undefined) return { edge, seqs: [] }
  return { edge: isLast(seqs) ? mark : seqs.at(-1)!, seqs }
}

function* markOf({ handle, proposal, needsAll, newest }: Question): Work<number> {
  if (proposal === undefined) return 0
  for (;;) {
    const mark = yield* ask(log => log.index!.mark())
    // The index may have been cleared since the query began.
    if (!needsAll || mark >= newest || !(yield* indexBatch(handle, mark))) return mark
  }
}

/** The next entries that could pass; undefined when the index was cleared since its mark was read. */
function* propose(
  { proposal, within, order }: Question,
  from: number,
  to: number,
): Work<readonly number[] | undefined> {
  const search: IndexSearch = { ...proposal!, from, to, within, order, limit: PROPOSED_ENTRIES }
  const found = yield* ask(log => log.index!.search(search))
  return found.mark < to ? undefined : found.seqs
}

function isLast(seqs: readonly number[]): boolean {
  return seqs.length < PROPOSED_ENTRIES
}

function* scan(question: Question, from: number, to: number): Work<number[]> {
  const entries = yield* tailEntries(question.handle.journal, from, to)
  return entries.filter(entry => couldPass(question, entry)).map(({ seq }) => seq)
}

/** The entries after an index's mark, read last; every query until they are indexed looks through them again. */
const tails = new WeakMap<Journal, readonly JournalEntry[]>()

function* tailEntries(journal: Journal, from: number, to: number): Work<readonly JournalEntry[]> {
  const known = tails.get(journal.opened) ?? []
  const first = known[0]?.seq ?? 0
  if (first > 0 && first <= from && known.at(-1)!.seq >= to) return known.slice(from - first, to - first + 1)
  const entries = yield* readEntries(from, to, ['text', 'commit'])
  if (entries.length <= LONGEST_TAIL) tails.set(journal.opened, entries)
  return entries
}

/** Whether an entry has to be read with its pack: only the words of a long reasoning are not available here. */
function couldPass({ matcher, facts }: Question, { seq, record: entry, row }: JournalEntry): boolean {
  if (!isLanded(entry) || row.commit === undefined) return false
  return matches(
    { ...matcher, text: undefined },
    { seq, record: parseCommit(row.commit.text), entry },
    facts,
    undefined,
  )
}

/** The commit of an entry, if it passes. */
function* decided({ handle, matcher, facts }: Question, seq: number): Work<StoredCommit | undefined> {
  const commit = yield* findKept(handle.journal, seq)
  if (commit === undefined || !isLanded(commit.entry)) return undefined
  const view = yield* branchScopeOfCommit(handle, commit)
  return (yield* passes(handle, matcher, facts, commit, view)) ? commit : undefined
}
