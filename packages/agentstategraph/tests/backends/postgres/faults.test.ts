/**
 * PostgreSQL behind a network that fails, restarted, and with clients that die or stop: nothing that was acknowledged is lost or there
 * twice, and what was not acknowledged is there at most once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgres } from '../../../src/backends/postgres/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { open } from '../../../src/repository/index.ts'
import { sampleAppend, sampleEntry } from '../../../src/testing/index.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../processes/postgres-server.ts'
import { startWorker, untilSaid } from '../../processes/worker-process.ts'
import { seeded } from '../../store/support/seeded.ts'
import { type Interference, isCommit, type Joined, type PostgresProxy, startPostgresProxy } from './support/proxy.ts'

const isSoak = process.env['ASG_SOAK'] === '1'

describe.skipIf(!hasPostgres())('postgres (skipped without an installed postgresql)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-postgres-'))
  let server: PostgresServer
  let pool: pg.Pool
  let schemas = 0
  const newSchema = (): string => `faults ${schemas++}`

  beforeAll(async () => {
    server = await startPostgres(folder)
    pool = newPool(server.address())
  })
  afterAll(async () => {
    await pool.end()
    await server.kill()
    rmSync(folder, { recursive: true })
  })

  function newPool(connectionString: string): pg.Pool {
    const made = new pg.Pool({ connectionString, connectionTimeoutMillis: 20_000 })
    made.on('error', () => {})
    return made
  }

  async function throughProxy(interference: Interference): Promise<pg.Pool> {
    const proxy: PostgresProxy = await startPostgresProxy(server.socket, interference)
    const made = newPool(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`)
    onTestFinished(async () => {
      await proxy.close()
      await made.end()
    })
    return made
  }

  /** Compares the list that writers appended to with what they were told. */
  async function expectKept(schema: string, acknowledged: readonly string[], mayHaveMore = false): Promise<void> {
    await using repo = await open(postgres(pool, { schema }))
    const list = (await repo.get('/list')) as string[]
    expect(new Set(list).size).toBe(list.length)
    expect(acknowledged.filter(label => !list.includes(label))).toEqual([])
    if (!mayHaveMore) expect(list.length).toBe(acknowledged.length)
    const commits = await repo.log()
    expect(commits.map(({ intent }) => intent.description).reverse()).toEqual(list.map(label => `Append ${label}`))
    expect((await verify(repo)).damage).toEqual([])
  }

  async function append(through: pg.Pool, schema: string, writer: string, count: number): Promise<readonly string[]> {
    const repo = await open(postgres(through, { schema }))
    const labels = Array.from({ length: count }, (_, n) => `${writer}.${n}`)
    for (const label of labels) await repo.set('/list/-', label, `Append ${label}`)
    await repo.close()
    return labels
  }

  it('a COMMIT that is worked on after its connection was lost is found, because the lock is waited for', async () => {
    const schema = newSchema()
    let stopped = 0
    let isArmed = false
    const through = await throughProxy({
      onRequest(bytes, joined) {
        if (!isArmed || stopped !== 0 || !isCommit(bytes)) return undefined
        stopped = joined.process
        process.kill(stopped, 'SIGSTOP')
        // Passed on before the connection is cut: the server has it, and has not worked on it.
        setImmediate(joined.cut)
        return undefined
      },
    })
    const log = postgres(through, { schema }).namespace('main')
    await log.append(sampleAppend(1, 'first'))
    isArmed = true
    const appending = log.append({
      time: 1,
      entries: [sampleEntry('second')],
      moves: [],
      keys: [{ key: 'k', entry: 0 }],
    })
    const waits = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> $1"
    while ((await pool.query(waits, [stopped])).rows[0].n === 0) await new Promise(setImmediate)
    // Without the lock, this lookup is the one that would be wrong.
    expect(await postgres(pool, { schema }).namespace('main').key('k')).toBe(null)
    process.kill(stopped, 'SIGCONT')
    expect(await appending).toEqual({ kind: 'done', first: 2 })
    expect(await log.head()).toEqual({ seq: 2, time: 1 })
  })

  it('another write of the same process to the namespace does not hide the outcome of one whose answer was lost', async () => {
    const schema = newSchema()
    let stopped: Joined | undefined
    let isArmed = false
    const through = await throughProxy({
      onRequest(bytes, joined) {
        if (isArmed && stopped === undefined && isCommit(bytes)) {
          stopped = joined
          process.kill(joined.process, 'SIGSTOP')
        }
        return undefined
      },
    })
    const backend = postgres(through, { schema })
    const log = backend.namespace('main')
    await log.append(sampleAppend(1, 'first'))
    isArmed = true
    const appending = log.append(sampleAppend(1, 'second'))
    while (stopped === undefined) await new Promise(setImmediate)
    const dropping = backend.dropNamespace('main')
    // Long enough for the drop to come to the lock, if it does not wait here.
    for (let asked = 0; asked < 20; asked++) await pool.query('SELECT 1')
    stopped.cut()
    for (let asked = 0; asked < 20; asked++) await pool.query('SELECT 1')
    process.kill(stopped.process, 'SIGCONT')
    expect(await appending).toEqual({ kind: 'done', first: 2 })
    await dropping
    expect((await log.head()).seq).toBe(0)
  })

  it('a COMMIT that never reached the server is made again, and one whose answer was lost is not', async () => {
    for (const passes of [false, true]) {
      const schema = newSchema()
      let commits = 0
      const through = await throughProxy({
        onRequest(bytes, { cut }) {
          if (!isCommit(bytes) || commits++ % 2 === 0) return undefined
          if (passes) setImmediate(cut)
          return passes ? undefined : 0
        },
      })
      await expectKept(schema, await append(through, schema, 'a', 6))
      expect(commits).toBeGreaterThan(6)
    }
  })

  it('connections that are cut at random bytes lose nothing and repeat nothing', async () => {
    const schema = newSchema()
    await (await open(postgres(pool, { schema }))).close()
    const random = seeded(23)
    let cuts = 0
    const limit = isSoak ? 500 : 25
    const interfere = (bytes: Buffer): number | undefined => {
      if (cuts >= limit || random() > 0.05) return undefined
      cuts++
      return Math.floor(random() * bytes.length)
    }
    const through = await throughProxy({ onRequest: interfere, onReply: interfere })
    const each = isSoak ? 200 : 12
    const acknowledged = await Promise.all(['a', 'b', 'c'].map(writer => append(through, schema, writer, each)))
    expect(cuts).toBeGreaterThan(limit / 2)
    await expectKept(schema, acknowledged.flat())
  })

  it('clients that are killed, with clocks apart, leave what they were told, once', async () => {
    const schema = 'agentstategraph'
    const kills = isSoak ? 200 : 4
    const acknowledged: string[] = []
    const steady = append(pool, schema, 'steady', isSoak ? 400 : 20)
    for (let n = 0; n < kills; n++) {
      const { rows } = await pool.query('SELECT extract(epoch FROM now())::float8 * 1000 AS now')
      const ahead = n % 2 === 0 ? { time: Math.floor(rows[0].now) + 600_000 } : {}
      const orders = { address: server.address(), name: `w${n}`, count: 1000, ...ahead }
      const worker = await startWorker('list-worker.mjs', orders)
      worker.begin()
      await untilSaid(worker, 4)
      worker.child.kill('SIGKILL')
      await worker.ended
      acknowledged.push(...(worker.lines.slice(1) as string[]))
    }
    acknowledged.push(...(await steady))
    await expectKept(schema, acknowledged, true)
  })

  it('a server that is killed and started again under its writers keeps what was acknowledged', async () => {
    const schema = newSchema()
    const writing = Promise.all(['a', 'b'].map(writer => append(pool, schema, writer, isSoak ? 400 : 30)))
    for (let restarts = 0; restarts < (isSoak ? 20 : 2); restarts++) {
      const before = await countOf(schema)
      while ((await countOf(schema)) < before + 3) await new Promise(setImmediate)
      await server.kill()
      server = await startPostgres(folder)
    }
    await expectKept(schema, (await writing).flat())
  })

  async function countOf(schema: string): Promise<number> {
    const { rows } = await pool.query('SELECT to_regclass($1) IS NOT NULL AS there', [`"${schema}".entries`])
    if (!rows[0].there) return 0
    return (await pool.query(`SELECT count(*)::int AS n FROM "${schema}".entries`)).rows[0].n
  }
})
