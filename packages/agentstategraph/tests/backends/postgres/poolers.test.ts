/** PgBouncer in transaction mode, which gives each transaction to some connection: everything works, whatever it can prepare. */
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgres } from '../../../src/backends/postgres/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { open } from '../../../src/repository/index.ts'
import { pgBouncerPrograms, startPgBouncer } from '../../processes/pgbouncer.ts'
import { hasPostgres, type PostgresServer, sharedPostgres } from '../../processes/postgres-server.ts'

const programs = hasPostgres() ? pgBouncerPrograms() : []
const kinds = programs.flatMap(program => [
  {
    title: `${program.version} without prepared statements`,
    program,
    settings: program.canPrepare ? ['max_prepared_statements = 0'] : [],
  },
  ...(program.canPrepare
    ? [{ title: `${program.version} with them`, program, settings: ['max_prepared_statements = 100'] }]
    : []),
])

it('pgbouncer is there where it must be', () => {
  // Elsewhere the tests below are missing.
  if (process.env['CI']) expect(programs.length, 'install pgbouncer: CI has to run these tests').toBeGreaterThan(0)
})

describe.each(kinds)('PgBouncer $title', ({ program, settings, title }) => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await sharedPostgres()
  })

  it('writers, readers, queries and a watcher share its connections', async () => {
    const bouncer = await startPgBouncer(program, server, settings)
    const schema = `pooled ${title}`
    const openHere = () => open(postgres(bouncer.address(), { schema, pollMs: 20 }))
    const direct = new pg.Pool({ connectionString: server.address(), max: 1 })
    onTestFinished(async () => {
      await direct.end()
      await bouncer.close()
    })
    await using watching = await openHere()
    const heard = (async () => {
      const seen: string[] = []
      for await (const event of watching.watch({ after: 0 })) {
        if (event.kind === 'commit' && seen.push(event.commit.intent.description) === 80) return seen
      }
      return []
    })()
    const repos = await Promise.all([0, 1, 2, 3].map(openHere))
    await Promise.all(
      repos.map(async (repo, w) => {
        for (let n = 0; n < 10; n++) {
          await Promise.all([0, 1].map(k => repo.set(['by', `${w}.${n}.${k}`], n, `Write ${w}.${n}.${k}`)))
          expect(await repo.get(['by', `${w}.${n}.1`])).toBe(n)
        }
      }),
    )
    const told = await heard
    const listeners = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    expect((await direct.query(listeners)).rows).toEqual([{ n: 0 }])
    expect(new Set(told).size).toBe(80)
    expect((await repos[0]!.query({ text: 'Write 3.9.1' })).length).toBe(1)
    expect((await verify(repos[1]!)).damage).toEqual([])
    await Promise.all(repos.map(repo => repo.close()))
  })
})
