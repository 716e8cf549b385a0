/**
 * Checks that a journal in a SQLite store is still the one that a reader has seen.
 *
 * This runs at the end of every read, so results are cached for the version of the store. An append does not rely on the
 * cache; it compares inside its transaction.
 */
import type { Checked, Seen } from '../../store/contract/backend.ts'
import type { CellTables } from './cells/cell-tables.ts'
import { lacksSeen } from './cells/entry-row.ts'
import { markLiteral, markName, type Space, spaceOf, sumOfValue } from './cells/row-form.ts'
import type { Connection } from './connection.ts'
import { namespaceSpan } from './tables.ts'

export interface SqliteChecks {
  check(namespace: string, seen: Seen | undefined): Checked
}

interface NewestRow {
  readonly namespace: number
  readonly end: unknown
  readonly endSum: unknown
  readonly leaf: unknown
  readonly first: unknown
  readonly seen: unknown
}

/** A cached result, and the version of the store that it is valid for. */
interface Found {
  readonly seen: Seen
  readonly version: number
}

/** Prepares the statements of checking. */
export function sqliteChecks(
  { database, read, readIfChanged, readTogether, version, forgetVersion }: Connection,
  { namespaces }: CellTables,
): SqliteChecks {
  const newest = database.prepare(`
    SELECT n.id AS namespace, p.value AS end, p.checksum AS endSum, e.leaf AS leaf,
      (SELECT f.leaf FROM entries f WHERE f.id = n.id * ${namespaceSpan} + 1) AS first,
      (SELECT s.leaf FROM entries s WHERE s.id = n.id * ${namespaceSpan} + ?2) AS seen
    FROM namespaces n LEFT JOIN refs p ON p.namespace = n.id AND p.name = ${markLiteral}
      LEFT JOIN entries e ON e.id = n.id * ${namespaceSpan} + p.value
    WHERE n.name = ?1`)
  const lacks = lacksSeen(database)
  const found = new Map<string, Found>()

  /** Where the journal ends; undefined when that is damaged, which the reader that needs it reports. */
  function endOf(space: Space, { end, endSum }: NewestRow): number | undefined {
    return typeof end === 'number' && endSum === sumOfValue(space, 'refs', markName, end) ? end : undefined
  }

  function isReplaced(space: Space, seen: Seen): boolean {
    return readTogether(() => {
      if (namespaces.find(space) === undefined) return true
      const row = newest.get(space.bytes, seen.seq) as NewestRow
      return lacks(space, row.namespace, endOf(space, row) ?? seen.seq, seen)
    })
  }

  function look(namespace: string, seen: Seen | undefined, readAt: number): Checked {
    const space = spaceOf(namespace)
    const row = read(() => newest.get(space.bytes, seen?.seq ?? 0)) as NewestRow | undefined
    const isSeen = seen === undefined || (row?.first === seen.first && row.seen === seen.leaf)
    if (!isSeen && isReplaced(space, seen)) return { kind: 'replaced' }
    const end = row && endOf(space, row)
    if (end === undefined || typeof row?.first !== 'string' || typeof row.leaf !== 'string') {
      return { kind: 'same', newest: seen }
    }
    const now = { first: row.first, seq: end, leaf: row.leaf }
    found.set(namespace, { seen: now, version: readAt })
    return { kind: 'same', newest: now }
  }

  return {
    check: (namespace, seen) =>
      readIfChanged(() => {
        const now = version()
        // What is asked next may come after a write that this one need not see.
        forgetVersion()
        const last = found.get(namespace)
        const isKnown = seen !== undefined && last?.version === now && isSame(last.seen, seen)
        return isKnown ? { kind: 'same', newest: seen } : look(namespace, seen, now)
      }),
  }
}

function isSame(a: Seen, b: Seen): boolean {
  return a.seq === b.seq && a.leaf === b.leaf && a.first === b.first
}
