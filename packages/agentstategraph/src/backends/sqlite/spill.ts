/** Tables of a scratch in a temporary database: a file without a name, which is gone when its connection ends. */

import { deserialize, serialize } from 'node:v8'
import type { ScratchId, ScratchIds, ScratchRows, Spill } from '../../store/contract/scratch.ts'
import { loadSqliteDriver } from './driver.ts'
import type { SqliteDatabase } from './module.ts'

/** Nothing is kept over a crash, so nothing is synced, and one transaction takes all. */
const settings = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -8192;
BEGIN;
`

export function openSpill(): Spill {
  const { DatabaseSync } = loadSqliteDriver()
  const database = new DatabaseSync('')
  database.exec(settings)
  let made = 0
  return {
    ids: () => idsIn(database, `ids${made++}`),
    rows: <T>() => rowsIn<T>(database, `rows${made++}`),
    close: () => database.close(),
  }
}

function idsIn(database: SqliteDatabase, table: string): ScratchIds {
  database.exec(`CREATE TABLE ${table} (id TEXT, number REAL, PRIMARY KEY (id, number)) WITHOUT ROWID`)
  const add = database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?, ?)`)
  const largest = database.prepare(`SELECT max(number) AS number FROM ${table} WHERE id = ?`)
  const range = database.prepare(
    `SELECT id, number FROM ${table} WHERE id >= ?1 AND id < ?1 || char(0x10ffff) ORDER BY number LIMIT ?2`,
  )
  return {
    add: (id, number) => void add.run(id, number),
    find: id => (largest.get(id) as { number: number | null }).number ?? undefined,
    startingWith: (prefix, limit) => range.all(prefix, limit) as ScratchId[],
  }
}

function rowsIn<T>(database: SqliteDatabase, table: string): Pick<ScratchRows<T>, 'add' | 'at'> {
  database.exec(`CREATE TABLE ${table} (at INTEGER PRIMARY KEY, row BLOB)`)
  const add = database.prepare(`INSERT INTO ${table} VALUES (?, ?)`)
  const get = database.prepare(`SELECT row FROM ${table} WHERE at = ?`)
  let count = 0
  return {
    add: row => void add.run(count++, serialize(row)),
    at: index => deserialize((get.get(index) as { row: Uint8Array }).row) as T,
  }
}
