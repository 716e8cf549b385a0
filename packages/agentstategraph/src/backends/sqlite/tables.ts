/**
 * The tables of a SQLite store, and how a file is recognised as one.
 *
 * | table | holds |
 * |---|---|
 * | `namespaces` | a number for each name |
 * | `entries` | the journals; `id` = namespace · 2^36 + seq, so the entries of a namespace are adjacent and in order |
 * | `parts` | the parts of packs after the first |
 * | `refs` | derived: where refs point, and which entry is the newest |
 * | `keys` | derived: which entry an idempotency key wrote |
 * | `ids` | derived: the first 48 bits of commit ids, for `find` |
 * | `terms`, `counts` | derived: which entries of a block have a term; how often a name occurred |
 * | `hashes` | derived: hashes of the Merkle tree by level and index |
 *
 * `refs` and `keys` belong to an append; the others are built after it, each up to a mark that it holds itself. `checksum`
 * covers the cells of its row that no hash covers; docs/format.md says how.
 *
 * `part` is the last column, so that reading the others never reads its overflow pages; `later` is the first node of the
 * second part, so that one row tells which part has a node. This file runs nothing but the schema.
 *
 * Whoever changes a table raises `sqliteFormat`: an older library then refuses the file, also one that has it open.
 */
import { backendError } from '../errors.ts'
import type { NamedTable } from './cells/row-form.ts'
import type { SqliteDatabase } from './module.ts'

/** The format that this version reads and writes. */
export const sqliteFormat = 2

/** "ASGs" in ASCII, in the header of every store. */
export const applicationId = 0x41534773

/** The range of entry ids of one namespace. Larger ids would not be exact as numbers. */
export const namespaceSpan: number = 2 ** 36
export const maxNamespaces: number = 2 ** 17 - 1

/** How many digits of a commit id `ids` holds: 48 bits. */
export const indexedDigits = 12

/** The text that makes each table, as SQLite keeps it. */
type Tables = Readonly<Record<string, string>>

/** A table of names with a number each; cells/named-values.ts says what checksum and second index are for. */
function namedTable(name: NamedTable): Tables {
  return {
    [name]: `
CREATE TABLE ${name} (
  namespace INTEGER NOT NULL, name BLOB NOT NULL, value INTEGER NOT NULL, checksum INTEGER NOT NULL,
  PRIMARY KEY (namespace, name)
) STRICT, WITHOUT ROWID`,
    [`${name}_again`]: `
CREATE UNIQUE INDEX ${name}_again ON ${name} (namespace, name)`,
  }
}

const journalTables: Tables = {
  namespaces: `
CREATE TABLE namespaces (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT`,
  entries: `
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  leaf TEXT NOT NULL,
  time INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  commit_id TEXT,
  later INTEGER,
  text TEXT NOT NULL,
  commit_text TEXT,
  part BLOB
) STRICT`,
  parts: `
CREATE TABLE parts (entry INTEGER NOT NULL, first INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT`,
  parts_by_entry: `
CREATE UNIQUE INDEX parts_by_entry ON parts (entry, first)`,
  ...namedTable('refs'),
  ...namedTable('keys'),
}

/** The tables that are built after appends. Those of one group hold one mark together. */
const derivedTables: readonly Tables[] = [
  namedTable('ids'),
  {
    terms: `
CREATE TABLE terms (
  namespace INTEGER NOT NULL, block INTEGER NOT NULL, term BLOB NOT NULL, places BLOB NOT NULL,
  checksum INTEGER NOT NULL, PRIMARY KEY (namespace, block, term)
) STRICT, WITHOUT ROWID`,
    terms_again: `
CREATE UNIQUE INDEX terms_again ON terms (namespace, block, term)`,
    ...namedTable('counts'),
  },
  {
    hashes: `
CREATE TABLE hashes (
  namespace INTEGER NOT NULL, level INTEGER NOT NULL, place INTEGER NOT NULL, hash BLOB NOT NULL,
  checksum INTEGER NOT NULL, PRIMARY KEY (namespace, level, place)
) STRICT, WITHOUT ROWID`,
  },
]

/** Makes what the file lacks of a store. Of two processes that do the same, the second finds it made. */
export function makeStore(database: SqliteDatabase, file: string): void {
  if (missingIn(database, file).length === 0) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const sql of missingIn(database, file)) database.exec(sql)
    database.exec('COMMIT')
  } catch (e) {
    database.exec('ROLLBACK')
    throw e
  }
}

/**
 * The statements that make the file a whole store: all of them for an empty file, and for a store those of the derived
 * tables that it lacks. Throws for any other file, and for a store in another format.
 */
export function missingIn(database: SqliteDatabase, file: string): readonly string[] {
  const rows = database.prepare('SELECT name, sql FROM store.sqlite_schema').all() as {
    name: string
    sql: string | null
  }[]
  const [application, format] = [pragma(database, 'application_id'), formatOf(database)]
  if (application === 0 && format === 0 && rows.length === 0) return wholeStore()
  if (application !== applicationId) {
    throw backendError('not-a-store', { file, found: 'a SQLite database of another application' })
  }
  if (format !== sqliteFormat) throw formatError(file, format)
  const found = new Map(rows.map(({ name, sql }) => [name, sql ?? '']))
  assertTables(file, journalTables, found)
  return derivedTables.flatMap(tables => {
    const names = Object.keys(tables)
    if (names.every(name => found.has(name))) {
      assertTables(file, tables, found)
      return []
    }
    const dropped = names.map(name => `DROP TABLE IF EXISTS store.${name}`)
    return [...dropped, ...creationOf(tables)]
  })
}

function wholeStore(): readonly string[] {
  return [
    ...creationOf(journalTables),
    ...derivedTables.flatMap(creationOf),
    `PRAGMA store.application_id = ${applicationId}`,
    `PRAGMA store.user_version = ${sqliteFormat}`,
  ]
}

/** The file is attached as `store`; SQLite keeps the text without that name. */
function creationOf(tables: Tables): string[] {
  return Object.entries(tables).map(([name, sql]) => sql.replace(` ${name} `, ` store.${name} `))
}

/** Texts that differ in more than spaces are different layouts. */
function assertTables(file: string, tables: Tables, found: ReadonlyMap<string, string>): void {
  const inOneLine = (sql: string): string => sql.replace(/\s+/g, ' ').trim()
  for (const [table, sql] of Object.entries(tables)) {
    const kept = found.get(table)
    if (kept !== undefined && inOneLine(kept) === inOneLine(sql)) continue
    throw formatError(file, sqliteFormat, table)
  }
}

/** The format of the file as it is now. */
export function formatOf(database: SqliteDatabase): number {
  return pragma(database, 'user_version')
}

export function formatError(file: string, found: number, table?: string): Error {
  const data = { file, found, supported: sqliteFormat }
  return backendError('format-unsupported', table === undefined ? data : { ...data, table })
}

/** Reads a pragma that has a number. */
function pragma(database: SqliteDatabase, name: string): number {
  return Object.values(database.prepare(`PRAGMA store.${name}`).get() as Record<string, number>)[0] ?? 0
}
