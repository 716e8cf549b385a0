/**
 * The tables of a SQLite store, and how a file is recognised as one.
 *
 * | table | holds |
 * |---|---|
 * | `namespaces` | a number for each name, and how far its commit ids are indexed |
 * | `entries` | the journals; `id` = namespace · 2^36 + seq, so the entries of a namespace are adjacent and in order |
 * | `parts` | the parts of packs after the first |
 * | `refs`, `keys` | where refs point; which entry an idempotency key wrote |
 * | `ids` | derived: the first 48 bits of commit ids, for `find` |
 * | `terms`, `counts` | derived: which entries of a block have a term; how often a name occurred; up to `searched` |
 * | `hashes` | derived: hashes of the Merkle tree by level and index, up to `hashed` |
 *
 * `part` is the last column, so that reading the others never reads its overflow pages; `later` is the first node of the
 * second part, so that one row tells which part has a node. This file runs nothing but the schema.
 */
import { backendError } from '../errors.ts'
import type { SqliteDatabase } from './module.ts'

/** The layout that this version reads and writes. */
export const sqliteFormat = 2

/** "ASGs" in ASCII, in the header of every store. */
export const applicationId = 0x41534773

/** The range of entry ids of one namespace. Larger ids would not be exact as numbers. */
export const namespaceSpan: number = 2 ** 36
export const maxNamespaces: number = 2 ** 17 - 1

/** How many digits of a commit id `ids` holds: 48 bits. */
export const indexedDigits = 12

const tables = `
CREATE TABLE namespaces (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, indexed INTEGER NOT NULL DEFAULT 0,
  searched INTEGER NOT NULL DEFAULT 0, hashed INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  leaf TEXT NOT NULL,
  time INTEGER NOT NULL,
  text TEXT NOT NULL,
  commit_id TEXT,
  commit_text TEXT,
  later INTEGER,
  part BLOB
) STRICT;
CREATE TABLE parts (entry INTEGER NOT NULL, first INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX parts_by_entry ON parts (entry, first);
CREATE TABLE refs (
  namespace INTEGER NOT NULL, name BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (namespace, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE keys (
  namespace INTEGER NOT NULL, key BLOB NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE ids (
  namespace INTEGER NOT NULL, prefix INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (namespace, prefix, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE terms (
  namespace INTEGER NOT NULL, block INTEGER NOT NULL, term BLOB NOT NULL, places BLOB NOT NULL,
  PRIMARY KEY (namespace, block, term)
) STRICT, WITHOUT ROWID;
CREATE TABLE counts (
  namespace INTEGER NOT NULL, family BLOB NOT NULL, name BLOB NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (namespace, family, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE hashes (
  namespace INTEGER NOT NULL, level INTEGER NOT NULL, place INTEGER NOT NULL, hash BLOB NOT NULL,
  PRIMARY KEY (namespace, level, place)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${sqliteFormat};
`

/** Whether the file is a store; false for an empty file. Throws for any other file. */
export function isStore(database: SqliteDatabase, file: string): boolean {
  const application = pragma(database, 'application_id')
  const format = pragma(database, 'user_version')
  if (application === applicationId) {
    if (format !== sqliteFormat) {
      throw backendError('format-unsupported', { file, found: format, supported: sqliteFormat })
    }
    return true
  }
  const { tables: count } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number }
  if (application !== 0 || format !== 0 || count > 0) {
    throw backendError('not-a-store', { file, found: 'a SQLite database of another application' })
  }
  return false
}

/** Creates the tables in an empty file. Of two processes that do the same, the second finds them made. */
export function createStore(database: SqliteDatabase, file: string): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    if (!isStore(database, file)) database.exec(tables)
    database.exec('COMMIT')
  } catch (e) {
    database.exec('ROLLBACK')
    throw e
  }
}

/** Reads a pragma that has a number. */
function pragma(database: SqliteDatabase, name: string): number {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[0] ?? 0
}
