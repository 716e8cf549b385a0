import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommitRecord, EntryRecord } from '../../store/index.ts'
import { type CommitFilter, matcherOf, matches } from './filter.ts'
import { proposalOf, termsOf } from './index-terms.ts'

const word = fc.constantFrom('a', 'b', 'c d', 'é')
const key = fc.constantFrom('x', 'y', '0', 'a~1b')
const path = fc.array(key, { maxLength: 3 }).map(keys => keys.map(one => `/${one}`).join(''))
const millionths = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(0, 99_999, 100_000, 1_000_000))

const commit: fc.Arbitrary<CommitRecord> = fc.record(
  {
    agent: word,
    intent: fc.record(
      { id: word, category: word, description: word, tags: fc.array(word, { maxLength: 2 }) },
      { requiredKeys: ['id', 'category', 'description'] },
    ),
    session: word,
    authority: fc.array(word, { maxLength: 2 }),
    reasoning: word,
    confidence: millionths,
    tree: fc.constant('t'),
    system: fc.constant('s'),
    parents: fc.constant([]),
    time: fc.constant(5),
    salt: fc.constant('salt'),
  },
  { requiredKeys: ['agent', 'intent', 'tree', 'system', 'parents', 'time', 'salt'] },
)

const changed = fc.array(fc.tuple(path, fc.boolean()).map(([one, isFolded]) => (isFolded ? `${one}/**` : one || '/')))

const glob = fc
  .array(fc.oneof(key, fc.constantFrom('*', '**')), { maxLength: 4 })
  .map(parts => parts.map(part => `/${part}`).join('') || '/')

const one = millionths.map(n => n / 1_000_000)
const alone: fc.Arbitrary<CommitFilter> = fc.oneof(
  fc.record({ agent: fc.oneof(word, fc.array(word)) }),
  fc.record({ category: word }),
  fc.record({
    tags: fc.oneof(fc.array(word, { maxLength: 2 }), fc.record({ any: fc.array(word, { maxLength: 2 }) })),
  }),
  fc.record({ text: word }),
  fc.record({ confidence: fc.record({ min: one, max: one }, { requiredKeys: [] }) }),
  fc.record({ path: glob }),
  fc.record({ session: word }),
  fc.record({ authority: word }),
)
const filter = fc.tuple(alone, alone).map(([a, b]): CommitFilter => ({ ...a, ...b }))

/** Whether terms have one of each list and none of those excluded. */
function isProposed(filter: CommitFilter, terms: readonly string[]): boolean {
  const { all, none } = proposalOf(matcherOf(filter))
  return all.every(some => some.some(term => terms.includes(term))) && !none.some(term => terms.includes(term))
}

describe('the terms of a commit', () => {
  it('have what is searched for, whenever the filter lets the commit through', () => {
    fc.assert(
      fc.property(commit, changed, filter, (record, paths, filter) => {
        const entry: EntryRecord = { kind: 'commit', time: 5, agent: 'a', moves: [], commit: 'id', changed: paths }
        const facts = { below: undefined, deviated: undefined }
        const isProposal = isProposed(filter, termsOf(entry, record, record.reasoning))
        if (matches(matcherOf(filter), { seq: 1, record, entry }, facts, undefined)) expect(isProposal).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('keep out a confidence that is more than a hundredth beside the range', () => {
    fc.assert(
      fc.property(commit, one, one, (record, a, b) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)]
        const confidence = (record.confidence ?? 0) / 1_000_000
        fc.pre(record.confidence === undefined || confidence < min - 0.01 || confidence > max + 0.01)
        const entry: EntryRecord = { kind: 'commit', time: 5, agent: 'a', moves: [], commit: 'id' }
        expect(isProposed({ confidence: { min, max } }, termsOf(entry, record, undefined))).toBe(false)
      }),
    )
  })

  it('of a draft are only those of its moves', () => {
    const entry: EntryRecord = { kind: 'commit', time: 5, agent: 'a', moves: [['draft/1', null, 0]], commit: 'id' }
    fc.assert(
      fc.property(commit, record => {
        expect(termsOf(entry, record, undefined)).toEqual(['ref draft/1'])
      }),
    )
  })
})
