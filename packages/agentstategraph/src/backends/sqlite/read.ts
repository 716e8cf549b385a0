/**
 * Reads a SQLite store: entries, parts, refs, keys and the newest entry.
 *
 * Every statement looks up its namespace by name, in the same snapshot as what it reads, so that a namespace which another
 * process dropped and made again is not confused with the old one. What is read is checked by the checksum of its row; that
 * there is nothing to read, by a second index. index/find.ts finds commits by id.
 */
import type {
  Column,
  Head,
  PartPointer,
  RefCell,
  RefPart,
  StoredEntry,
  StoredPart,
} from '../../store/contract/backend.ts'
import type { CellTables } from './cells/cell-tables.ts'
import { damagedEntry, type EntryRow, entryColumns, entryOfRow } from './cells/entry-row.ts'
import {
  checkedValue,
  endOfPrefix,
  markLiteral,
  markName,
  nameBytes,
  nameOf,
  preparedLists,
  spaceOf,
} from './cells/row-form.ts'
import type { Connection } from './connection.ts'
import type { SqliteDatabase } from './module.ts'
import { namespaceSpan } from './tables.ts'

export interface SqliteReads {
  entries(namespace: string, from: number, to: number, columns: readonly Column[]): readonly StoredEntry[]
  parts(namespace: string, pointers: readonly PartPointer[]): readonly (StoredPart | undefined)[]
  ref(namespace: string, name: string): number | null
  key(namespace: string, key: string): number | null
  refs(namespace: string, prefix: string, part?: RefPart): readonly RefCell[]
  head(namespace: string): Head
  packBytes(namespace: string, from: number, to: number): number
  namespaces(): readonly string[]
}

const KEPT_REFS = 1000

const namespaceId = '(SELECT id FROM namespaces WHERE name = ?1)'
const base = `${namespaceId} * ${namespaceSpan}`

/** Prepares the statements of reading. */
export function sqliteReads(
  { database, read, readIfChanged, version }: Connection,
  { refs, keys, namespaces }: CellTables,
): SqliteReads {
  const part = database.prepare(`
    SELECT later IS NULL AS isWhole, CASE WHEN later IS NULL OR ?3 < later THEN part END AS part FROM entries WHERE id = ${base} + ?2`)
  const laterPart = database.prepare(`
    SELECT CAST(first AS REAL) AS first, bytes FROM parts WHERE entry = ${base} + ?2 AND parts.first <= ?3
    ORDER BY parts.first DESC LIMIT 1`)
  const end = preparedLists(
    database,
    `SELECT p.value AS end, p.checksum AS end_checksum, ${entryColumns([], 'e')}
    FROM namespaces n LEFT JOIN refs p ON p.namespace = n.id AND p.name = ${markLiteral}
      LEFT JOIN entries e ON e.id = n.id * ${namespaceSpan} + p.value
    WHERE n.name = ?1`,
  )
  // The length of a blob is known without its overflow pages.
  const packBytes = database.prepare(`
    SELECT total(length(part)) + (SELECT total(length(bytes)) FROM parts
      WHERE entry BETWEEN ${base} + ?2 AND ${base} + ?3) AS bytes
    FROM entries WHERE id BETWEEN ${base} + ?2 AND ${base} + ?3`)
  const entriesWith = entriesStatements(database)
  const refCells = new Map<string, number | null>()
  let refsVersion = -1

  /** Every read begins with a ref, so those that were read are kept while nothing in the store changes. */
  function findRef(namespace: string, name: string): number | null {
    const now = version()
    if (now !== refsVersion || refCells.size >= KEPT_REFS) refCells.clear()
    refsVersion = now
    const key = `${namespace.length}:${namespace}${name}`
    const known = refCells.get(key)
    if (known !== undefined) return known
    const found = read(() => refs.find(spaceOf(namespace), nameBytes(name))) ?? null
    refCells.set(key, found)
    return found
  }

  return {
    entries(namespace, from, to, columns) {
      const space = spaceOf(namespace)
      const [first, last] = [Math.max(from, 1), Math.min(to, namespaceSpan - 1)]
      const rows = read(() => {
        const { one, range } = entriesWith(columns)
        return first === last ? one(space.bytes, first) : range(space.bytes, first, last)
      })
      return rows.map(row => entryOfRow(space, row as EntryRow))
    },
    parts(namespace, pointers) {
      const name = nameBytes(namespace)
      return read(() =>
        pointers.map(({ seq, index }) => {
          if (seq < 1 || seq >= namespaceSpan) return undefined
          const row = part.get(name, seq, index) as { isWhole: number; part: unknown } | undefined
          if (row === undefined) return undefined
          if (row.part !== null) return partOf(seq, 0, row.part)
          if (row.isWhole === 1) return undefined
          const later = laterPart.get(name, seq, index) as { first: number; bytes: unknown } | undefined
          return later && partOf(seq, later.first, later.bytes)
        }),
      )
    },
    key: (namespace, name) => read(() => keys.find(spaceOf(namespace), nameBytes(name))) ?? null,
    ref: (namespace, name) => readIfChanged(() => findRef(namespace, name)),
    refs: (namespace, prefix, { after = '', limit } = { limit: Number.POSITIVE_INFINITY }) =>
      read(() => refs.list(spaceOf(namespace), startOf(prefix, after), endOfPrefix(prefix), limit)).map(
        ({ name, value }) => ({ name: nameOf(name), seq: value }),
      ),
    head(namespace) {
      const space = spaceOf(namespace)
      const [row] = read(() => end(space.bytes)) as readonly [unknown, unknown, ...unknown[]][]
      if (row === undefined) {
        // Throws when the namespace is only hidden.
        read(() => namespaces.find(space))
        return { seq: 0, time: 0 }
      }
      const [value, checksum, ...cells] = row
      const seq = checkedValue(space, 'refs', markName, value, checksum)
      const { leaf, time } = entryOfRow(space, cells as unknown as EntryRow)
      if (leaf === '') throw damagedEntry(seq, cells as unknown as EntryRow)
      return { seq, time }
    },
    packBytes(namespace, from, to) {
      const [first, last] = [Math.max(from, 1), Math.min(to, namespaceSpan - 1)]
      const row = read(() => packBytes.get(nameBytes(namespace), first, last)) as { bytes: number | null }
      return row.bytes ?? 0
    },
    namespaces: () => read(namespaces.names),
  }
}

/** Bytes of another type are damaged. Without a single record they are reported with their entry. */
function partOf(seq: number, first: number, bytes: unknown): StoredPart {
  return { seq, first, bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array() }
}

/** The lower bound of the names with a prefix that come after a name. */
function startOf(prefix: string, after: string): Uint8Array {
  const first = nameBytes(prefix)
  const next = Buffer.concat([nameBytes(after), Uint8Array.of(0)])
  return Buffer.compare(first, next) < 0 ? next : first
}

interface EntryStatements {
  /** Most reads are of one entry, which needs no range. */
  readonly one: (name: Uint8Array, seq: number) => readonly (readonly unknown[])[]
  readonly range: (name: Uint8Array, first: number, last: number) => readonly (readonly unknown[])[]
}

/** The statements for each set of columns, prepared on first use. */
function entriesStatements(database: SqliteDatabase): (columns: readonly Column[]) => EntryStatements {
  const prepared = new Map<string, EntryStatements>()
  return columns => {
    const list = entryColumns(columns)
    const found = prepared.get(list)
    if (found !== undefined) return found
    const select = `SELECT ${list} FROM entries`
    const statements = {
      one: preparedLists(database, `${select} WHERE id = ${base} + ?2`),
      range: preparedLists(database, `${select} WHERE id BETWEEN ${base} + ?2 AND ${base} + ?3 ORDER BY id`),
    }
    prepared.set(list, statements)
    return statements
  }
}
