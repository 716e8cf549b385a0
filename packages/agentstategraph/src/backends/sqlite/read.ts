/**
 * Reads a SQLite store: entries, parts, refs and the newest entry.
 *
 * Every statement looks up its namespace by name, in the same snapshot as what it reads, so that a namespace which another
 * process dropped and made again is not confused with the old one. find.ts finds commits by id.
 */
import type { Column, Head, PartPointer, RefCell, StoredEntry, StoredPart } from '../../store/contract/backend.ts'
import type { SqliteDatabase, SqlValue } from './module.ts'
import { endOfPrefix, nameBytes, nameOf } from './namespace-table.ts'
import { namespaceSpan } from './tables.ts'

export interface SqliteReads {
  entries(namespace: string, from: number, to: number, columns: readonly Column[]): readonly StoredEntry[]
  parts(namespace: string, pointers: readonly PartPointer[]): readonly (StoredPart | undefined)[]
  ref(namespace: string, name: string): number | null
  key(namespace: string, key: string): number | null
  refs(namespace: string, prefix: string): readonly RefCell[]
  head(namespace: string): Head
  packBytes(namespace: string, from: number, to: number): number
  namespaces(): readonly string[]
}

const namespaceId = '(SELECT id FROM namespaces WHERE name = ?1)'
const base = `${namespaceId} * ${namespaceSpan}`

/**
 * Drivers refuse to read some damaged integers. Read as a REAL, the number arrives and is found to be wrong. The alias hides
 * the column, so a condition that uses an index must qualify the column with its table.
 */
function exact(column: string): string {
  return `CAST(${column} AS REAL) AS ${column}`
}

/** Prepares the statements of reading. */
export function sqliteReads(database: SqliteDatabase): SqliteReads {
  const part = database.prepare(`
    SELECT later IS NULL AS isWhole, CASE WHEN later IS NULL OR ?3 < later THEN part END AS part FROM entries WHERE id = ${base} + ?2`)
  const laterPart = database.prepare(`
    SELECT ${exact('first')}, bytes FROM parts WHERE entry = ${base} + ?2 AND parts.first <= ?3
    ORDER BY parts.first DESC LIMIT 1`)
  const ref = database.prepare(`SELECT seq FROM refs WHERE namespace = ${namespaceId} AND name = ?2`)
  const key = database.prepare(`SELECT seq FROM keys WHERE namespace = ${namespaceId} AND key = ?2`)
  const refs = preparedLists(
    database,
    `SELECT name, seq FROM refs WHERE namespace = ${namespaceId} AND name >= ?2 AND name < ?3`,
  )
  const head = database.prepare(`
    SELECT id & ${namespaceSpan - 1} AS seq, ${exact('time')} FROM entries
    WHERE id BETWEEN ${base} AND ${base} + ${namespaceSpan - 1} ORDER BY id DESC LIMIT 1`)
  // The length of a blob is known without its overflow pages.
  const packBytes = database.prepare(`
    SELECT total(length(part)) + (SELECT total(length(bytes)) FROM parts
      WHERE entry BETWEEN ${base} + ?2 AND ${base} + ?3) AS bytes
    FROM entries WHERE id BETWEEN ${base} + ?2 AND ${base} + ?3`)
  const names = database.prepare('SELECT name FROM namespaces')
  const entriesWith = entriesStatements(database)

  return {
    entries(namespace, from, to, columns) {
      const name = nameBytes(namespace)
      const [first, last] = [Math.max(from, 1), Math.min(to, namespaceSpan - 1)]
      const { one, range } = entriesWith(columns)
      return (first === last ? one(name, first) : range(name, first, last)).map(row => entryOf(row as EntryRow))
    },
    parts(namespace, pointers) {
      const name = nameBytes(namespace)
      return pointers.map(({ seq, index }) => {
        if (seq < 1 || seq >= namespaceSpan) return undefined
        const row = part.get(name, seq, index) as { isWhole: number; part: Uint8Array | null } | undefined
        if (row === undefined) return undefined
        if (row.part !== null) return { seq, first: 0, bytes: row.part }
        if (row.isWhole === 1) return undefined
        const later = laterPart.get(name, seq, index) as { first: number; bytes: Uint8Array } | undefined
        return later && { seq, first: later.first, bytes: later.bytes }
      })
    },
    key: (namespace, name) =>
      (key.get(nameBytes(namespace), nameBytes(name)) as { seq: number } | undefined)?.seq ?? null,
    ref: (namespace, name) =>
      (ref.get(nameBytes(namespace), nameBytes(name)) as { seq: number } | undefined)?.seq ?? null,
    refs(namespace, prefix) {
      const rows = refs(nameBytes(namespace), nameBytes(prefix), endOfPrefix(prefix)) as [Uint8Array, number][]
      return rows.map(([name, seq]) => ({ name: nameOf(name), seq })).sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    head: namespace => {
      const row = head.get(nameBytes(namespace)) as Head | undefined
      return { seq: row?.seq ?? 0, time: row?.time ?? 0 }
    },
    packBytes(namespace, from, to) {
      const [first, last] = [Math.max(from, 1), Math.min(to, namespaceSpan - 1)]
      return (packBytes.get(nameBytes(namespace), first, last) as { bytes: number | null }).bytes ?? 0
    },
    namespaces: () => (names.all() as { name: Uint8Array }[]).map(({ name }) => nameOf(name)).sort(),
  }
}

type EntryRow = readonly [
  seq: number,
  leaf: string,
  time: number,
  text: string,
  commitId: string | null,
  commitText: string | null,
  part: Uint8Array | null,
]

interface EntryStatements {
  /** Most reads are of one entry, which needs no range. */
  readonly one: (name: Uint8Array, seq: number) => readonly (readonly unknown[])[]
  readonly range: (name: Uint8Array, first: number, last: number) => readonly (readonly unknown[])[]
}

/** The statements for each set of columns, prepared on first use. */
function entriesStatements(database: SqliteDatabase): (columns: readonly Column[]) => EntryStatements {
  const prepared = new Map<string, EntryStatements>()
  return columns => {
    const text = columns.includes('text') ? 'text' : "'' AS text"
    const commit = columns.includes('commit') ? 'commit_id, commit_text' : 'NULL AS commit_id, NULL AS commit_text'
    const part = columns.includes('part') ? 'part' : 'NULL AS part'
    const list = `${text}, ${commit}, ${part}`
    const found = prepared.get(list)
    if (found !== undefined) return found
    const select = `SELECT id & ${namespaceSpan - 1} AS seq, leaf, ${exact('time')}, ${list} FROM entries`
    const statements = {
      one: preparedLists(database, `${select} WHERE id = ${base} + ?2`),
      range: preparedLists(database, `${select} WHERE id BETWEEN ${base} + ?2 AND ${base} + ?3 ORDER BY id`),
    }
    prepared.set(list, statements)
    return statements
  }
}

function entryOf([seq, leaf, time, text, id, commitText, part]: EntryRow): StoredEntry {
  const commit = id === null || commitText === null ? undefined : { id, text: commitText }
  return { seq, leaf, time, text, commit, part: part ?? undefined }
}

/**
 * Prepares a statement whose rows are lists of values in the order of the columns. For thousands of rows, making an object
 * of each takes longer than finding them. For a driver that returns only objects, the lists are made from those.
 */
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
