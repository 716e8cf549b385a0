/** PostgreSQL as a backend, on a real server: it keeps every contract, and says what is wrong with a server. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listBlocks } from '../../../../scripts/page-blocks.mjs'
import { type PostgresOptions, postgres } from '../../src/backends/postgres/index.ts'
import { copyStore, verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import type { Backend } from '../../src/store/contract/backend.ts'
import { backendConformance, sampleAppend } from '../../src/testing/index.ts'
import { root } from '../architecture/support/source-file.ts'
import { runBlocks } from '../docs/support/run-blocks.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../processes/postgres-server.ts'
import { pglitePool } from './support/pglite-pool.ts'

const isHere = hasPostgres()

it('postgresql is there where it must be', () => {
  // Elsewhere the tests below say that they were skipped.
  if (process.env['CI']) expect(isHere, 'install postgresql: CI has to run these tests').toBe(true)
})

describe.skipIf(!isHere)('postgres (skipped without an installed postgresql)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-postgres-'))
  let server: PostgresServer
  let pool: pg.Pool
  let schemas = 0
  // As hostile as the name of a schema can be.
  const newSchema = (): string => `a"b';$1 ${schemas++}`
  const backendOn = (schema: string, options: PostgresOptions = {}): Backend => postgres(pool, { schema, ...options })

  beforeAll(async () => {
    server = await startPostgres(folder)
    pool = new pg.Pool({ connectionString: server.address() })
    pool.on('error', () => {})
  })
  afterAll(async () => {
    await pool.end()
    await server.kill()
    rmSync(folder, { recursive: true })
  })

  describe('embedded', () => {
    let database: PGlite
    beforeAll(async () => {
      database = await PGlite.create()
    })
    afterAll(() => database.close())

    for (const { name, needs, run } of backendConformance) {
      it.skipIf(needs === 'sync' || needs === 'shared')(name, () => {
        const schema = newSchema()
        return run({ open: () => postgres(pglitePool(database), { schema, shared: false }) })
      })
    }
  })

  for (const { name, needs, run } of backendConformance) {
    it.skipIf(needs === 'sync')(name, () => {
      const schema = newSchema()
      return run({ open: () => backendOn(schema, { pollMs: 5 }) })
    })
  }

  it('the programs of docs/postgres.md run and print what the page says', async () => {
    const page = readFileSync(`${root}docs/postgres.md`, 'utf8')
    const blocks = listBlocks('docs/postgres.md', page).filter(({ language }) => language === 'typescript')
    expect(blocks.length).toBeGreaterThan(0)
    const local = (code: string): string => code.replaceAll('postgres://localhost:5432/app', server.address())
    const outcomes = await runBlocks(
      root,
      blocks.map(({ code }) => ({ language: 'ts', code: local(code) })),
    )
    expect(outcomes.map(({ failure }) => failure)).toEqual(blocks.map(() => undefined))
    expect(outcomes.map(({ printed }) => printed)).toEqual(blocks.map(({ printed }) => printed ?? ''))
  })

  describe('what cannot work is said when it is opened, and changes nothing', () => {
    const refusedOn = async (store: Backend | string): Promise<unknown> =>
      (await open(store).then(
        repo => repo.close(),
        (error: unknown) => error,
      )) as unknown

    it('a password that is wrong, without showing it', async () => {
      await pool.query("CREATE ROLE guarded LOGIN PASSWORD 'right'")
      const address = server.address().replace('postgres@', 'guarded:wr0ng@')
      const error = await refusedOn(address)
      expect(error).toMatchObject({ code: 'postgres-refused', message: expect.stringMatching(/password/) })
      expect(JSON.stringify([error, (error as Error).message])).not.toContain('wr0ng')
    })

    it('a database that is not there', async () => {
      expect(await refusedOn(server.address('nowhere'))).toMatchObject({
        code: 'postgres-refused',
        message: expect.stringMatching(/nowhere/),
      })
    })

    it('an account without rights, to make the tables or to write them; one that may read opens with readOnly', async () => {
      const schema = newSchema()
      await pool.query('CREATE ROLE narrow LOGIN')
      const narrow = new pg.Pool({ connectionString: server.address('postgres', 'narrow') })
      onTestFinished(() => narrow.end())
      expect(await refusedOn(postgres(narrow, { schema }))).toMatchObject({ code: 'postgres-refused' })
      await using repo = await open(backendOn(schema))
      await repo.set('/a', 1, 'First')
      const quoted = `"${schema.replaceAll('"', '""')}"`
      await pool.query(`GRANT USAGE ON SCHEMA ${quoted} TO narrow`)
      await pool.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted} TO narrow`)
      expect(await refusedOn(postgres(narrow, { schema }))).toMatchObject({
        code: 'postgres-refused',
        message: expect.stringMatching(/right to INSERT/),
      })
      await using reader = await open(postgres(narrow, { schema, readOnly: true }), { readOnly: true })
      expect(await reader.get('/a')).toBe(1)
      await pool.query(`GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${quoted} TO narrow`)
      await using writer = await open(postgres(narrow, { schema }))
      await writer.set('/a', 2, 'Second')
      expect(await repo.get('/a')).toBe(2)
    })

    it('tables of a newer version, also by one that has them open', async () => {
      const schema = newSchema()
      await using repo = await open(backendOn(schema))
      await repo.set('/a', 1, 'First')
      await pool.query(`UPDATE "${schema.replaceAll('"', '""')}".format SET version = 2`)
      const newer = { code: 'format-unsupported', data: { found: 2, supported: 1 } }
      expect(await refusedOn(backendOn(schema))).toMatchObject(newer)
      await expect(repo.set('/a', 2, 'Second')).rejects.toMatchObject(newer)
      expect(await repo.get('/a')).toBe(1)
    })

    it('a server that takes no writes, and a store that is not there to be read', async () => {
      const schema = newSchema()
      await pool.query('CREATE ROLE reading LOGIN SUPERUSER')
      await pool.query('ALTER ROLE reading SET default_transaction_read_only = on')
      const reading = new pg.Pool({ connectionString: server.address('postgres', 'reading') })
      onTestFinished(() => reading.end())
      expect(await refusedOn(postgres(reading, { schema }))).toMatchObject({
        code: 'postgres-refused',
        message: expect.stringMatching(/read-only/),
      })
      await expect(open(backendOn(schema, { readOnly: true }), { readOnly: true })).rejects.toMatchObject({
        code: 'store-missing',
      })
      await expect(open(`${server.address()}x`, { readOnly: true })).rejects.toMatchObject({ code: 'postgres-failed' })
    })
  })

  it('a store is copied there from a file, and back to another file, and is the same', async () => {
    const [from, back] = [join(folder, 'from.db'), join(folder, 'back.db')]
    await using repo = await open(from)
    for (let n = 0; n < 20; n++) {
      await repo.as(`agent/${n % 3}`).set(`/k${n % 4}`, { n, text: 'x'.repeat(300) }, `Step ${n}`)
    }
    expect(await copyStore(from, backendOn('copied'))).toMatchObject({ entries: 21, copied: 21 })
    await repo.set('/later', 1, 'Later')
    expect(await copyStore(from, backendOn('copied'))).toMatchObject({ entries: 22, copied: 1 })
    expect(await copyStore(backendOn('copied'), back)).toMatchObject({ entries: 22, copied: 22 })
    for (const store of [backendOn('copied'), back]) {
      await using copy = await open(store)
      expect([await copy.log(), await copy.blameTree('/')]).toEqual([await repo.log(), await repo.blameTree('/')])
    }
    await expect(copyStore(`${server.address()}x`, back)).rejects.toMatchObject({ code: 'postgres-failed' })
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
})
