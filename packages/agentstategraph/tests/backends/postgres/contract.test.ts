/** PostgreSQL as a backend, on a real server: it keeps every contract, and says what is wrong with a server. */
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type PostgresOptions, type PostgresPool, postgres } from '../../../src/backends/postgres/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { open } from '../../../src/repository/index.ts'
import type { Backend } from '../../../src/store/contract/backend.ts'
import { backendConformance, sampleAppend } from '../../../src/testing/index.ts'
import { hasPostgres, type PostgresServer, sharedPostgres } from '../../processes/postgres-server.ts'
import { runWorkers } from '../../processes/worker-process.ts'
import { emptied } from './support/emptied.ts'
import { pglitePool } from './support/pglite-pool.ts'

const isHere = hasPostgres()

it('postgresql is there where it must be', () => {
  // Elsewhere the tests below say that they were skipped.
  if (process.env['CI']) expect(isHere, 'install postgresql: CI has to run these tests').toBe(true)
})

describe.skipIf(!isHere)('postgres (skipped without an installed postgresql)', () => {
  let server: PostgresServer
  let pool: pg.Pool
  let schemas = 0
  // As hostile as the name of a schema can be.
  const newSchema = (): string => `a"b';$1 ${schemas++}`
  const backendOn = (schema: string, options: PostgresOptions = {}): Backend => postgres(pool, { schema, ...options })

  beforeAll(async () => {
    server = await sharedPostgres()
    pool = new pg.Pool({ connectionString: server.address() })
    pool.on('error', () => {})
  })
  afterAll(() => pool.end())

  describe('embedded', () => {
    const schema = newSchema()
    let database: PGlite
    let embedded: PostgresPool
    beforeAll(async () => {
      database = await PGlite.create()
      embedded = pglitePool(database)
    })
    afterAll(() => database.close())

    for (const { name, needs, run } of backendConformance) {
      it.skipIf(needs === 'sync' || needs === 'shared')(name, async () => {
        await emptied(embedded, schema)
        await run({ open: () => postgres(embedded, { schema, shared: false }) })
      })
    }
  })

  describe('on a server', () => {
    const schema = newSchema()
    for (const { name, needs, run } of backendConformance) {
      it.skipIf(needs === 'sync')(name, async () => {
        await emptied(pool, schema)
        await run({ open: () => backendOn(schema, { pollMs: 5 }) })
      })
    }
  })

  it('several that open a new store at once make its tables once', async () => {
    const schema = newSchema()
    const pools = Array.from({ length: 6 }, () => new pg.Pool({ connectionString: server.address(), max: 2 }))
    onTestFinished(async () => void (await Promise.all(pools.map(one => one.end()))))
    const repos = await Promise.all(pools.map(one => open(postgres(one, { schema }))))
    await Promise.all(repos.map((repo, i) => repo.set(['by', `${i}`], i, 'Count')))
    expect(await repos[0]!.get('/by')).toEqual({ 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 })
    expect((await verify(repos[0]!)).damage).toEqual([])
    await Promise.all(repos.map(repo => repo.close()))
  })

  it('processes that open a new store at once make its tables once, and write to it', async () => {
    const database = 'begun'
    await pool.query(`CREATE DATABASE ${database}`)
    const address = server.address(database)
    const orders = [0, 1, 2, 3].map(n => ({ address, name: `w${n}`, count: 3 }))
    const said = await runWorkers('list-worker.mjs', orders)
    await using repo = await open(address)
    expect(new Set((await repo.get('/list')) as string[])).toEqual(new Set(said.flat()))
    expect(said.flat().length).toBe(12)
    expect((await verify(repo)).damage).toEqual([])
  })

  it('a cold get takes a statement for each level at most, and a warm one asks twice, however deep', async () => {
    const schema = newSchema()
    const path = Array.from({ length: 6 }, () => 'in')
    const value = path.reduce<object>((inner, _, level) => {
      const others = Array.from({ length: 40 }, (_, n) => [`k${n}`, `${level} ${n} ${'x'.repeat(100)}`] as const)
      return { ...Object.fromEntries(others), in: inner }
    }, {})
    await using writing = await open(backendOn(schema))
    await writing.set('/', value as never, 'Import')
    let statements = 0
    const counted: PostgresPool = {
      async connect() {
        const connection = await pool.connect()
        return {
          query(query) {
            statements++
            return connection.query({ ...query, values: [...(query.values ?? [])] })
          },
          release: error => connection.release(error),
        }
      },
    }
    await using repo = await open(postgres(counted, { schema }))
    const asked: number[] = []
    for (let n = 0; n < 3; n++) {
      const before = statements
      expect(await repo.get(path)).toEqual({})
      asked.push(statements - before)
    }
    expect(asked[0]).toBeLessThanOrEqual(path.length + 1)
    expect(asked.slice(1)).toEqual([2, 2])
  })

  it('of one that lost a race and tries again and one that comes meanwhile, one wins, and neither keeps others out', async () => {
    const schema = newSchema()
    const [one, two] = [backendOn(schema).namespace('main'), backendOn(schema).namespace('main')]
    const move = (expect: number | null) => [{ name: 'main', expect, to: { entry: 0 } }]
    await one.append(sampleAppend(1, 'a', move(null)))
    expect(await two.append(sampleAppend(1, 'b', move(9)))).toEqual({ kind: 'moved', name: 'main', actual: 1 })
    const meanwhile = one.append(sampleAppend(1, 'c', move(1)))
    expect(await two.ref('main')).toBeLessThan(3)
    const outcomes = await Promise.all([meanwhile, two.append(sampleAppend(1, 'b', move(1)))])
    expect(outcomes).toContainEqual({ kind: 'done', first: 2 })
    expect(outcomes).toContainEqual({ kind: 'moved', name: 'main', actual: 2 })
    expect(await one.append(sampleAppend(1, 'd'))).toEqual({ kind: 'done', first: 3 })
  })

  it('of one that holds and one that comes meanwhile, the first one wins, and one that gives up keeps nobody out', async () => {
    const schema = newSchema()
    const [one, two] = [backendOn(schema).namespace('main'), backendOn(schema).namespace('main')]
    const move = (expect: number | null) => [{ name: 'main', expect, to: { entry: 0 } }]
    await one.append(sampleAppend(1, 'a', move(null)))
    const release = await two.hold!('main')
    const meanwhile = one.append(sampleAppend(1, 'b', move(1)))
    expect(await two.ref('main')).toBe(1)
    expect(await two.append(sampleAppend(1, 'c', move(1)))).toEqual({ kind: 'done', first: 2 })
    release!()
    expect(await meanwhile).toEqual({ kind: 'moved', name: 'main', actual: 2 })
    const givenUp = await two.hold!('main')
    const next = one.append(sampleAppend(1, 'd', move(2)))
    givenUp!()
    expect(await next).toEqual({ kind: 'done', first: 3 })
    const forgotten = await two.hold!('main')
    expect(await one.append(sampleAppend(1, 'e', move(3)))).toEqual({ kind: 'done', first: 4 })
    forgotten!()
  })
})
