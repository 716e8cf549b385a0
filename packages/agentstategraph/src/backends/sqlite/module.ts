/**
 * The interface of a SQLite driver: the part of `node:sqlite` that a store needs. driver.ts loads and checks drivers.
 */

export type SqlValue = null | number | string | Uint8Array

/** The part of `StatementSync` that a store needs. */
export interface SqliteStatement {
  run(...values: SqlValue[]): unknown
  get(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
  /** Makes rows lists of their values. Older versions of `node:sqlite` lack it. */
  setReturnArrays?(isOn: boolean): void
}

/** The part of `DatabaseSync` that a store needs. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
}

/** A module with `DatabaseSync`, as `node:sqlite`. */
export interface SqliteModule {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase
}
