/**
 * The bytes of all packs up to the mark of the query index, kept in a row of `counts`, so that nobody has to add them up.
 *
 * It is changed in the transactions that move the mark, drop packs or store them anew, and costs an append nothing.
 */
import type { PackTotal } from '../../../store/contract/backend.ts'
import type { CellTables } from '../cells/cell-tables.ts'
import { markName, type Space } from '../cells/row-form.ts'
import type { SqliteDatabase } from '../module.ts'
import { namespaceSpan } from '../tables.ts'

/** The name of the row. Names of counts begin with a slash. */
const totalName = Uint8Array.of(1)

export interface PackTotals {
  /** Undefined when there is no namespace, or no index. */
  find(space: Space): PackTotal | undefined
  /** To be called when the mark moves from one entry to another. */
  add(space: Space, namespace: number, from: number, to: number): void
  /** Does what changes the packs of some entries. */
  around(space: Space, namespace: number, seqs: readonly number[], change: () => void): void
}

/** Prepares the statements. All but `find` run inside a write transaction. */
export function packTotals(database: SqliteDatabase, { counts }: Pick<CellTables, 'counts'>): PackTotals {
  // The length of a blob is known without its overflow pages.
  const bytesIn = database.prepare(`
    SELECT total(length(part)) + (SELECT total(length(bytes)) FROM parts WHERE entry BETWEEN ?1 AND ?2) AS bytes
    FROM entries WHERE id BETWEEN ?1 AND ?2`)

  function bytesOf(namespace: number, from: number, to: number): number {
    const base = namespace * namespaceSpan
    return (bytesIn.get(base + from, base + to) as { bytes: number }).bytes
  }

  return {
    find(space) {
      const at = counts.locate(space, markName)
      if (at?.value === undefined) return undefined
      const bytes = counts.findIn(space, at.id, totalName)
      return bytes === undefined ? undefined : { to: at.value, bytes }
    },
    add(space, namespace, from, to) {
      const kept = from === 0 ? 0 : counts.findIn(space, namespace, totalName)
      if (kept !== undefined) counts.put(space, namespace, totalName, kept + bytesOf(namespace, from + 1, to))
    },
    around(space, namespace, seqs, change) {
      const mark = counts.findIn(space, namespace, markName) ?? 0
      const counted = seqs.filter(seq => seq >= 1 && seq <= mark)
      const sum = (): number => counted.reduce((bytes, seq) => bytes + bytesOf(namespace, seq, seq), 0)
      const kept = counted.length === 0 ? undefined : counts.findIn(space, namespace, totalName)
      const before = kept === undefined ? 0 : sum()
      change()
      if (kept !== undefined) counts.put(space, namespace, totalName, kept - before + sum())
    },
  }
}
