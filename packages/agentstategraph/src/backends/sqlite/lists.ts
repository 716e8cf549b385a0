/**
 * A statement whose rows are lists of values in the order of the columns.
 *
 * Where thousands of rows are read, an object with names for each of them takes longer than finding them. Drivers that
 * cannot give lists give objects, of which the lists are made.
 */
import type { SqliteDatabase, SqlValue } from './module.ts'

/** Prepares a statement that gives all its rows as lists. */
export function preparedLists(
  database: SqliteDatabase,
  sql: string,
): (...values: SqlValue[]) => readonly (readonly unknown[])[] {
  const statement = database.prepare(sql)
  if (statement.setReturnArrays === undefined)
    return (...values) => statement.all(...values).map(row => Object.values(row as object))
  statement.setReturnArrays(true)
  return (...values) => statement.all(...values) as unknown[][]
}
