/** Every backend on the public suite, SQLite with every driver that this Node can load. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { availableSqliteDrivers, cache, disk, kvBackend, memory, sqlite } from '../../src/backends/index.ts'
import { backendConformance, kvConformance, memoryKV, type Place } from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-backends-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

function newKVPlace(): Place {
  const content = new Map<string, Uint8Array>()
  return { open: () => kvBackend(memoryKV(content), { pollMs: 5 }) }
}

function newDiskPlace(): Place {
  const inside = join(folder, 'disks', `${files++}`)
  return { open: () => disk(inside, { maxBytes: 16e6 }) }
}

function cached({ open }: Place): Place {
  return { open: async () => cache(await open(), { maxBytes: 1000 }) }
}

function newSqlitePlaces(): [string, () => Place][] {
  return availableSqliteDrivers().map(driver => [
    `sqlite with ${driver}`,
    () => {
      const file = join(folder, `${files++}.db`)
      return { open: () => sqlite(file, { driver }) }
    },
  ])
}

const places: [string, () => Place][] = [
  ['memory', () => ({ open: memory })],
  ['key-value', newKVPlace],
  ...newSqlitePlaces(),
  ['disk', newDiskPlace],
  ['cache over disk', () => cached(newDiskPlace())],
  ['cache over key-value', () => cached(newKVPlace())],
]

it('SQLite is tested with at least one driver', () => {
  expect(availableSqliteDrivers().length).toBeGreaterThan(0)
})

describe.each(places)('%s', async (_name, newPlace) => {
  const backend = await newPlace().open()
  const { capabilities } = backend
  await backend.close()
  for (const { name, needs, run } of backendConformance) {
    it.skipIf(needs !== undefined && !capabilities[needs])(name, () => run(newPlace()))
  }
})

describe('a key-value store', () => {
  for (const { name, run } of kvConformance) {
    it(name, () => {
      const content = new Map<string, Uint8Array>()
      return run({ open: () => memoryKV(content) })
    })
  }
})
