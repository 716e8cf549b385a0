/** The index follows the commits, so that a question finds little to be done. */
import { describe, expect, it } from 'vitest'
import { kvBackend, memory, sqlite } from '../../src/backends/index.ts'
import { reindex } from '../../src/repo/index.ts'
import { newBudget, open, type Repository } from '../../src/repository/index.ts'
import { type Backend, type IndexBatch, type Log, stretchEntries } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { wrapped } from '../store/support/wrapped-backend.ts'
import { commitSamples } from './support/queried.ts'

const stores: readonly [string, () => Backend][] = [
  ['memory', memory],
  ['SQLite', () => sqlite(newFile())],
  ['a key-value store', () => kvBackend(memoryKV(new Map()))],
]

async function commit(repo: Repository, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await repo.as(`agent/${n % 3}`).set('/n', n, `Write ${n}`)
}

/** How many entries are not indexed. */
async function tailOf({ handle }: Repository): Promise<number> {
  const { log } = handle.journal
  return (await log.head()).seq - (await log.index!.mark())
}

interface Counted {
  readonly backend: Backend
  /** How many entries were read, and which batches the index took or refused. */
  readonly calls: { entries: number; readonly taken: number[]; refused: number }
}

/** A backend that counts what its logs read and index. */
function counted(backend: Backend): Counted {
  const calls: Counted['calls'] = { entries: 0, taken: [], refused: 0 }
  const counting = (log: Log): Log => ({
    ...log,
    sync: undefined,
    async entries(from, to, columns) {
      const found = await log.entries(from, to, columns)
      calls.entries += found.length
      return found
    },
    index: {
      ...log.index!,
      async add(batch) {
        const isTaken = await log.index!.add(batch)
        if (isTaken) calls.taken.push(batch.to)
        else calls.refused++
        return isTaken
      },
    },
  })
  return { backend: wrapped(backend, counting), calls }
}

describe.each(stores)('on %s', (_name, newStore) => {
  it('commits are indexed behind them, also when nobody asks', async () => {
    await using repo = await open(newStore())
    await commit(repo, 2 * stretchEntries)
    await repo.handle.shared.index!.flush()
    expect(await tailOf(repo)).toBeLessThan(stretchEntries)
    expect((await repo.handle.journal.log.indexIds?.()) ?? false).toBe(false)
  })

  it('the first question after many commits reads no more than its answer and a short tail', async () => {
    const { backend, calls } = counted(newStore())
    await using repo = await open(backend)
    await commit(repo, 3 * stretchEntries)
    await repo.handle.shared.index!.flush()
    calls.entries = 0
    expect(await repo.query({ agent: 'agent/1', limit: 5 })).toHaveLength(5)
    expect(calls.entries).toBeLessThan(stretchEntries + 20)
  })

  it('an append that does not end a stretch leaves the index alone', async () => {
    const { backend, calls } = counted(newStore())
    await using repo = await open(backend)
    await commit(repo, stretchEntries - 2)
    await repo.handle.shared.index!.flush()
    expect(calls.taken).toEqual([])
  })
})

it('what is taken from commits in memory is what their stored texts say', async () => {
  const batches: IndexBatch[] = []
  const recording = (log: Log): Log => ({
    ...log,
    sync: undefined,
    index: { ...log.index!, add: batch => log.index!.add(batch).then(isTaken => batches.push(batch) > 0 && isTaken) },
  })
  const clock = { now: new Date(0) }
  await using repo = await open(wrapped(memory(), recording), { clock: () => clock.now })
  const { journal, shared } = repo.handle
  for (let from = 1; from <= 121; from += 60) {
    await commitSamples(repo, from, from + 59, clock)
    const branch = await repo.branch(`branch/${from}`)
    const write = (n: number) => branch.set(`/at/${n}`, n, { description: 'At once', idempotencyKey: `${from} ${n}` })
    await Promise.all([0, 1, 2, 3].map(write))
    await using draft = await branch.speculate()
    await draft.set('/draft', from, { description: 'Try', reasoning: 'It may do' })
    await draft.commit({ description: 'Take it', category: 'Merge', intent: { id: 'g1', parent: 'new top' } })
    await repo.merge(`branch/${from}`, 'Take the branch over')
    await repo.resolveIntent('g1', { outcome: 'partial', summary: 's', deviations: [{ description: 'd' }] })
  }
  await shared.index!.flush()
  const fromMemory = batches.splice(0)
  expect(fromMemory.length).toBeGreaterThan(0)
  journal.recent.clear()
  await journal.run(reindex(repo.handle))
  expect(batches.slice(0, fromMemory.length)).toEqual(fromMemory)
})

it('the index is not built from the budget of the operation that ended a stretch', async () => {
  await using repo = await open(memory())
  const budget = newBudget(Number.POSITIVE_INFINITY)
  await commit(repo.under(budget), stretchEntries)
  const { spentMs } = budget
  await repo.handle.shared.index!.flush()
  expect(budget.spentMs).toBe(spentMs)
  expect(await tailOf(repo)).toBeLessThan(stretchEntries)
})

it('a process that ends after its commit indexes what its commit completed', async () => {
  const file = newFile()
  const first = await open(file)
  await commit(first, stretchEntries - 2)
  await first.close()
  const second = await open(file)
  expect(await tailOf(second)).toBe(stretchEntries - 1)
  await second.set('/n', 0, 'The last of the stretch')
  await second.close()
  await using repo = await open(file)
  expect(await tailOf(repo)).toBeLessThan(stretchEntries)
})

it('connections share the work: each stretch is indexed by the one that ended it', async () => {
  const file = newFile()
  const sides = [counted(sqlite(file)), counted(sqlite(file))]
  const repos = await Promise.all(sides.map(({ backend }) => open(backend)))
  for (let n = 0; n < 4 * stretchEntries; n++) {
    const repo = repos[Math.floor(n / 300) % 2]!
    await repo.set('/n', n, `Write ${n}`)
    await repo.handle.shared.index!.flush()
  }
  for (const { calls } of sides) {
    expect(calls.taken.length).toBeGreaterThan(0)
    expect(calls.refused).toBe(0)
  }
  expect(sides.flatMap(({ calls }) => calls.taken).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 4 }, (_, i) => (i + 1) * stretchEntries),
  )
  for (const repo of repos) await repo.close()
})

it('a store that is opened for reading uses the index that others made, and reads the rest', async () => {
  const file = newFile()
  const content = new Map<string, Uint8Array>()
  const places: readonly (readonly [Backend, () => Backend])[] = [
    [sqlite(file), () => sqlite(file, { readOnly: true })],
    [kvBackend(memoryKV(content)), () => kvBackend(memoryKV(content), { readOnly: true })],
  ]
  for (const [backend, openAgain] of places) {
    const writer = await open(backend)
    await commit(writer, 2 * stretchEntries + 9)
    await writer.handle.shared.index!.flush()
    const { backend: again, calls } = counted(openAgain())
    const reader = await open(again, { readOnly: true })
    expect(await reader.query({ agent: 'nobody' })).toEqual([])
    expect(calls.entries).toBeLessThan(stretchEntries + 20)
    for (const filter of [{ agent: 'agent/2' }, { text: 'write 3' }, { deviated: false, agent: 'agent/1' }]) {
      expect(await reader.query(filter)).toEqual(await writer.query(filter))
    }
    expect(calls).toMatchObject({ taken: [], refused: 0 })
    await reader.close()
    await writer.close()
  }
})
