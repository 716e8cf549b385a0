/**
 * Rows of the journal as they are read and written.
 *
 * The hash of an entry covers its text, and the text names the commit and the pack. The checksum of the row covers the
 * cells beside them, and which entry of which namespace it is.
 */
import type { Column, Seen, StoredEntry } from '../../../store/contract/backend.ts'
import { storeError } from '../../../store/errors.ts'
import type { SqliteDatabase } from '../module.ts'
import { namespaceSpan } from '../tables.ts'
import { type EntryCells, isCount, preparedLists, type Space, sumOfEntry } from './row-form.ts'

/**
 * The columns of a row, qualified by the name that the table has in the statement. Drivers refuse to read some damaged
 * integers: read as a REAL, the number arrives and is found to be wrong. `typeof` does not read the overflow pages of a part.
 */
export function entryColumns(columns: readonly Column[], table = 'entries'): string {
  const exact = (column: string): string => `CAST(${table}.${column} AS REAL) AS ${column}`
  const asked = (column: string, isAsked: boolean, otherwise: string): string =>
    isAsked ? `${table}.${column}` : `${otherwise} AS ${column}`
  return [
    `${table}.id & ${namespaceSpan - 1} AS seq`,
    `${table}.leaf`,
    exact('time'),
    exact('checksum'),
    `${table}.commit_id`,
    exact('later'),
    `typeof(${table}.part) <> 'null' AS has_part`,
    asked('text', columns.includes('text'), "''"),
    asked('commit_text', columns.includes('commit'), 'NULL'),
    asked('part', columns.includes('part'), 'NULL'),
  ].join(', ')
}

/** The values of these columns; damaged ones may be of any type. */
export type EntryRow = readonly [
  seq: number,
  leaf: unknown,
  time: unknown,
  checksum: unknown,
  commitId: unknown,
  later: unknown,
  hasPart: unknown,
  text: unknown,
  commitText: unknown,
  part: unknown,
]

/** The entry of a row. A damaged row gets no leaf, which the store layer then reports as damage. */
export function entryOfRow(space: Space, row: EntryRow): StoredEntry {
  const cells = cellsOf(space, row)
  const [seq, , , , , , , text, commitText, part] = row
  const isTyped =
    typeof text === 'string' &&
    (commitText === null || typeof commitText === 'string') &&
    (part === null || part instanceof Uint8Array)
  if (cells === undefined || !isTyped) return { seq, leaf: '', time: 0, text: '' }
  const { leaf, time, commitId } = cells
  const commit = commitId === null || commitText === null ? undefined : { id: commitId, text: commitText }
  return { seq, leaf, time, text, commit, part: part ?? undefined }
}

/** The cells that the checksum covers; undefined when they are not as they were written. */
export function cellsOf(
  space: Space,
  [seq, leaf, time, checksum, commitId, later, hasPart]: EntryRow,
): EntryCells | undefined {
  const isTyped =
    typeof leaf === 'string' &&
    typeof time === 'number' &&
    (commitId === null || typeof commitId === 'string') &&
    (later === null || isCount(later))
  if (!isTyped) return undefined
  const cells = { leaf, time, commitId, later, hasPart: hasPart === 1 }
  return checksum === sumOfEntry(space, seq, cells) ? cells : undefined
}

/** The checksum of a row whose pack is stored anew; undefined when it has none. Throws when the row is damaged. */
export function sumOfRepacked(space: Space, row: EntryRow, later: number | null): number | undefined {
  const cells = cellsOf(space, row)
  if (cells === undefined) throw damagedEntry(row[0], row)
  return cells.hasPart ? sumOfEntry(space, row[0], { ...cells, later }) : undefined
}

/** The checksum of a row that loses its pack. Throws when the row is damaged. */
export function sumWithoutPack(space: Space, row: EntryRow): number {
  const cells = cellsOf(space, row)
  if (cells === undefined) throw damagedEntry(row[0], row)
  return sumOfEntry(space, row[0], { ...cells, later: null, hasPart: false })
}

/** The error for an entry whose row is missing, or not as it was written. */
export function damagedEntry(seq: number, row: EntryRow | undefined): Error {
  const isMissing = row === undefined || row[0] === null
  const reason = isMissing ? 'the entry is missing' : 'its row does not have the checksum that it was written with'
  return storeError('object-corrupt', { seq, id: `entry ${seq}`, reason })
}

/** Whether a journal that ends at `end` lacks what was seen of it. Throws when that is because of damage. */
export type LacksSeen = (space: Space, namespace: number, end: number, seen: Seen) => boolean

/** Prepares the statement. */
export function lacksSeen(database: SqliteDatabase): LacksSeen {
  const rowAt = preparedLists(database, `SELECT ${entryColumns([])} FROM entries WHERE id = ?`)
  return (space, namespace, end, seen) => {
    const leafOf = (seq: number): string => {
      const row = rowAt(namespace * namespaceSpan + seq)[0] as EntryRow | undefined
      const leaf = row === undefined ? '' : entryOfRow(space, row).leaf
      if (leaf === '') throw damagedEntry(seq, row)
      return leaf
    }
    return leafOf(1) !== seen.first || seen.seq > end || leafOf(seen.seq) !== seen.leaf
  }
}
