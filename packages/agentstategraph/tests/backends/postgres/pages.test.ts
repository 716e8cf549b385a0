/** What docs/postgres.md and docs/scale.md show is done: accounts, partitions, programs, TLS. Recovery has a file of its own. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listBlocks } from '../../../../../scripts/pages/page-blocks.mjs'
import { postgres } from '../../../src/backends/postgres/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { open } from '../../../src/repository/index.ts'
import { root } from '../../architecture/support/source-file.ts'
import { runBlocks } from '../../docs/support/run-blocks.ts'
import {
  account,
  hasPostgres,
  type PostgresServer,
  sharedPostgres,
  startPostgres,
} from '../../processes/postgres-server.ts'

const blocksOf = (page: string, language: string) =>
  listBlocks(page, readFileSync(root + page, 'utf8')).filter(block => block.language === language)

describe.skipIf(!hasPostgres())('pages (skipped without an installed postgresql)', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await sharedPostgres()
  })

  async function run(address: string, text: string): Promise<readonly unknown[][]> {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      let rows: readonly unknown[][] = []
      // One by one, because VACUUM is in no transaction.
      for (const one of text.split(/;\n/).filter(Boolean))
        rows = (await client.query({ text: one, rowMode: 'array' })).rows
      return rows
    } finally {
      await client.end()
    }
  }

  it('with accounts of the least rights and partitioned tables, the programs run and print what the pages say', async () => {
    await run(server.address(), 'CREATE DATABASE scaled;\nCREATE DATABASE app')
    const [accounts, partitions, vacuum] = blocksOf('docs/scale.md', 'sql').map(({ code }) => code)
    await run(server.address('scaled'), accounts!)
    const owner = server.address('scaled', 'asg_owner')
    await (await open(owner)).close()
    await run(owner, partitions!)
    const programs = [
      ...blocksOf('docs/postgres.md', 'typescript').map(block => ({ ...block, address: server.address('app') })),
      ...blocksOf('docs/scale.md', 'typescript').map(block => ({
        ...block,
        address: server.address('scaled', 'asg_writer'),
      })),
    ]
    expect(programs.length).toBeGreaterThan(4)
    const outcomes = await runBlocks(
      root,
      programs.map(({ code, address }) => ({
        language: 'ts',
        code: code.replaceAll('postgres://localhost:5432/app', address),
      })),
    )
    expect(outcomes.map(({ failure }) => failure)).toEqual(programs.map(() => undefined))
    expect(outcomes.map(({ printed }) => printed)).toEqual(programs.map(({ printed }) => printed ?? ''))
    expect((await run(owner, vacuum!)).length).toBeGreaterThan(10)
    const reading = server.address('scaled', 'asg_reader')
    await using repo = await open(reading, { readOnly: true })
    expect(await repo.get('/counter')).toBe(4)
    expect((await verify(repo)).damage).toEqual([])
    await expect(open(reading)).rejects.toMatchObject({ code: 'postgres-refused' })
  })

  it('the first column of every primary key is the namespace', async () => {
    await using backend = postgres(server.address(), { schema: 'keyed' })
    await backend.namespaces()
    const rows = await run(
      server.address(),
      `SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE c.relnamespace = 'keyed'::regnamespace ORDER BY 1, 2`,
    )
    const [format, ...others] = rows
      .filter(([table]) => table === 'format')
      .concat(rows.filter(([t]) => t !== 'format'))
    expect(format).toEqual(['format', 'only_row'])
    expect(new Set(others.map(([, column]) => column))).toEqual(new Set(['namespace']))
    expect(new Set(others.map(([table]) => table)).size).toBe(10)
  })

  it('TLS is used when the address asks for it, and a certificate of another authority is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asg-tls-'))
    const [certificate, key, foreign] = ['own.pem', 'own.key', 'foreign.pem'].map(name => join(folder, name))
    for (const [cert, secret] of [
      [certificate!, key!],
      [foreign!, join(folder, 'foreign.key')],
    ]) {
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
      const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
      spawnSync('openssl', [...made, ...subject, '-keyout', secret!, '-out', cert!])
    }
    chmodSync(key!, 0o600)
    const owner = account()
    if (owner !== undefined) chownSync(key!, owner.uid, owner.gid)
    const port = `${20_000 + (process.pid % 20_000)}`
    const tls = await startPostgres(folder, {
      ssl: 'on',
      ssl_cert_file: certificate!,
      ssl_key_file: key!,
      listen_addresses: '127.0.0.1',
      port,
    })
    onTestFinished(() => tls.kill())
    const address = (authority: string): string =>
      `postgres://postgres@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${authority}`
    await using repo = await open(address(certificate!))
    await repo.set('/a', 1, 'First')
    const local = `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${port}`
    const remote = `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_addr IS NOT NULL`
    expect(await run(local, remote)).toEqual([[true]])
    await expect(open(address(foreign!))).rejects.toMatchObject({
      code: 'postgres-refused',
      hint: expect.stringMatching(/sslrootcert/),
    })
  })
})
