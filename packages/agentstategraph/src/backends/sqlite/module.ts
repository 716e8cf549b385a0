/**
 * The one interface of SQLite drivers: as much of `node:sqlite` as a store needs.
 *
 * Whoever has these three can be a driver; nothing here loads or checks one.
 */

export type SqlValue = null | number | string | Uint8Array

/** As much of `StatementSync` as a store needs. */
export interface SqliteStatement {
  run(...values: SqlValue[]): unknown
  get(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
  /** Makes rows lists of their values. Younger than the rest of the interface. */
  setReturnArrays?(isOn: boolean): void
}

/** As much of `DatabaseSync` as a store needs. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
}

/** A module that offers `DatabaseSync`, as `node:sqlite` does. */
export interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteDatabase
}
