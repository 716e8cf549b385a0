/**
 * Checks that a journal in a SQLite store is still the one that a reader has seen.
 *
 * This runs at the end of every read, so results are cached: `data_version` changes when another connection writes, and
 * this connection reports what it writes itself. An append does not rely on the cache; it compares inside its
 * transaction.
 */
import type { Checked, Seen } from '../../store/contract/backend.ts'
import type { Connection } from './connection.ts'
import { nameBytes } from './namespace-table.ts'
import { namespaceSpan } from './tables.ts'

export interface SqliteChecks {
  check(namespace: string, seen: Seen | undefined): Checked
  /** To be counted up when this connection has added entries to a namespace or dropped one. */
  written: number
}

/** A cached result, and the `data_version`, generation of the file and own writes that it is valid for. */
interface Found {
  readonly seen: Seen
  readonly version: number
  readonly generation: number
  readonly written: number
}

/** Prepares the statements of checking. */
export function sqliteChecks({ database, read, generation }: Connection): SqliteChecks {
  const dataVersion = database.prepare('PRAGMA store.data_version')
  const newest = database.prepare(`
    SELECT e.id & ${namespaceSpan - 1} AS seq, e.leaf AS leaf,
      (SELECT f.leaf FROM entries f WHERE f.id = n.id * ${namespaceSpan} + 1) AS first,
      (SELECT s.leaf FROM entries s WHERE s.id = n.id * ${namespaceSpan} + ?2) AS seen
    FROM namespaces n CROSS JOIN entries e
    WHERE n.name = ?1 AND e.id BETWEEN n.id * ${namespaceSpan} AND n.id * ${namespaceSpan} + ${namespaceSpan - 1}
    ORDER BY e.id DESC LIMIT 1`)
  const found = new Map<string, Found>()

  function look(namespace: string, seen: Seen | undefined, version: number): Checked {
    const row = newest.get(nameBytes(namespace), seen?.seq ?? 0) as
      | (Seen & { readonly seen: string | null })
      | undefined
    if (seen !== undefined && (row?.first !== seen.first || row.seen !== seen.leaf)) return { kind: 'replaced' }
    if (row === undefined) return { kind: 'same', newest: undefined }
    const now = { first: row.first, seq: row.seq, leaf: row.leaf }
    found.set(namespace, { seen: now, version, generation: generation(), written: checks.written })
    return { kind: 'same', newest: now }
  }

  const checks: SqliteChecks = {
    written: 0,
    check: (namespace, seen) =>
      read(() => {
        // Read first, so that a later write is seen by the next check at the latest.
        const { data_version: version } = dataVersion.get() as { data_version: number }
        const last = found.get(namespace)
        const isValid = last?.version === version && last.generation === generation() && last.written === checks.written
        const isKnown = seen !== undefined && isValid && isSame(last.seen, seen)
        return isKnown ? { kind: 'same', newest: seen } : look(namespace, seen, version)
      }),
  }
  return checks
}

function isSame(a: Seen, b: Seen): boolean {
  return a.seq === b.seq && a.leaf === b.leaf && a.first === b.first
}
