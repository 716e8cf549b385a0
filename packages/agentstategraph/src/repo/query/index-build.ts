/**
 * Building the index of a journal from its entries, a batch at a time.
 *
 * An index at a mark is a function of the entries up to it: two processes that build it make the same, and the one whose
 * batch comes second starts again from the new mark. Terms that a later entry gives to earlier commits (an intent that
 * turns out to be below another, a deviation) are added to those.
 */

import { isStateError, utf8Length } from '../../core/index.ts'
import {
  ask,
  assertSameJournal,
  type Column,
  type CommitRecord,
  type IndexBatch,
  isOutOfSpace,
  type Journal,
  type JournalEntry,
  parseCommit,
  pausePoint,
  readCommit,
  readRows,
  type StoredCommit,
  type StoredEntry,
  stretchEntries,
  verifiedEntry,
  type Work,
} from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { findBody } from '../records/entry-bodies.ts'
import { detailOf } from '../visibility/commit.ts'
import {
  belowTerm,
  deepTerm,
  deviatedTerm,
  groups,
  intentNames,
  intentTerm,
  saidOfIntent,
  schemeCount,
  termsOf,
  underTerm,
} from './index-terms.ts'
import { deviationIn } from './intent-facts.ts'
import { isLanded } from './landed.ts'

/** How many intents above its own a commit lists, so that a long chain of intents does not cost its square. */
const MOST_ABOVE = 32

/** Indexes at least up to an entry, if it is not done already; false when there is no index, or no space for it. */
export function* indexUntil(handle: Handle, until: number): Work<boolean> {
  try {
    for (;;) {
      yield pausePoint
      const mark = yield* prepareIndex(handle.journal)
      if (mark === undefined) return false
      if (mark >= until) return true
      if (yield* ask(log => log.index!.isFixed === true)) return false
      if (!(yield* indexBatch(handle, mark))) return true
    }
  } catch (error) {
    if (isOutOfSpace(error)) return false
    throw error
  }
}

/** Journals whose index was found to be of the scheme that this version makes. */
const checkedIndexes = new WeakSet<Journal>()

/**
 * How far the index goes; undefined where there is none. One that another version of this library made by other rules is
 * cleared, and then built as if it were new.
 */
export function* prepareIndex(journal: Journal): Work<number | undefined> {
  const mark = yield* ask(log => log.index?.mark())
  if (mark === undefined || checkedIndexes.has(journal)) return mark
  if (mark > 0) {
    const schemes = yield* ask(log => log.index!.counts([schemeCount.group]))
    if (!schemes.some(({ name }) => name === schemeCount.name)) {
      if (yield* ask(log => log.index!.isFixed === true)) return undefined
      yield* ask(log => log.index!.clear())
      return 0
    }
  }
  checkedIndexes.add(journal)
  return mark
}

/** Indexes the next entries after a mark; false when there are none. */
export function* indexBatch(handle: Handle, mark: number): Work<boolean> {
  const { seq: newest } = yield* ask(log => log.head())
  const to = Math.min(newest, mark + stretchEntries)
  if (to <= mark) return false
  const { rows, counts } = yield* newsOf(handle, mark + 1, to, mark, handle.journal.recent)
  const batch: IndexBatch = { from: mark, to, rows, counts: mark === 0 ? [schemeCount, ...counts] : counts }
  yield pausePoint
  // What was added to the index of another journal would stay in it.
  yield* assertSameJournal(handle.journal)
  yield* ask(log => log.index!.add(batch))
  return true
}

/**
 * What entries say that an index which covers the entries up to `mark` has not heard of intents, and all else they say. The texts
 * of known commits are neither checked nor parsed.
 */
export function* newsOf(
  handle: Handle,
  from: number,
  to: number,
  mark: number,
  knownCommits?: Journal['recent'],
): Work<Pick<IndexBatch, 'rows' | 'counts'>> {
  const draft = draftOf(mark)
  const entries = (yield* readRows(from, to, columns)).map(row => readByIndex(row, knownCommits?.get(row.seq)))
  yield pausePoint
  yield* foresee(draft, entries)
  yield pausePoint
  for (const entry of entries) {
    yield* addEntry(handle, draft, entry)
    yield pausePoint
  }
  return {
    rows: [...draft.rows].map(([seq, terms]) => ({ seq, terms: [...terms] })),
    counts: [...draft.counts].flatMap(([group, names]) => [...names].map(([name, count]) => ({ group, name, count }))),
  }
}

/** A batch in the making: what it adds, over what the index has. */
interface Draft {
  readonly mark: number
  readonly rows: Map<number, Set<string>>
  /** By group, then by name. */
  readonly counts: Map<string, Map<string, number>>
  /** Groups whose names were looked up in the index, with those that this batch adds. */
  readonly known: Map<string, Set<string>>
}

function draftOf(mark: number): Draft {
  return { mark, rows: new Map(), counts: new Map(), known: new Map() }
}

/** An entry with what its commit says. */
interface ReadByIndex {
  readonly entry: JournalEntry
  readonly commit: CommitRecord | undefined
}

const columns: readonly Column[] = ['text', 'commit']

function readByIndex(row: StoredEntry, known: StoredCommit | undefined): ReadByIndex {
  if (known !== undefined) return { entry: { seq: row.seq, record: known.entry, row }, commit: known.record }
  const { commit } = row
  return { entry: verifiedEntry(row, columns), commit: commit === undefined ? undefined : parseCommit(commit.text) }
}

/** Looks up together what is known of the intents of these entries: one call on a store costs more than a look-up. */
function* foresee(draft: Draft, entries: readonly ReadByIndex[]): Work<void> {
  const wanted = new Set<string>()
  for (const { entry, commit } of entries) {
    const resolved = findBody(entry.record, 'resolve')
    if (resolved !== undefined) wanted.add(groups.intent(resolved.intent))
    if (commit === undefined) continue
    const { id, parent } = commit.intent
    wanted.add(groups.intent(id))
    if (parent !== undefined) wanted.add(groups.intent(parent))
  }
  yield* learnOf(draft, [...wanted])
}

function* addEntry(handle: Handle, draft: Draft, { entry, commit }: ReadByIndex): Work<void> {
  const { seq, record, row } = entry
  count(draft, groups.textBytes, '', utf8Length(row.text) + utf8Length(row.commit?.text ?? ''))
  const resolved = findBody(record, 'resolve')
  if (resolved !== undefined) yield* learnOnce(draft, groups.intent(resolved.intent), intentNames.resolved(seq))
  const deviated = deviationIn(entry)
  if (deviated !== undefined) yield* addDeviation(draft, deviated)
  if (commit === undefined || !isLanded(record)) {
    addTerms(draft, seq, termsOf(record, commit, undefined))
    if (commit !== undefined) yield* addIntent(draft, seq, commit.intent)
    return
  }
  const { id, category } = commit.intent
  addTerms(draft, seq, termsOf(record, commit, yield* reasoningOf(handle, seq, commit)))
  count(draft, groups.agents, commit.agent)
  count(draft, groups.categories, category)
  yield* addIntent(draft, seq, commit.intent)
  addTerms(draft, seq, yield* termsAbove(draft, id))
  if ((yield* known(draft, groups.intent(id))).has(intentNames.deviated)) addTerms(draft, seq, [deviatedTerm])
}

/** Tells of an intent and the one above it. Where that is news, all commits below it hear of it. */
function* addIntent(draft: Draft, seq: number, { id, parent }: CommitRecord['intent']): Work<void> {
  const group = groups.intent(id)
  const names = yield* known(draft, group)
  const isNew = !hasCommit(names)
  const isBelow = parent !== undefined && !saidOfIntent(names, 'parent').includes(parent)
  const hasBelow = names.has(intentNames.awaited)
  if (isNew) learn(draft, group, intentNames.first(seq, parent))
  if (!isBelow) return
  if (!isNew) learn(draft, group, intentNames.parent(parent))
  addTerms(draft, seq, [underTerm(parent)])
  if (!hasCommit(yield* known(draft, groups.intent(parent)))) {
    yield* learnOnce(draft, groups.intent(parent), intentNames.awaited)
  }
  if (isNew && !hasBelow) return
  const above = yield* termsAbove(draft, id)
  for (const holder of yield* holdersOf(draft, [intentTerm(id), belowTerm(id)])) {
    addTerms(draft, holder, above)
  }
}

function hasCommit(names: Iterable<string>): boolean {
  return saidOfIntent(names, 'first').length > 0
}

function* learnOnce(draft: Draft, group: string, name: string): Work<void> {
  if (!(yield* known(draft, group)).has(name)) learn(draft, group, name)
}

function* addDeviation(draft: Draft, intent: string): Work<void> {
  const names = yield* known(draft, groups.intent(intent))
  if (names.has(intentNames.deviated)) return
  learn(draft, groups.intent(intent), intentNames.deviated)
  if (!hasCommit(names)) return
  for (const seq of yield* holdersOf(draft, [intentTerm(intent)])) addTerms(draft, seq, [deviatedTerm])
}

/** The terms of what is below all the intents above one; when those are too many, of the nearest, and that it is deep. */
function* termsAbove(draft: Draft, id: string): Work<readonly string[]> {
  const own = yield* known(draft, groups.intent(id))
  if (saidOfIntent(own, 'parent').length === 0) return []
  const above = new Set<string>()
  const from = [id]
  // An array's iteration goes on to what is added meanwhile.
  for (const one of from) {
    for (const parent of saidOfIntent(yield* known(draft, groups.intent(one)), 'parent')) {
      if (above.has(parent)) continue
      if (above.size === MOST_ABOVE) return [...[...above].map(belowTerm), deepTerm]
      above.add(parent)
      from.push(parent)
    }
  }
  return [...above].map(belowTerm)
}

/** The names of a group, in the index and in this batch. */
function* known(draft: Draft, group: string): Work<Set<string>> {
  if (!draft.known.has(group)) yield* learnOf(draft, [group])
  return draft.known.get(group)!
}

function* learnOf(draft: Draft, wanted: readonly string[]): Work<void> {
  const counts = wanted.length === 0 ? [] : yield* ask(log => log.index!.counts(wanted))
  for (const group of wanted) draft.known.set(group, new Set(draft.counts.get(group)?.keys()))
  for (const { group, name } of counts) draft.known.get(group)!.add(name)
}

function learn(draft: Draft, group: string, name: string): void {
  draft.known.get(group)?.add(name)
  count(draft, group, name)
}

function count({ counts }: Draft, group: string, name: string, times = 1): void {
  const names = counts.get(group)
  if (names === undefined) counts.set(group, new Map([[name, times]]))
  else names.set(name, (names.get(name) ?? 0) + times)
}

function addTerms({ rows }: Draft, seq: number, terms: readonly string[]): void {
  if (terms.length === 0) return
  const row = rows.get(seq)
  if (row === undefined) rows.set(seq, new Set(terms))
  else for (const term of terms) row.add(term)
}

/** The entries, indexed or in this batch, that have one of the terms. */
function* holdersOf({ mark, rows }: Draft, terms: readonly string[]): Work<Set<number>> {
  const search = { from: 1, to: mark, all: [terms], none: [], order: 'oldest' as const, limit: Number.MAX_SAFE_INTEGER }
  const { seqs } = yield* ask(log => log.index!.search(search))
  const holders = new Set(seqs)
  for (const [seq, held] of rows) if (terms.some(term => held.has(term))) holders.add(seq)
  return holders
}

/** The reasoning of a commit, also a long one; none when its pack is gone, because then it is not found either. */
function* reasoningOf({ journal }: Handle, seq: number, commit: CommitRecord): Work<string | undefined> {
  if (commit.reasoning !== undefined || commit.detail === undefined) return commit.reasoning
  try {
    return (yield* detailOf(journal, yield* readCommit(journal, seq))).reasoning
  } catch (e) {
    if (isStateError(e, 'pack-dropped')) return undefined
    throw e
  }
}
