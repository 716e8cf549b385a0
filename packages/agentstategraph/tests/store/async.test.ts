/** The same journal on every kind of backend: what answers later, or fails now and then, gives the same history. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kvBackend } from '../../src/backends/index.ts'
import type { Stored } from '../../src/core/index.ts'
import { writer } from '../../src/repo/write/write.ts'
import { type Backend, findHead, memoryBackend, openJournal, readCommit, readEntries } from '../../src/store/index.ts'
import { memoryKV, steppingClock } from '../../src/testing/index.ts'
import { valueOfChild } from '../../src/tree/index.ts'
import { readWhole, set } from './support/journals.ts'
import { seeded } from './support/seeded.ts'
import { around, slow, wrapped } from './support/wrapped-backend.ts'

const backends: Readonly<Record<string, () => Backend>> = {
  'a key-value store': () => kvBackend(memoryKV()),
  'a backend without synchronous calls': () => wrapped(memoryBackend(), log => ({ ...log, sync: undefined })),
  'a backend that answers after a while': () => wrapped(memoryBackend(), log => slow(log, seeded(7))),
}

interface Step {
  readonly ref: string
  readonly path: string
  readonly value: Stored
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    ref: fc.constantFrom('branch/a', 'branch/b'),
    path: fc.constantFrom('/a', '/b/c', '/b/d/e', '/list', '/f'),
    value: fc.oneof(
      fc.integer(),
      fc.string({ maxLength: 300 }),
      fc.constant({ key: 'x'.repeat(200), list: [1, 2, 3] }),
      fc.integer({ min: 60, max: 200 }).map(length => Array.from({ length }, (_, i) => i)),
      fc
        .integer({ min: 60, max: 200 })
        .map(length => Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]))),
    ) as fc.Arbitrary<Stored>,
  }),
  { minLength: 1, maxLength: 12 },
)

/** Writes all steps, and reads everything back with a journal that has seen nothing. */
async function historyOf(backend: Backend, all: readonly Step[]): Promise<unknown[]> {
  const writing = writer(await openJournal(backend, { clock: steppingClock(), ids: () => 'origin-1' }))
  for (const { ref, path, value } of all) await set(writing, ref, { [path]: value }, { allowEmpty: true })
  const journal = await openJournal(backend)
  const { seq: newest } = await journal.log.head()
  const whole: unknown[] = []
  for (let seq = 1; seq <= newest; seq++) whole.push(await journal.run(readWhole(journal, seq)))
  return whole
}

it.each(Object.entries(backends))('%s holds the same entries, states and writers as memory', async (_, make) => {
  await fc.assert(
    fc.asyncProperty(steps, async all => {
      expect(await historyOf(make(), all)).toEqual(await historyOf(memoryBackend(), all))
    }),
    { numRuns: 25 },
  )
})

it.each(Object.entries(backends))('on %s, 40 writes at once on one branch all land', async (_, make) => {
  const backend = make()
  const journal = await openJournal(backend)
  const writing = writer(journal)
  await set(writing, 'branch/main', { '/list': [] })
  const values = Array.from({ length: 40 }, (_, i) => i)
  const written = await Promise.all(values.map(i => set(writing, 'branch/main', { '/list/-': i, [`/keys/${i}`]: i })))
  expect(new Set(written.map(({ commit }) => commit.seq)).size).toBe(40)

  const fresh = await openJournal(backend)
  const head = (await fresh.run(findHead(fresh, 'branch/main')))!
  const state = (await fresh.run(valueOfChild(fresh.context, head.tree))) as { list: number[]; keys: object }
  expect(state.list.toSorted((a, b) => a - b)).toEqual(values)
  expect(Object.keys(state.keys)).toHaveLength(40)
  const entries = await fresh.run(readEntries(2, 42, ['text']))
  expect(entries.map(({ record }) => record.moves)).toEqual(
    entries.map((_, i) => [['branch/main', i === 0 ? null : i + 1, 0]]),
  )
})

it('appends that fail before or after they were done, and are repeated under their keys, are done once each', async () => {
  const random = seeded(3)
  const lost = new Error('the connection was lost')
  const backend = memoryBackend()
  const unreliable = wrapped(backend, log =>
    around(log, async (name, call) => {
      if (name !== 'append') return call()
      if (random() < 0.3) throw lost
      const appended = await call()
      if (random() < 0.3) throw lost
      return appended
    }),
  )
  const journal = await openJournal(unreliable)
  const writing = writer(journal)
  const acknowledged: number[] = []
  let failures = 0
  for (let n = 1; n <= 60; ) {
    try {
      const { commit } = await set(writing, 'branch/main', { [`/n/${n}`]: n }, { idempotencyKey: `write ${n}` })
      acknowledged.push(commit.seq)
      n++
    } catch (e) {
      expect(e).toBe(lost)
      failures++
    }
  }
  expect(failures).toBeGreaterThan(20)
  expect(acknowledged).toEqual(Array.from({ length: 60 }, (_, i) => i + 2))
  const reader = await openJournal(backend)
  const commit = await reader.run(readCommit(reader, 61))
  const { n } = (await reader.run(valueOfChild(reader.context, commit.tree))) as { n: Record<string, number> }
  expect(Object.values(n).sort((a, b) => a - b)).toEqual(acknowledged.map(seq => seq - 1))
})
