/** What a derived index promises. A log without an index passes. */
import type { Log } from '../store/contract/backend.ts'
import type { IndexRow, IndexSearch, LogIndex } from '../store/contract/index-log.ts'
import { check, checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples, sampleCommitId } from './samples.ts'

/** Makes a case for logs that have an index; the log holds `count` entries, none indexed. */
function indexCase(name: string, count: number, test: (index: LogIndex, log: Log) => Promise<void>): ConformanceCase {
  return logCase(name, async log => {
    if (log.index === undefined) return
    await appendSamples(log, count)
    await test(log.index, log)
  })
}

const everywhere: IndexSearch = { from: 1, to: 1e6, all: [], none: [], order: 'oldest', limit: 1e6 }

/** The terms of a sample: `all`, and one for each of a few numbers that divide the entry's number. */
function termsOf(seq: number): string[] {
  return ['all', ...[2, 3, 50, 4999].filter(n => seq % n === 0).map(n => `by ${n}`)]
}

async function addSamples(index: LogIndex, from: number, to: number): Promise<boolean> {
  const rows: IndexRow[] = []
  for (let seq = from + 1; seq <= to; seq++) rows.push({ seq, terms: termsOf(seq) })
  return index.add({ from, to, rows, counts: [{ group: 'g', name: 'batches', count: 1 }] })
}

/** The expected result of a search among so many samples. */
function expected(count: number, { from, to, all, none, within, order, limit }: IndexSearch): number[] {
  const found: number[] = []
  for (let seq = Math.max(from, 1); seq <= Math.min(to, count); seq++) {
    const terms = termsOf(seq)
    const isWithin = within === undefined || (seq >= within.from && seq <= within.to) || terms.includes(within.or)
    const hasAll = all.every(some => some.some(term => terms.includes(term)))
    if (isWithin && hasAll && !none.some(term => terms.includes(term))) found.push(seq)
  }
  return (order === 'newest' ? found.reverse() : found).slice(0, limit)
}

const searches: readonly Partial<IndexSearch>[] = [
  {},
  { all: [['all']] },
  { all: [['by 2'], ['by 3']] },
  { all: [['by 3', 'by 50']], none: ['by 2'] },
  { all: [['by 4999']] },
  { all: [['absent']] },
  { all: [[]] },
  { all: [['all']], from: 4000, to: 4200 },
  { all: [['all']], from: -5, to: 3 },
  { all: [['by 2']], within: { from: 4090, to: 4100, or: 'by 4999' } },
  { all: [['by 2']], within: { from: 1, to: 0, or: 'by 50' } },
]

export const indexCases: readonly ConformanceCase[] = [
  indexCase('an index finds exactly the entries that have what is asked for', 0, async (index, log) => {
    const count = 5100
    await appendSamples(log, count)
    for (let from = 0; from < count; from += 300) check(await addSamples(index, from, from + 300), `a batch at ${from}`)
    for (const part of searches) {
      for (const order of ['newest', 'oldest'] as const) {
        for (const limit of [1, 40, 1e6]) {
          const search = { ...everywhere, ...part, order, limit }
          const { mark, seqs } = await index.search(search)
          checkEqual({ mark, seqs }, { mark: count, seqs: expected(count, search) }, JSON.stringify(search))
        }
      }
    }
  }),

  indexCase('a rare term is found however far apart its entries are', 1, async index => {
    const rare = [1, 9000, 700_000, 700_001, 1_299_999]
    const rows = rare.map(seq => ({ seq, terms: ['rare'] }))
    // An index does not read the entries themselves, so one entry is enough.
    await index.add({ from: 0, to: 1_300_000, rows, counts: [] })
    const search = { ...everywhere, to: 1_300_000, all: [['rare']] }
    checkEqual((await index.search(search)).seqs, rare, 'the oldest first')
    checkEqual((await index.search({ ...search, order: 'newest' })).seqs, rare.toReversed(), 'the newest first')
  }),

  indexCase('a batch that was made at another mark changes nothing', 20, async index => {
    checkEqual(await index.mark(), 0, 'the mark of a new index')
    check(await addSamples(index, 0, 10), 'the first batch is added')
    check(!(await addSamples(index, 0, 10)), 'the same batch again is not')
    check(!(await addSamples(index, 11, 20)), 'a batch after a gap is not')
    checkEqual(await index.mark(), 10, 'the mark')
    checkEqual((await index.search(everywhere)).seqs.length, 10, 'the entries found')
    checkEqual(await index.counts(['g']), [{ group: 'g', name: 'batches', count: 1 }], 'the counts')
  }),

  indexCase('a term can be given to an entry before the mark, once or again', 20, async index => {
    await addSamples(index, 0, 10)
    const rows = [{ seq: 3, terms: ['late', 'by 3'] }]
    await index.add({ from: 10, to: 11, rows, counts: [] })
    await index.add({ from: 11, to: 12, rows, counts: [] })
    checkEqual((await index.search({ ...everywhere, all: [['late']] })).seqs, [3], 'the entry')
    checkEqual((await index.search({ ...everywhere, all: [['by 3']] })).seqs, [3, 6, 9], 'one it had already')
  }),

  indexCase('terms and names are any text, and counts of a group are sorted by name', 20, async index => {
    const odd = ['', ' ', '\0', 'a\0', 'a\0b', 'é', '日本', '😀', '\uffff', "';--", 'x'.repeat(3000)]
    const rows = odd.map((term, i) => ({ seq: i + 1, terms: [term] }))
    const counts = odd.map((name, i) => ({ group: 'odd', name, count: i + 1 }))
    await index.add({ from: 0, to: 20, rows, counts: [...counts, { group: 'od', name: 'd', count: 1 }] })
    for (const [i, term] of odd.entries()) {
      checkEqual(
        (await index.search({ ...everywhere, all: [[term]] })).seqs,
        [i + 1],
        JSON.stringify(term).slice(0, 20),
      )
    }
    checkEqual(
      await index.counts(['odd']),
      counts.sort((a, b) => (a.name < b.name ? -1 : 1)),
      'the counts',
    )
    checkEqual(await index.counts(['none']), [], 'the counts of no group')
    const both = [{ group: 'od', name: 'd', count: 1 }, ...counts]
    checkEqual(await index.counts(['od', 'none', 'odd']), both, 'the counts of some groups, in the order asked for')
  }),

  indexCase('terms and names that are long and cannot be compressed are told apart', 20, async index => {
    // More than a page of a search tree takes, and equal in all but the last character.
    const start = Array.from({ length: 300 }, (_, i) => sampleCommitId(i)).join('')
    const long = ['a', 'b', 'c'].map(end => start + end)
    const rows = long.map((term, i) => ({ seq: i + 1, terms: [term] }))
    const counts = long.map((name, i) => ({ group: 'long', name, count: i + 1 }))
    check(await index.add({ from: 0, to: 20, rows, counts }), 'the batch is added')
    for (const [i, term] of long.entries()) {
      checkEqual((await index.search({ ...everywhere, all: [[term]] })).seqs, [i + 1], `the term that ends in ${i}`)
    }
    checkEqual(await index.counts(['long']), counts, 'the counts')
  }),

  indexCase('an index that was cleared is a new one', 20, async index => {
    await addSamples(index, 0, 20)
    await index.clear()
    checkEqual(await index.search(everywhere), { mark: 0, seqs: [] }, 'a search')
    checkEqual(await index.counts(['g']), [], 'the counts')
    check(await addSamples(index, 0, 20), 'it is built again')
  }),

  logCase('an index is of one namespace, and goes with it', async (log, backend) => {
    if (log.index === undefined) return
    const other = backend.namespace('other')
    await appendSamples(log, 5)
    await appendSamples(other, 5)
    await addSamples(log.index, 0, 5)
    checkEqual(await other.index?.search(everywhere), { mark: 0, seqs: [] }, 'the index of the other')
    await backend.dropNamespace('main')
    checkEqual(await log.index.search(everywhere), { mark: 0, seqs: [] }, 'the index of a namespace that is gone')
    await appendSamples(log, 5)
    checkEqual([await log.index.mark(), await log.index.counts(['g'])], [0, []], 'the index of the next of that name')
  }),
]
