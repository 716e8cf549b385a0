/** A repository that closes while its index waits for quiet. */
import { afterEach, it, vi } from 'vitest'
import { kvBackend, memory, sqlite } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { type Backend, stretchEntries } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const stores: readonly [string, () => Backend][] = [
  // A store on a server that stands in for memory has timers of its own.
  ...(memory().capabilities.sync ? [['memory', memory] as [string, () => Backend]] : []),
  ['SQLite', () => sqlite(newFile())],
  ['a key-value store', () => kvBackend(memoryKV(new Map()))],
]

afterEach(() => void vi.useRealTimers())

it.each(stores)('waits for no timer, whenever it is closed, on %s', async (_, make) => {
  // The timer keeps no process alive, so whoever waited for it would be left when the process ends.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  for (let turns = 0; turns < 12; turns++) {
    const repo = await open(make())
    for (let n = 0; n < stretchEntries; n++) await repo.set('/n', n, 'Count')
    for (let n = 0; n < 3; n++) await new Promise(setImmediate)
    await repo.set('/n', -1, 'One more')
    vi.advanceTimersByTime(20)
    for (let n = 0; n < turns; n++) await Promise.resolve()
    await repo.close()
  }
})
