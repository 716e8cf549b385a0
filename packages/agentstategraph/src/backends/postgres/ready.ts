/**
 * Looks at a server before it is used: its version, whether it takes writes, and the tables, which are made when they are missing.
 */
import { backendError } from '../errors.ts'
import type { Row } from './connection.ts'
import { isMadeMeanwhile, isTableMissing } from './failures.ts'
import { assertFormat, creationOf, oldestServer, type Tables } from './tables.ts'

export interface Target {
  readonly schema: string
  readonly tables: Tables
  readonly place: string
  readonly readOnly: boolean
}

/** One process makes the tables; the others lose a race a few times at most. */
const maxTries = 20

/** Throws when the server cannot hold the store. */
export async function makeReady(run: (text: string) => Promise<readonly Row[]>, target: Target): Promise<void> {
  const { schema, tables, place, readOnly } = target
  const [server] = await run(`SELECT current_setting('server_version_num')::int / 10000, pg_is_in_recovery()`)
  const [version, isReplica] = server as [number, boolean]
  if (version < oldestServer) {
    const remedy = `Use PostgreSQL ${oldestServer} or later.`
    throw backendError('postgres-refused', { place, reason: `the server has version ${version}`, remedy })
  }
  for (let tries = 1; ; tries++) {
    try {
      const [row] = await run(`SELECT version FROM ${tables.format}`)
      if (row === undefined) throw backendError('not-a-store', { file: place, found: `a schema without a format` })
      assertFormat(place, Number(row[0]))
      break
    } catch (error) {
      if (!isTableMissing(error)) throw error
      if (readOnly) throw backendError('store-missing', { file: `${place} (schema ${schema})` })
    }
    assertWritable(isReplica, place)
    try {
      const named = `nspname = '${schema.replaceAll("'", "''")}'`
      const [there] = await run(`SELECT 1 FROM pg_namespace WHERE ${named}`)
      await run(creationOf(schema, tables, there !== undefined))
    } catch (error) {
      await run('ROLLBACK')
      if (!isMadeMeanwhile(error) || tries === maxTries) throw error
    }
  }
  if (readOnly) return
  assertWritable(isReplica, place)
  await assertRights(run, target)
}

function assertWritable(isReplica: boolean, place: string): void {
  if (!isReplica) return
  const remedy = 'Name the primary server, or open it with readOnly.'
  throw backendError('postgres-refused', { place, reason: 'the server is a replica, which takes no writes', remedy })
}

/** What an append does with each table. */
async function assertRights(run: (text: string) => Promise<readonly Row[]>, { tables, place }: Target): Promise<void> {
  const needed = [
    [tables.entries, 'INSERT'],
    [tables.heads, 'UPDATE'],
    [tables.refs, 'DELETE'],
    [tables.writers, 'INSERT'],
  ] as const
  const tests = needed.map(([table, right]) => `has_table_privilege('${table.replaceAll("'", "''")}', '${right}')`)
  const [row] = await run(`SELECT ${tests.join(', ')}`)
  const missing = needed.find((_, i) => row![i] !== true)
  if (missing === undefined) return
  const reason = `the account has no right to ${missing[1]} in the table ${missing[0]}`
  const remedy = 'Grant the account the rights that docs/postgres.md lists, or open it with readOnly.'
  throw backendError('postgres-refused', { place, reason, remedy })
}
