/**
 * Checking the query index against the journal, a window of entries at a time.
 *
 * What each entry says is derived once more, with what the index knows of intents: where it knows too little, that is a
 * fault of its own. An entry must be listed under each of its terms. An entry that is listed in vain is a fault where a
 * query counts by the term or leaves out by it; elsewhere the query looks at the entry and passes it over.
 */

import { exactTerms, groups, type Handle, isExactTerm, newsOf } from '../../repo/index.ts'
import { ask, type IndexRow, pausePoint, type Work } from '../../store/index.ts'
import type { DamageList } from './damage.ts'

const WHERE = 'query index'
const WINDOW = 256
/** The groups to whose counts every entry adds. The others list names, each of which is counted once. */
const summed: readonly string[] = [groups.agents, groups.categories, groups.textBytes]

/** What the entries add to the counts, by group and name. */
type Counted = Map<string, Map<string, number>>

/** Reports where the index does not say what the entries after one say. A place without an index has nothing to check. */
export function* checkIndex(handle: Handle, after: number, damage: DamageList): Work<void> {
  const counted: Counted = new Map()
  let checked = after
  for (;;) {
    const mark = yield* ask(log => log.index?.mark())
    if (mark === undefined) return
    for (; checked < mark; checked = Math.min(mark, checked + WINDOW)) {
      yield* checkEntries(handle, checked + 1, Math.min(mark, checked + WINDOW), mark, counted, damage)
    }
    if (after > 0) return
    const wrong = yield* findWrongCounts(counted)
    // The index follows the journal meanwhile, and its counts are those of its mark.
    if ((yield* ask(log => log.index!.mark())) !== mark) continue
    for (const group of wrong) damage.add(WHERE, wrongCounts(group))
    return
  }
}

function* checkEntries(
  handle: Handle,
  from: number,
  to: number,
  mark: number,
  counted: Counted,
  damage: DamageList,
): Work<void> {
  const { rows, counts } = yield* newsOf(handle, from, to, mark)
  for (const { group, name, count } of counts) {
    if (summed.includes(group)) add(counted, group, name, count)
    else damage.add(WHERE, wrongCounts(group))
  }
  yield* checkWindow(rows, from, to, damage)
}

function* checkWindow(rows: readonly IndexRow[], from: number, to: number, damage: DamageList): Work<void> {
  const holders = new Map<string, number[]>(exactTerms.map(term => [term, []]))
  for (const { seq, terms } of rows) {
    for (const term of terms) {
      const those = holders.get(term)
      if (those === undefined) holders.set(term, [seq])
      else those.push(seq)
    }
  }
  for (const { seq, terms } of rows) {
    // One search for all terms that no other entry of the window has.
    const own = terms.filter(term => holders.get(term)!.length === 1)
    if (own.length === 0 || (yield* isListed(seq, own))) for (const term of own) holders.delete(term)
    yield pausePoint
  }
  for (const [term, seqs] of holders) {
    yield pausePoint
    const found = new Set(yield* listed(from, to, [term]))
    const missing = seqs.find(seq => !found.has(seq))
    if (missing !== undefined) damage.add(WHERE, `it does not list entry ${missing} under "${term}"`)
    if (!isExactTerm(term)) continue
    for (const seq of seqs) found.delete(seq)
    for (const seq of found) damage.add(WHERE, `it lists entry ${seq} under "${term}"`)
  }
}

function* isListed(seq: number, terms: readonly string[]): Work<boolean> {
  return (yield* listed(seq, seq, terms)).length === 1
}

/** The entries of a range that are listed under all of these terms. */
function* listed(from: number, to: number, terms: readonly string[]): Work<readonly number[]> {
  const all = terms.map(term => [term])
  const search = { from, to, all, none: [], order: 'oldest' as const, limit: WINDOW }
  return (yield* ask(log => log.index!.search(search))).seqs
}

/** The groups whose counts are not those of the entries. */
function* findWrongCounts(counted: Counted): Work<readonly string[]> {
  const wrong: string[] = []
  for (const group of summed) {
    const expected = counted.get(group) ?? new Map()
    const kept = yield* ask(log => log.index!.counts([group]))
    if (kept.length !== expected.size || kept.some(({ name, count }) => expected.get(name) !== count)) wrong.push(group)
  }
  return wrong
}

function wrongCounts(group: string): string {
  return `its counts of "${group}" are wrong`
}

function add(counted: Counted, group: string, name: string, count: number): void {
  const names = counted.get(group) ?? new Map<string, number>()
  names.set(name, (names.get(name) ?? 0) + count)
  counted.set(group, names)
}
