/**
 * Deletes from a SQLite store: the packs of entries, or a whole namespace.
 *
 * It runs inside a write transaction. The caller decides what may be dropped.
 */
import type { Seen } from '../../store/contract/backend.ts'
import { type EntryRow, entryColumns, sumWithoutPack } from './cells/entry-row.ts'
import { nameBytes, preparedLists, type Space, spaceOf } from './cells/row-form.ts'
import type { PackTotals } from './index/pack-total.ts'
import type { SqliteDatabase } from './module.ts'
import { namespaceSpan } from './tables.ts'

export interface Dropper {
  /** Does nothing and returns false when `newest` is not the newest entry. */
  packs(namespace: string, seqs: readonly number[], newest: Seen): boolean
  namespace(name: string): void
}

/** Prepares the statements of dropping. */
export function dropper(database: SqliteDatabase, totals: PackTotals): Dropper {
  const namespaceOf = database.prepare('SELECT id FROM namespaces WHERE name = ?')
  const leafAt = database.prepare('SELECT leaf FROM entries WHERE id = ?')
  const after = database.prepare('SELECT id FROM entries WHERE id > ? AND id < ? LIMIT 1')
  const rowAt = preparedLists(database, `SELECT ${entryColumns([])} FROM entries WHERE id = ?`)
  const dropFirst = database.prepare('UPDATE entries SET later = NULL, part = NULL, checksum = ? WHERE id = ?')
  const dropLater = database.prepare('DELETE FROM parts WHERE entry = ?')
  const byRange = ['DELETE FROM parts WHERE entry BETWEEN ? AND ?', 'DELETE FROM entries WHERE id BETWEEN ? AND ?'].map(
    sql => database.prepare(sql),
  )
  const byNamespace = [
    'DELETE FROM refs WHERE namespace = ?',
    'DELETE FROM keys WHERE namespace = ?',
    'DELETE FROM ids WHERE namespace = ?',
    'DELETE FROM terms WHERE namespace = ?',
    'DELETE FROM counts WHERE namespace = ?',
    'DELETE FROM hashes WHERE namespace = ?',
    'DELETE FROM namespaces WHERE id = ?',
  ].map(sql => database.prepare(sql))

  const find = (name: string): number | undefined =>
    (namespaceOf.get(nameBytes(name)) as { id: number } | undefined)?.id

  function isNewest(id: number, { first, seq, leaf }: Seen): boolean {
    const base = id * namespaceSpan
    const has = (at: number, expected: string): boolean =>
      (leafAt.get(base + at) as { leaf: string } | undefined)?.leaf === expected
    return has(1, first) && has(seq, leaf) && after.get(base + seq, base + namespaceSpan) === undefined
  }

  function dropPack(space: Space, id: number, seq: number): void {
    const row = seq < 1 || seq >= namespaceSpan ? undefined : rowAt(id * namespaceSpan + seq)[0]
    if (row === undefined) return
    dropFirst.run(sumWithoutPack(space, row as unknown as EntryRow), id * namespaceSpan + seq)
    dropLater.run(id * namespaceSpan + seq)
  }

  return {
    packs(namespace, seqs, newest) {
      const space = spaceOf(namespace)
      const id = find(namespace)
      if (id === undefined || !isNewest(id, newest)) return false
      totals.around(space, id, seqs, () => {
        for (const seq of seqs) dropPack(space, id, seq)
      })
      return true
    },
    namespace(name) {
      const id = find(name)
      if (id === undefined) return
      const base = id * namespaceSpan
      for (const statement of byRange) statement.run(base, base + namespaceSpan - 1)
      for (const statement of byNamespace) statement.run(id)
    },
  }
}
