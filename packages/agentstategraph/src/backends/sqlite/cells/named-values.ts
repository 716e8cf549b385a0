/**
 * Tables of names with a number each, in which a missing row is detected like a changed one.
 *
 * A row has a checksum over its name and value. A second index holds every name once more, in a tree of its own, and is
 * written only when a name is added or removed. So where a row is not found, or a range has fewer rows, because of a changed
 * name or a page that leads elsewhere, the other tree still has it. Each read is one statement, so it sees one snapshot.
 *
 * A namespace that exists has the row of `markName` in `refs`, which says where its journal ends.
 */
import type { SqliteDatabase, SqliteStatement } from '../module.ts'
import type { NamespaceIds } from './namespace-ids.ts'
import {
  checkedValue,
  damagedRows,
  markLiteral,
  markName,
  type NamedTable,
  preparedLists,
  type Space,
  sumOfValue,
  valueOrHidden,
} from './row-form.ts'

/** How many rows `checkAfter` reads. */
const rowsTogether = 1024
/** How many rows one statement adds: a call on the driver costs more than a row. */
const addedTogether = 8

export interface NamedValue {
  readonly name: Uint8Array
  readonly value: number
}

/** A namespace and the value of one of its names, if it has one. */
export interface Located {
  readonly id: number
  readonly value: number | undefined
}

export interface NamedValues {
  /** The value of a name; undefined when there is none. */
  find(space: Space, name: Uint8Array): number | undefined
  /** The number of a namespace with the value of a name; undefined when there is no such namespace. */
  locate(space: Space, name: Uint8Array): Located | undefined
  /** The same inside a transaction that has found the namespace. */
  findIn(space: Space, namespace: number, name: Uint8Array): number | undefined
  /** The rows from one name to another, which is left out, in order; all of them, or the first. */
  list(space: Space, from: Uint8Array, to: Uint8Array, limit?: number): readonly NamedValue[]
  /** The same inside a transaction that has found the namespace. */
  listIn(space: Space, namespace: number, from: Uint8Array, to: Uint8Array): readonly NamedValue[]
  /** Adds a name that has no row. */
  add(space: Space, namespace: number, name: Uint8Array, value: number): void
  /** Adds those of the names that have no row, and returns the others. */
  addNew(space: Space, namespace: number, rows: readonly NamedValue[]): readonly NamedValue[]
  /** Adds a name, or changes its value. */
  put(space: Space, namespace: number, name: Uint8Array, value: number): void
  remove(namespace: number, name: Uint8Array): void
  /** Checks some rows, from the beginning or after a name. Returns the last name of them; undefined at the end. */
  checkAfter(space: Space, namespace: number, name?: Uint8Array): Uint8Array | undefined
}

/** Rows as they are read: damaged cells may be of any type. */
interface ReadRow {
  readonly name: unknown
  readonly value: unknown
  readonly checksum: unknown
}

/** Where the journal ends, which is read where no row shows that the right namespace was found. */
interface EndCells {
  readonly end: unknown
  readonly endSum: unknown
}

const endCell = (column: string): string => `CASE WHEN a.value IS NULL THEN (
  SELECT e.${column} FROM refs e WHERE e.namespace = n.id AND e.name = ${markLiteral}) END`

const endCells = `${endCell('value')} AS end, ${endCell('checksum')} AS endSum`

/** Prepares the statements of a table. */
export function namedValues(database: SqliteDatabase, table: NamedTable, namespaces: NamespaceIds): NamedValues {
  const rows = `${table} a INDEXED BY sqlite_autoindex_${table}_1`
  const one = `${valueOrHidden(table, 'a', '?2')} AS value, a.checksum`
  const join = `LEFT JOIN ${rows} ON a.namespace = n.id AND a.name = ?2`
  const exact = database.prepare(`
    SELECT value, checksum FROM ${rows} WHERE namespace = (SELECT id FROM namespaces WHERE name = ?1) AND a.name = ?2`)
  const named = database.prepare(`SELECT n.id, ${one}, ${endCells} FROM namespaces n ${join} WHERE n.name = ?1`)
  const numbered = database.prepare(`SELECT ${one} FROM (SELECT ?1 AS id) n ${join}`)
  // What the second index has of the range, and then the rows. The first is materialized, because SQLite would else look there
  // anew for each row. A limit below 0 is none.
  const range = preparedLists(
    database,
    `WITH n AS MATERIALIZED (
      SELECT m.id, count(b.name) AS total, max(b.name) AS last
      FROM namespaces m LEFT JOIN (
        SELECT namespace, name FROM ${table} INDEXED BY ${table}_again
        WHERE namespace = (SELECT id FROM namespaces WHERE name = ?1) AND name >= ?2 AND name < ?3 ORDER BY name LIMIT ?4) b
      WHERE m.name = ?1 GROUP BY m.id)
    SELECT last, total, NULL FROM n
    UNION ALL SELECT * FROM (
      SELECT a.name, a.value, a.checksum FROM n JOIN ${rows} ON a.namespace = n.id AND a.name >= ?2 AND a.name < ?3 LIMIT ?4)`,
  )
  const end = database.prepare(`
    SELECT e.value AS end, e.checksum AS endSum FROM namespaces n
    LEFT JOIN refs e ON e.namespace = n.id AND e.name = ${markLiteral} WHERE n.name = ?1`)
  // The number of names in the second index, and then the rows.
  const numberedRange = database.prepare(`
    SELECT NULL AS name, count(*) AS value, NULL AS checksum FROM ${table} b INDEXED BY ${table}_again
    WHERE b.namespace = ?1 AND b.name >= ?2 AND b.name < ?3
    UNION ALL SELECT a.name, a.value, a.checksum FROM ${rows} WHERE a.namespace = ?1 AND a.name >= ?2 AND a.name < ?3`)
  const some = database.prepare(`
    SELECT name, value, checksum FROM ${rows}
    WHERE namespace = ? AND name > coalesce(?, x'') ORDER BY name LIMIT ${rowsTogether}`)
  const insert = `INSERT INTO ${table} VALUES (?, ?, ?, ?)`
  const added = database.prepare(insert)
  const addedNew = (count: number): SqliteStatement =>
    database.prepare(`INSERT INTO ${table} VALUES ${Array.from({ length: count }, () => '(?, ?, ?, ?)').join(', ')}
      ON CONFLICT DO NOTHING RETURNING name`)
  const [addedOne, addedMany] = [addedNew(1), addedNew(addedTogether)]
  const set = database.prepare(`${insert}
    ON CONFLICT DO UPDATE SET value = excluded.value, checksum = excluded.checksum`)
  const drop = database.prepare(`DELETE FROM ${table} WHERE namespace = ? AND name = ?`)

  const valueIn = (space: Space, name: unknown, { value, checksum }: Omit<ReadRow, 'name'>): number | undefined =>
    value === null ? undefined : checkedValue(space, table, name, value, checksum)

  function assertNamespace(space: Space, { end, endSum }: EndCells): void {
    checkedValue(space, 'refs', markName, end, endSum)
  }

  /** The rows of a range in which the second index has `total` names. */
  function checkedRows(space: Space, read: readonly ReadRow[], total: number): readonly NamedValue[] {
    if (read.length !== total) throw damagedRows(space, table, `${read.length} of ${total} rows were found`)
    let last: Uint8Array | undefined
    for (const row of read) {
      valueIn(space, row.name, row)
      const name = row.name as Uint8Array
      if (last !== undefined && Buffer.compare(name, last) <= 0)
        throw damagedRows(space, table, 'its rows are not in order')
      last = name
    }
    return read as unknown as readonly NamedValue[]
  }

  function locate(space: Space, name: Uint8Array): Located | undefined {
    const row = named.get(space.bytes, name) as (ReadRow & EndCells & { readonly id: number }) | undefined
    // Throws when the namespace is only hidden.
    if (row === undefined) namespaces.find(space)
    if (row === undefined) return undefined
    const value = valueIn(space, name, row)
    if (value === undefined) assertNamespace(space, row)
    return { id: row.id, value }
  }

  return {
    find(space, name) {
      const row = exact.get(space.bytes, name) as ReadRow | undefined
      return row === undefined ? locate(space, name)?.value : valueIn(space, name, row)
    },
    locate,
    findIn: (space, namespace, name) => valueIn(space, name, numbered.get(namespace, name) as ReadRow),
    list(space, from, to, limit = Number.POSITIVE_INFINITY) {
      if (limit === 0) return []
      const most = Number.isFinite(limit) ? limit : -1
      const [counted, ...read] = range(space.bytes, from, to, most)
      if (counted === undefined) namespaces.find(space)
      if (counted === undefined) return []
      const [lastName, total] = counted
      if (read.length === 0) assertNamespace(space, end.get(space.bytes) as unknown as EndCells)
      const found = checkedRows(
        space,
        read.map(([name, value, checksum]) => ({ name, value, checksum })),
        total as number,
      )
      // The first rows of a range are as many where one among them is missing, but go further.
      const last = found.at(-1)?.name
      if (last !== undefined && Buffer.compare(last, lastName as Uint8Array) !== 0) {
        throw damagedRows(space, table, 'a row is missing')
      }
      return found
    },
    listIn(space, namespace, from, to) {
      const [count, ...read] = numberedRange.all(namespace, from, to) as ReadRow[]
      return checkedRows(space, read, count!.value as number)
    },
    add(space, namespace, name, value) {
      added.run(namespace, name, value, sumOfValue(space, table, name, value))
    },
    addNew(space, namespace, rows) {
      const left: NamedValue[] = []
      for (let from = 0; from < rows.length; ) {
        const count = rows.length - from < addedTogether ? 1 : addedTogether
        const some = rows.slice(from, from + count)
        const values = some.flatMap(({ name, value }) => [
          namespace,
          name,
          value,
          sumOfValue(space, table, name, value),
        ])
        const added = (count === 1 ? addedOne : addedMany).all(...values) as { readonly name: Uint8Array }[]
        if (added.length < count) {
          const names = new Set(added.map(({ name }) => hexOf(name)))
          // Of a name that is given twice, the second one is left.
          for (const row of some) if (!names.delete(hexOf(row.name))) left.push(row)
        }
        from += count
      }
      return left
    },
    put(space, namespace, name, value) {
      set.run(namespace, name, value, sumOfValue(space, table, name, value))
    },
    remove(namespace, name) {
      drop.run(namespace, name)
    },
    checkAfter(space, namespace, name) {
      const read = some.all(namespace, name ?? null) as ReadRow[]
      for (const row of read) valueIn(space, row.name, row)
      return read.length < rowsTogether ? undefined : (read.at(-1)!.name as Uint8Array)
    },
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
