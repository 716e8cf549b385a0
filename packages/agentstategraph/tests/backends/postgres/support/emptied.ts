/**
 * A place for the next test: the tables of a schema, made once and emptied for each. Making them takes most of the time of a
 * small test.
 */

import type { PostgresPool } from '../../../../src/backends/postgres/connection.ts'
import { postgres } from '../../../../src/backends/postgres/index.ts'
import { tablesIn } from '../../../../src/backends/postgres/tables.ts'

/** Empties a schema, or makes it. */
export async function emptied(pool: PostgresPool, schema: string): Promise<void> {
  await postgres(pool, { schema, shared: false }).namespaces()
  const { format: _, ...tables } = tablesIn(schema)
  const connection = await pool.connect()
  const text = Object.values(tables).map(table => `DELETE FROM ${table}`)
  await connection.query({ text: text.join(';'), rowMode: 'array' })
  connection.release()
}
