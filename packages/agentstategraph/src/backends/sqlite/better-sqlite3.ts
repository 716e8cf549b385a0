/**
 * `better-sqlite3` in the shape of `node:sqlite`.
 *
 * Only where the two differ: the class is the module itself, parameters with numbers are bound by name, and an error names
 * its code where `node:sqlite` numbers it.
 */
import type { SqliteDatabase, SqliteModule, SqliteStatement, SqlValue } from './module.ts'

interface BetterStatement {
  run(...values: unknown[]): unknown
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  raw(isOn: boolean): unknown
}

interface BetterDatabase {
  exec(sql: string): unknown
  prepare(sql: string): BetterStatement
  close(): unknown
}

/** The numbers of the codes a store tells apart; an extended name begins with one of these. */
const codes: readonly (readonly [name: string, errcode: number])[] = [
  ['SQLITE_BUSY', 5],
  ['SQLITE_LOCKED', 6],
  ['SQLITE_READONLY', 8],
  ['SQLITE_IOERR', 10],
  ['SQLITE_CORRUPT', 11],
  ['SQLITE_FULL', 13],
  ['SQLITE_CANTOPEN', 14],
  ['SQLITE_NOTADB', 26],
]

/** Wraps what `require('better-sqlite3')` gives. */
export function betterSqlite3(module: unknown): SqliteModule {
  const Database = module as new (file: string) => BetterDatabase
  function DatabaseSync(file: string): SqliteDatabase {
    const database = numbered(() => new Database(file))
    return {
      exec: sql => numbered(() => database.exec(sql)),
      prepare: sql =>
        wrapped(
          numbered(() => database.prepare(sql)),
          /\?\d/.test(sql),
        ),
      close: () => database.close(),
    }
  }
  return { DatabaseSync: DatabaseSync as unknown as SqliteModule['DatabaseSync'] }
}

function wrapped(statement: BetterStatement, isByName: boolean): SqliteStatement {
  const bound = (values: SqlValue[]): unknown[] =>
    isByName ? [Object.fromEntries(values.map((value, i) => [i + 1, value]))] : values
  return {
    run: (...values) => numbered(() => statement.run(...bound(values))),
    get: (...values) => numbered(() => statement.get(...bound(values))),
    all: (...values) => numbered(() => statement.all(...bound(values))),
    setReturnArrays: isOn => void statement.raw(isOn),
  }
}

function numbered<T>(work: () => T): T {
  try {
    return work()
  } catch (e) {
    if (e instanceof Error && 'code' in e) {
      const name = String(e.code)
      const errcode = codes.find(([code]) => name.startsWith(code))?.[1]
      if (errcode !== undefined) Object.assign(e, { errcode })
      else if (name.startsWith('SQLITE_')) Object.assign(e, { errcode: 1 })
    }
    throw e
  }
}
