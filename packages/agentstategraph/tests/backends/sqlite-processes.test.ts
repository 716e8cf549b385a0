/** Several processes on one SQLite file: nothing is lost and nothing is written twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { loadSqliteDriver } from '../../src/backends/sqlite/driver.ts'
import { sampleEntry, samplePart } from '../../src/testing/index.ts'
import { runWorkers } from '../processes/worker-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-processes-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Acknowledged {
  readonly name: string
  readonly n: number
  readonly seq: number
  readonly previous: number | null
}

interface Orders {
  readonly count: number
  readonly partBytes: number
  readonly maxLogBytes?: number
  readonly reopenEvery?: number
  readonly durability?: 'normal' | 'full' | 'group'
}

/** Lets processes append to one ref, then holds what they were told against what is there. */
async function appendFromProcesses(file: string, processes: number, orders: Orders): Promise<void> {
  const names = Array.from({ length: processes }, (_, i) => `process ${i}`)
  const said = await runWorkers(
    'append-worker.mjs',
    names.map(name => ({ ...orders, file, name })),
  )
  const acknowledged = said.flatMap(lines => lines.slice(0, -1)) as Acknowledged[]
  const total = processes * orders.count
  acknowledged.sort((a, b) => a.seq - b.seq)
  expect(acknowledged.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, i) => i + 1))
  expect(acknowledged.every(({ seq, previous }) => (previous ?? 0) === seq - 1)).toBe(true)
  for (const name of names) {
    const own = acknowledged.filter(one => one.name === name).map(({ n }) => n)
    expect(own).toEqual(Array.from({ length: orders.count }, (_, i) => i + 1))
  }
  await expectThere(file, acknowledged, orders.partBytes)
}

async function expectThere(file: string, acknowledged: readonly Acknowledged[], partBytes: number): Promise<void> {
  await using backend = sqlite(file)
  const log = backend.namespace('main')
  expect(await log.head()).toEqual({ seq: acknowledged.length, time: 1 })
  expect(await log.refs('')).toEqual([{ name: 'main', seq: acknowledged.length }])
  for (const { name, n, seq } of acknowledged) {
    const label = `${name} ${n}`
    const { text, commit } = sampleEntry(label)
    const [entry] = await log.entries(seq, seq, ['text', 'commit', 'part'])
    if (entry?.text !== text || entry.commit?.id !== commit?.id) expect.fail(`entry ${seq} is not that of ${label}`)
    if (Buffer.compare(entry.part ?? Buffer.alloc(0), samplePart(0, label, partBytes).bytes) !== 0) {
      expect.fail(`the pack of entry ${seq} is not that of ${label}`)
    }
  }
}

function integrityOf(file: string): unknown {
  const database = new (loadSqliteDriver().DatabaseSync)(file)
  const { integrity_check: found } = database.prepare('PRAGMA integrity_check').get() as { integrity_check: string }
  database.close()
  return found
}

it('four processes append 250 times each to one ref, and every append is there, once and in its place', async () => {
  const file = join(folder, 'four.db')
  await appendFromProcesses(file, 4, { count: 250, partBytes: 600 })
  expect(integrityOf(file)).toBe('ok')
})

it('processes that checkpoint all the time and come and go lose nothing', async () => {
  const file = join(folder, 'restless.db')
  await appendFromProcesses(file, 4, { count: 120, partBytes: 6000, maxLogBytes: 32 * 1024, reopenEvery: 20 })
  expect(integrityOf(file)).toBe('ok')
})

it.runIf(process.env['ASG_SOAK'] === '1')(
  'a long soak with aggressive checkpoints from four processes loses nothing',
  async () => {
    for (let round = 0; round < 10; round++) {
      const file = join(folder, `soak-${round}.db`)
      const orders = { count: 10_000, partBytes: 3000, maxLogBytes: 64 * 1024 }
      await appendFromProcesses(file, 4, round % 2 === 0 ? orders : { ...orders, reopenEvery: 100 })
      expect(integrityOf(file)).toBe('ok')
      rmSync(file)
    }
  },
)
