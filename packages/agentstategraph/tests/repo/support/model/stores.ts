/** The stores that repositories are tried on: in memory and in a SQLite file, with small limits and those of the format. */
import { onTestFinished } from 'vitest'
import { sqlite } from '../../../../src/backends/index.ts'
import { open, type Repository } from '../../../../src/repository/index.ts'
import { appendEntries, memoryBackend, openJournal } from '../../../../src/store/index.ts'
import { steppingClock } from '../../../../src/testing/index.ts'
import { formatLimits, type TreeLimits } from '../../../../src/tree/index.ts'
import { newFile } from '../../../store/support/sqlite-file.ts'
import { tinyLimits } from '../../../tree/support/trees.ts'

/** Two handles on one namespace, as two processes would have them. */
export interface Real {
  readonly hands: [Repository, Repository]
  /** Opens a handle anew, after closing it where that keeps the store. */
  reopen(hand: 0 | 1): Promise<void>
}

/** A place for many repositories, each in a namespace of its own. */
export type NewReal = () => Promise<Real>

/** By name, how many runs there is time for. */
export const stores: readonly (readonly [name: string, runs: number, store: () => NewReal])[] = [
  ['memory and small limits', 30, () => inMemory(tinyLimits)],
  ['memory and the limits of the format', 30, () => inMemory(formatLimits)],
  ['SQLite and small limits', 15, () => inSqlite(tinyLimits)],
  ['SQLite and the limits of the format', 15, () => inSqlite(formatLimits)],
]

function inMemory(limits: TreeLimits): NewReal {
  let count = 0
  return async () => {
    const backend = memoryBackend()
    const options = { namespace: `run-${count++}`, clock: steppingClock() }
    await prepare(await openJournal(backend, { ...options, treeLimits: limits }))
    const hands: [Repository, Repository] = [await open(backend, options), await open(backend, options)]
    return {
      hands,
      async reopen(hand) {
        hands[hand] = await open(backend, options)
      },
    }
  }
}

function inSqlite(limits: TreeLimits): NewReal {
  const file = newFile()
  const toClose = new Set<Repository>()
  onTestFinished(async () => {
    for (const repo of toClose) await repo.close()
  })
  let count = 0
  return async () => {
    const options = { namespace: `run-${count++}`, clock: steppingClock() }
    const first = sqlite(file)
    await prepare(await openJournal(first, { ...options, treeLimits: limits }))
    await first.close()
    for (const repo of toClose) await repo.close()
    toClose.clear()
    const opened = async (): Promise<Repository> => {
      const repo = await open(file, options)
      toClose.add(repo)
      return repo
    }
    const hands: [Repository, Repository] = [await opened(), await opened()]
    return {
      hands,
      async reopen(hand) {
        await hands[hand].close()
        toClose.delete(hands[hand])
        hands[hand] = await opened()
      },
    }
  }
}

/** A journal keeps the limits that its first entry was written with. */
async function prepare(journal: Awaited<ReturnType<typeof openJournal>>): Promise<void> {
  await journal.run(appendEntries(journal, [{ kind: 'note', agent: 'agent/test' }], []))
}
