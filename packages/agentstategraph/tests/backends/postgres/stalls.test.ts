/** What keeps others waiting: clients that stop inside a transaction, notifications that are lost, pools that are small. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type PostgresPool, postgres } from '../../../src/backends/postgres/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { open } from '../../../src/repository/index.ts'
import { sampleAppend } from '../../../src/testing/index.ts'
import { hasPostgres, type PostgresServer, sharedPostgres } from '../../processes/postgres-server.ts'
import { startWorker } from '../../processes/worker-process.ts'
import { type Joined, startPostgresProxy } from './support/proxy.ts'

describe.skipIf(!hasPostgres())('postgres (skipped without an installed postgresql)', () => {
  let server: PostgresServer
  let pool: pg.Pool
  let schemas = 0
  const newSchema = (): string => `stalls ${schemas++}`

  beforeAll(async () => {
    server = await sharedPostgres()
    pool = new pg.Pool({ connectionString: server.address(), max: 20 })
    pool.on('error', () => {})
  })
  afterAll(() => pool.end())

  /** Stops the client of the first connection that gets an answer to a statement with a text in it. */
  async function stoppedAt(
    text: string,
    stop: (joined: Joined) => void,
  ): Promise<{ port: number; met: Promise<Joined> }> {
    const asked = new Set<Joined>()
    let meet: (joined: Joined) => void = () => {}
    let isMet = false
    const met = new Promise<Joined>(resolve => {
      meet = resolve
    })
    const proxy = await startPostgresProxy(server.socket, {
      onRequest(bytes, joined) {
        if (!isMet && bytes.includes(text)) asked.add(joined)
        return undefined
      },
      onReply(_, joined) {
        if (isMet || !asked.has(joined)) return undefined
        isMet = true
        stop(joined)
        meet(joined)
        return undefined
      },
    })
    onTestFinished(() => proxy.close())
    return { port: proxy.port, met }
  }

  /** For how many seconds a client has let the server wait in the middle of a transaction. */
  async function longestStall(database: string): Promise<number> {
    const text = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - state_change)), 0)::float8 AS seconds
      FROM pg_stat_activity WHERE datname = $1 AND state = 'idle in transaction'`
    return (await pool.query(text, [database])).rows[0].seconds
  }

  async function writeBesideStopped(): Promise<void> {
    const database = 'stalled'
    await pool.query(`CREATE DATABASE ${database}`)
    const address = server.address(database)
    await using repo = await open(address)
    await repo.set('/list', [], 'Begin')
    let stop = (): void => {}
    const { port, met } = await stoppedAt('FOR NO KEY UPDATE', () => stop())
    const proxied = `postgres://postgres@127.0.0.1:${port}/${database}`
    const worker = await startWorker('list-worker.mjs', { address: proxied, name: 'w', count: 1 })
    stop = () => worker.child.kill('SIGSTOP')
    worker.begin()
    await met
    let isWritten = false
    const writing = repo.set('/list/-', 'other', 'Append other').then(() => {
      isWritten = true
    })
    let stalled = 0
    while (!isWritten) stalled = Math.max(stalled, await longestStall(database))
    await writing
    // The server's clock, so that a test which waits for a processor does not count.
    expect(stalled).toBeGreaterThan(1)
    expect(stalled).toBeLessThan(3.5)
    expect(worker.lines).toEqual(['ready'])
    worker.child.kill('SIGCONT')
    await worker.ended
    expect(worker.lines).toEqual(['ready', 'w.0'])
    expect(await repo.get('/list')).toEqual(['other', 'w.0'])
    expect((await verify(repo)).damage).toEqual([])
  }

  async function indexBesideStopped(): Promise<void> {
    const schema = newSchema()
    const { port, met } = await stoppedAt('FOR KEY SHARE', joined => joined.hold())
    const through = new pg.Pool({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
    through.on('error', () => {})
    onTestFinished(() => through.end())
    const [held, other] = [through, pool].map(one => postgres(one, { schema }).namespace('main'))
    await held!.append(sampleAppend(1, 'a'))
    const batch = { from: 0, to: 1, rows: [{ seq: 1, terms: ['t'] }], counts: [] }
    const adding = held!.index!.add(batch)
    const joined = await met
    await postgres(pool, { schema }).dropNamespace('main')
    await other!.append(sampleAppend(1, 'b'))
    expect(await other!.index!.add(batch)).toBe(true)
    joined.release()
    expect(await adding).toBe(false)
  }

  it('a client that is stopped while it holds a lock, of a journal or of an index, is cut off, and goes on when it wakes', async () => {
    await Promise.all([writeBesideStopped(), indexBesideStopped()])
  })

  /** The pool, without its notifications, and how many there would have been. */
  function withoutHints(): { pool: PostgresPool; sent: () => number } {
    let sent = 0
    return {
      sent: () => sent,
      pool: {
        async connect() {
          const connection = await pool.connect()
          return {
            async query(query) {
              if (!query.text.includes('pg_notify'))
                return connection.query({ ...query, values: [...(query.values ?? [])] })
              sent++
              return { rows: [] }
            },
            release: error => connection.release(error),
          }
        },
      },
    }
  }

  it('a notification that is lost costs an interval of polling, and one that arrives does not wait for it', async () => {
    const schema = newSchema()
    for (const [pollMs, hints] of [
      [20, withoutHints()],
      [1e6, undefined],
    ] as const) {
      const writer = postgres(hints?.pool ?? pool, { schema }).namespace('main')
      const watching = postgres(pool, { schema, pollMs })
      await writer.append(sampleAppend(1, 'before'))
      let heard = 0
      const hearing = new Promise<void>(resolve => {
        watching.namespace('main').onChange(() => {
          heard++
          resolve()
        })
      })
      const listeners = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`
      while ((await pool.query(listeners)).rows[0].n === 0) await new Promise(setImmediate)
      await Promise.all(Array.from({ length: 40 }, (_, n) => writer.append(sampleAppend(1, `${n}`))))
      await hearing
      expect(heard).toBeGreaterThan(0)
      if (hints !== undefined) expect(hints.sent()).toBeLessThan(40)
      await watching.close()
    }
  })

  it('a pool of one connection serves a watcher too', async () => {
    const backend = postgres(server.address(), { schema: newSchema(), connections: 1, pollMs: 20 })
    await using repo = await open(backend)
    const events = repo.watch()[Symbol.asyncIterator]()
    const first = events.next()
    await repo.set('/a', 1, 'First')
    expect((await first).value).toMatchObject({ kind: 'commit' })
    expect(await repo.get('/a')).toBe(1)
    await events.return?.()
  })

  it('a namespace that is dropped under its writers is whole before and after, and they are told', async () => {
    const schema = newSchema()
    await using dropping = postgres(pool, { schema })
    for (let round = 0; round < 5; round++) {
      const repos = await Promise.all([0, 1].map(() => open(postgres(pool, { schema }))))
      const ends = repos.map(async repo => {
        for (let n = 0; ; n++) {
          try {
            await repo.set(`/k${n % 3}`, n, `Step ${n}`)
          } catch (error) {
            return (error as { code: string }).code
          }
        }
      })
      while ((await dropping.namespace('default').head()).seq < 6) await new Promise(setImmediate)
      await dropping.dropNamespace('default')
      expect(await Promise.all(ends)).toEqual(['journal-replaced', 'journal-replaced'])
      await Promise.all(repos.map(repo => repo.close()))
    }
    await using repo = await open(postgres(pool, { schema }))
    await repo.set('/again', 1, 'Begin again')
    expect((await verify(repo)).damage).toEqual([])
  })
})
