/** Access across real processes: a revocation and a commit have an order, and limits are exact. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { runWorkers, startWorker, untilSaid } from '../processes/worker-process.ts'

interface Said {
  readonly seq?: number
  readonly code?: string
}

function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'asg-access-')), 'state.db')
}

it('nothing lands in another process after a revocation of any link has returned', async () => {
  const file = newFile()
  await using repo = await open(file)
  const { addPrincipal, authenticate, grant, revoke } = access(repo)
  const lead = await authenticate((await addPrincipal('lead', 'agent')).key)
  const root = await grant('lead', { capabilities: ['commit', 'grant'], depth: 1 })
  const middle = await addPrincipal('agent', 'agent')
  for (const link of ['leaf', 'root'] as const) {
    const leaf = await access(lead).grant('agent', { capabilities: ['commit'] })
    const orders = { file, key: middle.key, path: `/${link}`, count: 100_000 }
    const workers = await Promise.all([1, 2].map(() => startWorker('access-worker.mjs', orders)))
    for (const worker of workers) worker.begin()
    await Promise.all(workers.map(worker => untilSaid(worker, 10)))
    await revoke(link === 'leaf' ? leaf.id : root.id, 'Stop')
    const { seq: revoked } = await repo.handle.journal.log.head()
    await Promise.all(workers.map(({ ended }) => ended))
    const said = workers.flatMap(({ lines }) => lines.slice(1) as Said[])
    expect(said.filter(({ code }) => code !== undefined)).toEqual([
      { code: 'grant-revoked' },
      { code: 'grant-revoked' },
    ])
    const landed = said.flatMap(({ seq }) => seq ?? [])
    expect(Math.max(...landed)).toBeLessThanOrEqual(revoked)
    const last = (await repo.log({ limit: 1 }))[0]!
    const decided = (await repo.handle.journal.log.ref('system/access'))!
    expect(last.seq).toBeLessThan(decided)
  }
  expect((await verify(repo)).damage).toEqual([])
})

/** All processes have this time, so that the minute does not pass while they work. */
const now = '2030-04-01T12:00:00Z'

it('a limit of commits in a minute is the same for one process and for three', async () => {
  const file = newFile()
  await using repo = await open(file, { clock: () => new Date(now) })
  const { key } = await access(repo).addPrincipal('agent', 'agent')
  await access(repo).grant('agent', { capabilities: ['commit'], limits: { commitsPerMinute: 20 } })
  const orders = ['/a', '/b', '/c'].map(path => ({ file, key, path, count: 1000, now }))
  const said = (await runWorkers('access-worker.mjs', orders)).flat() as Said[]
  expect(said.filter(({ seq }) => seq !== undefined)).toHaveLength(20)
  expect(said.filter(({ code }) => code === 'rate-exceeded')).toHaveLength(3)
})
