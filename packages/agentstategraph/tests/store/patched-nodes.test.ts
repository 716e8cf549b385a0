/**
 * A write of one value makes its nodes, texts and deltas from those that it replaces. What it stores is the same as if the state
 * were built anew.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encode } from '../../src/core/index.ts'
import { write, writer } from '../../src/repo/index.ts'
import { findHead, memoryBackend, openJournal } from '../../src/store/index.ts'
import { rootOf, valueOfChild } from '../../src/tree/index.ts'

const keys = Array.from({ length: 9 }, (_, n) => `${'kÄ€'[n % 3]}"${n}`)
const group = fc.constantFrom('a', 'b')
const key = fc.constantFrom(...keys)
/** Short ones are written in the node, longer ones are nodes of their own. */
const value = fc.oneof(
  fc.integer(),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.integer({ min: 0, max: 9 }).map(n => `${n}`.repeat(700)),
  fc.constant({ list: [1, { two: 2 }] }),
)

it('a state that was changed value by value has the root and the texts of one that was built at once', async () => {
  const changes = fc.array(fc.tuple(group, key, value), { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(changes, async given => {
      const backend = memoryBackend()
      const journal = await openJournal(backend)
      const writing = writer(journal)
      const state: Record<string, Record<string, unknown>> = { a: {}, b: {} }
      for (const one of keys) state['a']![one] = 'x'.repeat(one.length * 40)
      for (const one of keys) state['b']![one] = 0
      const set = (path: readonly string[], to: unknown, n: number): void => {
        const info = { agent: 'agent/test', intent: { id: `${n}`, category: 'Refine', description: 'Change' } }
        journal.runSync(write(writing, 'branch/main', [{ op: 'set', path, value: encode(to) }], { info }))
      }
      set([], state, 0)
      for (const [n, [at, name, to]] of given.entries()) {
        state[at]![name] = to
        set([at, name], to, n + 1)
      }
      const head = journal.runSync(findHead(journal, 'branch/main'))!
      expect(head.tree.id).toBe(rootOf(journal.context, encode(state), 0).id)
      const cold = await openJournal(backend)
      const read = cold.runSync(findHead(cold, 'branch/main'))!
      expect(cold.runSync(valueOfChild(cold.context, read.tree))).toEqual(encode(state))
    }),
    { numRuns: 60 },
  )
})
