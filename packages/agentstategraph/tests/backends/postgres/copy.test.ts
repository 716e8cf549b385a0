/** Stores that move from a file to PostgreSQL and back are the same, however often the copy is killed on its way. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyStore } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { epochs } from '../../../src/trust/index.ts'
import { hasPostgres, type PostgresServer, sharedPostgres } from '../../processes/postgres-server.ts'
import { startWorker, untilSaid } from '../../processes/worker-process.ts'

const kills = process.env['ASG_SOAK'] === '1' ? 20 : 2

describe.skipIf(!hasPostgres())('postgres (skipped without an installed postgresql)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-copies-'))
  const [from, back] = [join(folder, 'from.db'), join(folder, 'back.db')]
  let server: PostgresServer
  let there: string

  beforeAll(async () => {
    server = await sharedPostgres()
    there = server.address('copied')
    const client = new pg.Client({ connectionString: server.address() })
    await client.connect()
    await client.query('CREATE DATABASE copied')
    await client.end()
  })

  const told = async (repo: Repository): Promise<unknown> => [
    await repo.log(),
    await repo.blameTree('/'),
    await epochs(repo).list(),
    await repo.branches(),
  ]

  /** Kills a copy again and again in the middle of its way, and lets the last one end. */
  async function copyWithKills(source: string, target: string): Promise<void> {
    for (let n = 0; n < kills; n++) {
      const worker = await startWorker('copy-worker.mjs', { from: source, to: target })
      worker.begin()
      expect(await untilSaid(worker, 2), 'it was killed on its way').toBe(true)
      worker.child.kill('SIGKILL')
      await worker.ended
    }
  }

  it('a copy that is killed on its way goes on where it ended, there and back, and is the same', async () => {
    await using repo = await open(from)
    await epochs(repo).create('first', 'The first of them')
    // A copy says that it goes on after each 64 entries.
    for (let n = 0; n < 64 * (kills + 2); n++) {
      await repo.as(`agent/${n % 3}`).set(`/k${n % 4}`, { n, text: 'x'.repeat(300) }, `Step ${n}`)
      if (n === 40) await epochs(repo).seal('first', 'It is over')
    }
    await copyWithKills(from, there)
    const first = await copyStore(from, there)
    expect(first.copied).toBeLessThan(first.entries - 64 * kills + 1)
    await repo.set('/later', 1, 'Later')
    expect(await copyStore(from, there)).toMatchObject({ entries: first.entries + 1, copied: 1 })
    await copyWithKills(there, back)
    const last = await copyStore(there, back)
    expect(last.copied).toBeLessThan(last.entries - 64 * kills + 1)
    for (const store of [there, back]) {
      await using copy = await open(store)
      expect(await told(copy)).toEqual(await told(repo))
    }
    await expect(copyStore(`${server.address()}x`, back)).rejects.toMatchObject({ code: 'postgres-failed' })
  })
})
