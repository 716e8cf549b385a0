/** What cannot work on a PostgreSQL server is said when it is opened, in words that tell what to do, and changes nothing. */
import { inspect } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type PostgresOptions, type PostgresPool, postgres } from '../../../src/backends/postgres/index.ts'
import { open } from '../../../src/repository/index.ts'
import type { Backend } from '../../../src/store/contract/backend.ts'
import { hasPostgres, type PostgresServer, sharedPostgres } from '../../processes/postgres-server.ts'

describe.skipIf(!hasPostgres())('postgres (skipped without an installed postgresql)', () => {
  let server: PostgresServer
  let pool: pg.Pool
  let schemas = 0
  const newSchema = (): string => `refused "${schemas++}`
  const backendOn = (schema: string, options: PostgresOptions = {}): Backend => postgres(pool, { schema, ...options })

  beforeAll(async () => {
    server = await sharedPostgres()
    pool = new pg.Pool({ connectionString: server.address() })
  })
  afterAll(() => pool.end())

  async function refusedOn(store: Backend | string): Promise<unknown> {
    return open(store).then(
      repo => repo.close(),
      (error: unknown) => error,
    )
  }

  it('a password that is wrong or missing, without showing it', async () => {
    await pool.query("CREATE ROLE guarded LOGIN PASSWORD 'right'")
    const address = server.address().replace('postgres@', 'guarded:wr0ng@')
    const error = await refusedOn(address)
    expect(error).toMatchObject({ code: 'postgres-refused', message: expect.stringMatching(/password/) })
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('wr0ng')
    const without = server.address('postgres', 'guarded')
    expect(await refusedOn(without)).toMatchObject({
      code: 'postgres-refused',
      hint: expect.stringMatching(/password/),
    })
  })

  it('an address that is no URL, as with a password that is written as it is, at once and without showing it', async () => {
    for (const address of ['postgres://me:pass#w0rd@localhost/app', 'postgres://[localhost/app']) {
      const error = await refusedOn(address)
      expect(error).toMatchObject({ code: 'postgres-refused', hint: expect.stringMatching(/%23/) })
      expect(inspect(error, { depth: null })).not.toContain('w0rd')
    }
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

  it('tables of a newer version, also by one that has them open, which writes nothing more', async () => {
    const schema = newSchema()
    await using repo = await open(backendOn(schema))
    await repo.set('/a', 1, 'First')
    await using backend = backendOn(schema)
    const log = backend.namespace('default')
    const checked = await log.check(undefined)
    const newest = checked.kind === 'same' ? checked.newest! : expect.fail()
    const quoted = `"${schema.replaceAll('"', '""')}"`
    const rowsOf = async (): Promise<unknown> => {
      const counted = ['entries', 'refs', 'marks', 'writers'].map(table => `(SELECT count(*) FROM ${quoted}.${table})`)
      return (await pool.query({ text: `SELECT ${counted.join(', ')}`, rowMode: 'array' })).rows
    }
    const before = await rowsOf()
    await pool.query(`UPDATE ${quoted}.format SET version = 2`)
    const newer = { code: 'format-unsupported', data: { found: 2, supported: 1 } }
    expect(await refusedOn(backendOn(schema))).toMatchObject(newer)
    const writes: readonly (() => Promise<unknown>)[] = [
      () => repo.set('/a', 2, 'Second'),
      () => log.dropPacks([newest.seq], newest),
      () => log.upkeep!.rebuild({ newest: newest.seq, refs: [], keys: [] }),
      () => log.index!.add({ from: 0, to: newest.seq, rows: [], counts: [] }),
      () => log.index!.hashes!.add({ from: 0, to: newest.seq, hashes: [] }),
      () => log.index!.clear!(),
      () => backend.dropNamespace('default'),
    ]
    for (const write of writes) await expect(write(), `${write}`).rejects.toMatchObject(newer)
    expect(await repo.get('/a')).toBe(1)
    expect(await rowsOf()).toEqual(before)
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

  it('a schema whose name the server would cut, and make one with another, or cannot have', async () => {
    const longest = 'é'.repeat(31)
    await using repo = await open(backendOn(`${longest}1`))
    await using other = await open(backendOn(`${longest}2`))
    await repo.set('/a', 1, 'First')
    await other.set('/b', 2, 'Second')
    expect(await other.get('/')).toEqual({ b: 2 })
    for (const schema of ['', 'a\0b', `${longest}12`]) {
      expect(() => backendOn(schema)).toThrow(expect.objectContaining({ code: 'option-invalid' }))
    }
  })

  it('a server that is too old', async () => {
    // None can be had to run; a pool that gives another version is what the backend would see.
    const old: PostgresPool = {
      async connect() {
        const connection = await pool.connect()
        return {
          query({ text, values = [], rowMode }) {
            const older = text.replace("current_setting('server_version_num')", "'110022'")
            return connection.query({ text: older, values: [...values], rowMode })
          },
          release: () => connection.release(),
        }
      },
    }
    expect(await refusedOn(postgres(old, { schema: newSchema() }))).toMatchObject({
      code: 'postgres-refused',
      message: expect.stringMatching(/version 11/),
      hint: expect.stringMatching(/PostgreSQL 12 or later/),
    })
  })
})
