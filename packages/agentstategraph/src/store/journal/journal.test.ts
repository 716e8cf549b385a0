import { expect, it } from 'vitest'
import { steppingClock } from '../../testing/clock.ts'
import { formatLimits, rootOf } from '../../tree/index.ts'
import { asyncLog } from '../contract/async-log.ts'
import type { Backend, Log, SyncLog } from '../contract/backend.ts'
import { memoryBackend } from '../memory/memory-backend.ts'
import { appendCommit, appendEntries } from './append.ts'
import { readCommit } from './commits.ts'
import { readEntries, readEntry } from './entries.ts'
import { readGenesis } from './genesis.ts'
import { type Journal, openJournal } from './journal.ts'

const note = (agent: string) => ({ kind: 'note', agent })
const info = { agent: 'agent/a', intent: { id: 'i', category: 'Refine', description: 'd' } }

function newCommit(journal: Journal, value: number, expect: number | null) {
  const { context } = journal
  const roots = { tree: rootOf(context, { value }, 0), system: rootOf(context, {}, 0) }
  return { ...roots, parents: [], info, changed: [['value']], moves: [{ name: 'branch/a', expect, to: { entry: 0 } }] }
}

/** A backend whose logs have some calls replaced. */
function altered(backend: Backend, alter: (sync: SyncLog) => Partial<SyncLog>): Backend {
  return {
    ...backend,
    namespace(name, options): Log {
      const log = backend.namespace(name, options)
      return asyncLog({ ...log.sync!, ...alter(log.sync!) }, log)
    },
  }
}

it('a journal begins with its format, its limits and an origin, by the clock and the ids it was given', async () => {
  const journal = await openJournal(memoryBackend(), { clock: steppingClock(), ids: () => 'origin-1' })
  await journal.run(appendEntries(journal, [note('agent/a')]))
  const { record } = await journal.run(readEntry(1))
  expect(record).toMatchObject({
    kind: 'genesis',
    agent: 'agent/a',
    time: Date.parse('2026-01-01T00:00:00.000Z'),
    moves: [['system/genesis', null, 0]],
    body: { format: 2, limits: formatLimits, origin: 'origin-1' },
  })
})

it('a journal keeps the limits it was begun with, whatever is asked for later', async () => {
  const backend = memoryBackend()
  const treeLimits = { ...formatLimits, inlineBytes: 16 }
  const first = await openJournal(backend, { treeLimits })
  await first.run(appendEntries(first, [note('a')]))
  const second = await openJournal(backend)
  expect(second.context.limits).toEqual(treeLimits)
  expect(await second.run(readGenesis())).toMatchObject({ limits: treeLimits })
})

it('a journal whose first entry is no genesis is refused', async () => {
  const backend = memoryBackend()
  const journal = await openJournal(backend)
  journal.hasGenesis = true
  await journal.run(appendEntries(journal, [note('a')]))
  await expect(openJournal(backend)).rejects.toMatchObject({ code: 'format-unsupported', data: { found: 0 } })
})

it('work can be done at once where the backend answers at once, and is refused where it does not', async () => {
  const backend = memoryBackend()
  const journal = await openJournal(backend)
  const outcome = journal.runSync(appendCommit(journal, newCommit(journal, 1, null)))
  expect(outcome).toMatchObject({ kind: 'done', commit: { seq: 2 } })
  const slow = { ...backend, namespace: (name: string) => ({ ...backend.namespace(name), sync: undefined }) }
  const other = await openJournal(slow)
  expect(() => other.runSync(readEntry(1))).toThrow(expect.objectContaining({ code: 'sync-unsupported' }))
  expect((await other.run(readCommit(other, 2))).record.tree).toMatch(/^[\w-]{43}$/)
})

it('entries are added together, and what moves is recorded in the first', async () => {
  const journal = await openJournal(memoryBackend())
  const moves = [{ name: 'tag/a', expect: null, to: { entry: 0 } }]
  const appended = await journal.run(appendEntries(journal, [note('a'), note('b')], moves))
  expect(appended).toEqual({ kind: 'done', first: 2 })
  const entries = await journal.run(readEntries(2, 3, ['text']))
  expect(entries.map(({ record }) => [record.agent, record.moves])).toEqual([
    ['a', [['tag/a', null, 0]]],
    ['b', []],
  ])
})

it('a commit on a ref that has moved is not made', async () => {
  const journal = await openJournal(memoryBackend())
  await journal.run(appendCommit(journal, newCommit(journal, 1, null)))
  const outcome = await journal.run(appendCommit(journal, newCommit(journal, 2, null)))
  expect(outcome).toEqual({ kind: 'moved', name: 'branch/a', actual: 2 })
  expect((await journal.log.head()).seq).toBe(2)
})

it('an entry that is not there is said to be missing: past the end, or in the middle', async () => {
  const backend = memoryBackend()
  const journal = await openJournal(backend)
  await journal.run(appendEntries(journal, [note('a'), note('b'), note('c')]))
  await expect(journal.run(readEntry(9))).rejects.toMatchObject({ code: 'entry-not-found', data: { seq: 9 } })
  const gap = altered(backend, sync => ({
    entries: (...args) => sync.entries(...args).filter(({ seq }) => seq !== 3),
  }))
  const holed = await openJournal(gap)
  await expect(holed.run(readEntries(2, 4, ['text']))).rejects.toMatchObject({
    code: 'object-corrupt',
    data: { seq: 3 },
  })
})

it('an entry without a commit is not read as one', async () => {
  const journal = await openJournal(memoryBackend())
  await journal.run(appendEntries(journal, [note('a')]))
  await expect(journal.run(readCommit(journal, 2))).rejects.toMatchObject({ code: 'object-corrupt', data: { seq: 2 } })
})
