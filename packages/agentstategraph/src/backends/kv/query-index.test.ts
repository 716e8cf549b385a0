import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { IndexSearch } from '../../store/contract/index-log.ts'
import { memoryIndex } from '../../store/memory/memory-index.ts'
import { blockEntries } from '../../store/memory/search-terms.ts'
import { faultyKV, type KVFault, memoryKV, sampleAppend } from '../../testing/index.ts'
import { kvBackend } from './kv-backend.ts'

const end = 8 * blockEntries
const term = fc.constantFrom('a', 'b', 'c', 'd')
const seq = fc.oneof(
  fc.integer({ min: 1, max: end }),
  fc.tuple(fc.nat(8), fc.integer({ min: -1, max: 1 })).map(([block, by]) => Math.max(1, block * blockEntries + by)),
)
const batch = fc.array(fc.record({ seq, terms: fc.uniqueArray(term, { minLength: 1 }) }), { maxLength: 30 })
const counts = fc.array(
  fc.record({ group: fc.constantFrom('g', 'g/h', '~'), name: fc.constantFrom('', 'x', 'x/y'), count: fc.nat(9) }),
  { maxLength: 4 },
)
const search: fc.Arbitrary<IndexSearch> = fc.record({
  from: fc.oneof(seq, fc.constant(0)),
  to: fc.oneof(seq, fc.constant(end + 10)),
  all: fc.array(fc.array(term, { maxLength: 2 }), { maxLength: 3 }),
  none: fc.array(term, { maxLength: 1 }),
  within: fc.option(fc.record({ from: seq, to: seq, or: term }), { nil: undefined }),
  order: fc.constantFrom('newest', 'oldest'),
  limit: fc.constantFrom(0, 1, 3, 1000),
})
const fault = fc.option(fc.constantFrom<KVFault>('reply-lost', 'sent-twice', 'not-sent', { lateBy: 2 }), {
  nil: undefined,
})

it('an index in a store finds and counts what one in memory does, also when replies are lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(batch, counts), { maxLength: 3 }),
      fc.array(search, { minLength: 1, maxLength: 4 }),
      fc.array(fault, { maxLength: 4 }),
      async (batches, searches, faults) => {
        const model = memoryIndex()
        const ahead: (KVFault | undefined)[] = [undefined, ...faults]
        const log = kvBackend(faultyKV(memoryKV(), () => ahead.shift())).namespace('main')
        await log.append(sampleAppend(1, 'a'))
        const index = log.index!
        for (const [i, [rows, counts]] of batches.entries()) {
          const to = i === batches.length - 1 ? end : i + 1
          const one = { from: i, to, rows, counts }
          expect(await index.add(one)).toBe(model.add(one))
        }
        for (const one of searches) expect(await index.search(one)).toEqual(model.search(one))
        for (const groups of [['g'], ['g/h', 'none', '~', 'g']]) {
          expect(await index.counts(groups)).toEqual(model.counts(groups))
        }
      },
    ),
    { numRuns: 60 },
  )
})

it('a batch made before the namespace was dropped is not added to the one that was made since', async () => {
  const content = new Map<string, Uint8Array>()
  const store = memoryKV(content)
  const other = kvBackend(store)
  await other.namespace('main').append(sampleAppend(1, 'a'))
  let isDone = false
  const slow = kvBackend({
    ...store,
    async batch(batch) {
      if (!isDone) {
        isDone = true
        await other.dropNamespace('main')
        await other.namespace('main').append(sampleAppend(1, 'b'))
      }
      return store.batch(batch)
    },
  })
  const rows = [{ seq: 1, terms: ['old'] }]
  expect(await slow.namespace('main').index!.add({ from: 0, to: 1, rows, counts: [] })).toBe(false)
  expect(await other.namespace('main').index!.mark()).toBe(0)
})
