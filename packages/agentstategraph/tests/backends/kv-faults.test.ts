/** Key-value stores whose replies get lost: whatever happens to the batches, nothing acknowledged is lost or written twice. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kvBackend } from '../../src/backends/index.ts'
import { isStateError } from '../../src/core/index.ts'
import type { Log } from '../../src/store/contract/backend.ts'
import { faultyKV, type KVFault, memoryKV, sampleCommitId, sampleEntry } from '../../src/testing/index.ts'

const fault: fc.Arbitrary<KVFault | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.constantFrom<KVFault>('reply-lost', 'sent-twice', 'not-sent'),
  fc.integer({ min: 1, max: 9 }).map(lateBy => ({ lateBy })),
)

/** Appends of one writer: how many entries each has, and whether it moves a ref of its own or one that all share. */
const appends = fc.array(
  fc.record({ entries: fc.integer({ min: 1, max: 3 }), ref: fc.constantFrom('', 'own', 'shared') }),
  {
    minLength: 1,
    maxLength: 6,
  },
)
const writer = fc.record({ appends, faults: fc.array(fault, { minLength: 1, maxLength: 12 }) })

interface Outcome {
  readonly labels: readonly string[]
  /** The number of the first entry; undefined when the outcome is unknown. */
  readonly first: number | undefined
}

/** Makes the appends of a writer one after the other, and each again while another writer was faster. */
async function write(log: Log, name: number, all: readonly { entries: number; ref: string }[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [i, { entries, ref }] of all.entries()) {
    const labels = Array.from({ length: entries }, (_, k) => `${name}.${i}.${k}`)
    const refName = ref === 'own' ? `own/${name}` : ref
    let first: number | undefined
    try {
      while (first === undefined) {
        const moves = ref === '' ? [] : [{ name: refName, expect: await log.ref(refName), to: { entry: 0 } }]
        const appended = await log.append({ time: 1, entries: labels.map(label => sampleEntry(label)), moves })
        if (appended.kind === 'done') first = appended.first
        else expect(appended.kind).toBe('moved')
      }
    } catch (error) {
      if (!isStateError(error, 'outcome-unknown')) throw error
    }
    outcomes.push({ labels, first })
  }
  return outcomes
}

it('an acknowledged append is there once, at its place, and one without an answer at most once', async () => {
  let unknown = 0
  await fc.assert(
    fc.asyncProperty(fc.array(writer, { minLength: 1, maxLength: 3 }), async writers => {
      const content = new Map<string, Uint8Array>()
      const outcomes = await Promise.all(
        writers.map(({ appends, faults }, name) => {
          let at = 0
          const store = faultyKV(memoryKV(content), () => faults[at++ % faults.length])
          return write(kvBackend(store).namespace('main'), name, appends)
        }),
      )
      const entries = await kvBackend(memoryKV(content)).namespace('main').entries(1, 999, ['commit'])
      const found = entries.map(({ commit }) => commit!.id)
      expect(entries.map(({ seq }) => seq)).toEqual(found.map((_, i) => i + 1))
      for (const { labels, first } of outcomes.flat()) {
        const ids = labels.map(sampleCommitId)
        const places = found.flatMap((id, i) => (id === ids[0] ? [i] : []))
        if (first === undefined) unknown++
        if (first === undefined) expect(places.length).toBeLessThanOrEqual(1)
        else expect(places).toEqual([first - 1])
        for (const place of places) expect(found.slice(place, place + ids.length)).toEqual(ids)
      }
      expect(new Set(found).size).toBe(found.length)
    }),
    { numRuns: process.env['ASG_SOAK'] === '1' ? 5000 : 150 },
  )
  expect(unknown).toBeGreaterThan(0)
})
