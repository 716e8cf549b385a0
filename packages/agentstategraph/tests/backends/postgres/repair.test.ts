/** `repair` makes again what a PostgreSQL store keeps beside the entries, and tells what was wrong; `verify` saw it before. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresOptions, postgres } from '../../../src/backends/postgres/index.ts'
import { repair, verify } from '../../../src/maintenance/index.ts'
import { open } from '../../../src/repository/index.ts'
import type { Backend } from '../../../src/store/index.ts'
import { answersOf, writeHistory } from '../../maintenance/support/questions.ts'
import { hasPostgres, type PostgresServer, sharedPostgres } from '../../processes/postgres-server.ts'

const commits = 40

describe.skipIf(!hasPostgres())('postgres (skipped without an installed postgresql)', () => {
  let server: PostgresServer
  let pool: pg.Pool
  let schemas = 0

  beforeAll(async () => {
    server = await sharedPostgres()
    pool = new pg.Pool({ connectionString: server.address() })
    pool.on('error', () => {})
  })
  afterAll(() => pool.end())

  const backendOn = (schema: string, options: PostgresOptions = {}): Backend => postgres(pool, { schema, ...options })

  it.each([
    ['a ref that leads elsewhere', "UPDATE refs SET seq = 5 WHERE name = 'branch/main'", ['ref branch/main: 5']],
    ['a ref that is gone', "DELETE FROM refs WHERE name = 'branch/aside'", ['ref branch/aside: null']],
    [
      'a ref with another name',
      "UPDATE refs SET name = 'branch/asidf' WHERE name = 'branch/aside'",
      ['ref branch/aside: null', 'ref branch/asidf: seq'],
    ],
    ['all keys', 'UPDATE keys SET seq = seq - 1', undefined],
    ['a count', 'UPDATE counts SET count = count + 1', []],
    ['a term', "UPDATE terms SET places = decode('00', 'hex')", []],
    ['the bytes of the packs', 'UPDATE heads SET pack_bytes = pack_bytes + 7', []],
  ])('%s is found by verify and made again', async (_, sql, wrong) => {
    const schema = `repaired ${schemas++}`
    await writeHistory(backendOn(schema), commits)
    const right = await answersOf(() => backendOn(schema))
    const client = await pool.connect()
    await client.query(`SET search_path TO "${schema}"; ${sql}; RESET search_path`)
    client.release()
    await using repo = await open(backendOn(schema))
    expect((await verify(repo)).ok).toBe(false)
    const { changed } = await repair(repo)
    if (wrong === undefined) expect(changed.length).toBe(Math.floor(commits / 3))
    else {
      const said = changed.map(({ kind, name, from, to }) => `${kind} ${name}: ${to === null ? 'seq' : from}`)
      expect(said.toSorted()).toEqual(wrong)
    }
    expect((await verify(repo)).damage).toEqual([])
    expect((await repair(repo)).changed).toEqual([])
    expect(await answersOf(() => backendOn(schema))).toEqual(right)
  })

  it('beside writers: nothing that they were told is lost', async () => {
    const schema = `repaired ${schemas++}`
    await using repo = await open(backendOn(schema))
    await repo.set('/n', 0, 'Begin')
    await using other = await open(backendOn(schema))
    const writes = Promise.all(Array.from({ length: 30 }, (_, n) => other.set(`/k${n}`, n, 'Write')))
    for (let n = 0; n < 3; n++) expect((await repair(repo)).changed).toEqual([])
    await writes
    expect((await verify(repo)).damage).toEqual([])
    expect((await repo.log({ limit: 50 })).length).toBe(31)
  })
})
