/**
 * PostgreSQL where a test asks for memory, so that suites written for memory run on it: vitest.config.ts puts this in the place of the
 * memory backend when `ASG_TEST_STORE` is `postgres` or `pglite`.
 *
 * Each backend is a schema of its own. The clock of the server is left out, because suites have one of their own.
 */
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { type PostgresPool, postgres } from '../../../../src/backends/postgres/index.ts'
import type { Backend } from '../../../../src/store/contract/backend.ts'
import { sharedPostgres } from '../../../processes/postgres-server.ts'
import { wrapped } from '../../../store/support/wrapped-backend.ts'
import { pglitePool } from './pglite-pool.ts'

const isEmbedded = process.env['ASG_TEST_STORE'] === 'pglite'
let schemas = 0
let started: Promise<PostgresPool> | undefined

async function start(): Promise<PostgresPool> {
  if (isEmbedded) return pglitePool(await PGlite.create())
  const server = await sharedPostgres()
  const pool = new pg.Pool({ connectionString: server.address(), max: 20, allowExitOnIdle: true })
  pool.on('error', () => {})
  return pool
}

const pool: PostgresPool = {
  async connect() {
    started ??= start()
    return (await started).connect()
  },
}

export function memoryBackend(): Backend {
  const backend = postgres(pool, { schema: `memory ${schemas++}`, shared: !isEmbedded, pollMs: 20 })
  return wrapped(backend, ({ now: _, ...log }) => log)
}
