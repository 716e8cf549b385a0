import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { IndexSearch } from '../contract/index-log.ts'
import { memoryIndex } from './memory-index.ts'
import { blockEntries } from './search-terms.ts'

const term: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd')
const EDGES = [
  1,
  31,
  32,
  63,
  64,
  blockEntries - 1,
  blockEntries,
  blockEntries + 1,
  2 * blockEntries,
  3 * blockEntries - 1,
]
const MARK = EDGES.at(-1)!
const seq = fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: 1, max: MARK }))

const search: fc.Arbitrary<IndexSearch> = fc.record({
  from: fc.oneof(seq, fc.constant(0)),
  to: fc.oneof(seq, fc.constant(MARK + 10)),
  all: fc.array(fc.array(term, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  none: fc.array(term, { maxLength: 1 }),
  within: fc.option(fc.record({ from: seq, to: seq, or: term }), { nil: undefined }),
  order: fc.constantFrom('newest', 'oldest'),
  limit: fc.constantFrom(0, 1, 3, 1000),
})

it('a search finds what looking at every entry finds, at the edges of words and blocks too', () => {
  const rows = fc.uniqueArray(fc.record({ seq, terms: fc.uniqueArray(term) }), {
    selector: row => row.seq,
    maxLength: 40,
  })
  fc.assert(
    fc.property(rows, search, (rows, search) => {
      const index = memoryIndex()
      index.add({ from: 0, to: MARK, rows, counts: [] })
      const { from, to, all, none, within, order, limit } = search
      const expected = rows
        .filter(({ seq }) => seq >= from && seq <= to)
        .filter(({ terms }) => all.every(some => some.some(one => terms.includes(one))))
        .filter(({ terms }) => !none.some(one => terms.includes(one)))
        .filter(({ seq, terms }) => !within || (seq >= within.from && seq <= within.to) || terms.includes(within.or))
        .map(({ seq }) => seq)
        .sort((a, b) => (order === 'newest' ? b - a : a - b))
        .slice(0, limit)
      expect(index.search(search)).toEqual({ mark: MARK, seqs: expected })
    }),
    { numRuns: 500 },
  )
})
