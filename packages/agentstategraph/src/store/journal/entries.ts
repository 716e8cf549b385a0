/** Reads and verifies entries: the text against the leaf, and the columns of the row against the text. */

import { hexOfId } from '../../core/index.ts'
import { pausePoint } from '../../tree/index.ts'
import type { Column, StoredEntry } from '../contract/backend.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { commitId } from './commit.ts'
import { type EntryRecord, leafOfEntry, parseEntry } from './entry.ts'

export interface JournalEntry {
  readonly seq: number
  readonly record: EntryRecord
  readonly row: StoredEntry
}

/** One entry of the journal, with its text checked. */
export function* readEntry(seq: number, columns: readonly Column[] = ['text']): Work<JournalEntry> {
  const [entry] = yield* readEntries(seq, seq, columns)
  if (entry === undefined) throw storeError('entry-not-found', { seq })
  return entry
}

/** The entries of a range, both ends included. */
export function* readEntries(from: number, to: number, columns: readonly Column[]): Work<JournalEntry[]> {
  return (yield* readRows(from, to, columns)).map(row => verifiedEntry(row, columns))
}

/** The rows of a range, both ends included, with nothing in them checked. */
export function* readRows(from: number, to: number, columns: readonly Column[]): Work<readonly StoredEntry[]> {
  const rows = yield* ask(log => log.entries(from, to, columns))
  if (rows.length <= to - from) yield* assertEnd(from + rows.length)
  for (const [i, { seq }] of rows.entries()) if (seq !== from + i) throw missing(from + i)
  return rows
}

/** The leaves of the entries of a range, both ends included, which must all exist. */
export function* readLeaves(from: number, to: number): Work<string[]> {
  const rows = yield* ask(log => log.entries(from, to, []))
  if (rows.length <= to - from) throw missing(from + rows.length)
  return rows.map((row, i) => {
    if (row.seq !== from + i) throw missing(from + i)
    if (row.leaf === '') throw corrupt(row.seq, `entry ${row.seq}`, notAsWritten)
    return row.leaf
  })
}

/** Throws when an entry that was not found must exist. */
function* assertEnd(seq: number): Work<void> {
  const head = yield* ask(log => log.head())
  if (seq < 1 || head.seq < seq) return
  // It may have been appended since it was not found.
  const [row] = yield* ask(log => log.entries(seq, seq, []))
  if (row === undefined) throw missing(seq)
}

function missing(seq: number): Error {
  return corrupt(seq, `entry ${seq}`, 'the entry is missing')
}

const notAsWritten = 'it is not stored as it was written'

/** How many entries a scan reads at once. */
const SCANNED_ENTRIES = 256

/** Visits the entries of a range, both ends included, in order. Other work may run in between. */
export function* scanEntries(
  from: number,
  to: number,
  columns: readonly Column[],
  visit: (entry: JournalEntry) => void,
): Work<void> {
  for (let first = from; first <= to; first += SCANNED_ENTRIES) {
    yield pausePoint
    for (const entry of yield* readEntries(first, Math.min(to, first + SCANNED_ENTRIES - 1), columns)) visit(entry)
  }
}

/** The longest range that is read at once, and the longest gap in it: one call costs more than a few entries too many. */
const MAX_RANGE = 256
const MAX_GAP = 4

/** The entries of these numbers, read in ranges. */
export function* readEntriesAt(
  seqs: Iterable<number>,
  columns: readonly Column[] = ['text'],
): Work<ReadonlyMap<number, JournalEntry>> {
  const wanted = [...new Set(seqs)].sort((a, b) => a - b)
  const found = new Map<number, JournalEntry>()
  for (let at = 0; at < wanted.length; ) {
    const from = wanted[at]!
    const set = new Set<number>()
    let to = from
    for (; at < wanted.length; at++) {
      const next = wanted[at]!
      if (next - to > MAX_GAP || next - from >= MAX_RANGE) break
      set.add(next)
      to = next
    }
    const rows = yield* ask(log => log.entries(from, to, columns))
    for (const row of rows) if (set.has(row.seq)) found.set(row.seq, verifiedEntry(row, columns))
    for (const seq of set) if (!found.has(seq)) throw storeError('entry-not-found', { seq })
  }
  return found
}

/** The entry of a row; throws when the row is damaged. */
export function verifiedEntry(row: StoredEntry, columns: readonly Column[]): JournalEntry {
  const record = recordOf(row)
  assertFits(row, record, columns)
  return { seq: row.seq, record, row }
}

/** What the text of a row says; throws when it is not the text that was written. */
export function recordOf(row: StoredEntry): EntryRecord {
  if (row.leaf === '') throw corrupt(row.seq, `entry ${row.seq}`, notAsWritten)
  if (leafOfEntry(row.text) !== row.leaf)
    throw corrupt(row.seq, row.leaf, 'its text does not have the hash it was written with')
  return parseEntry(row.text)
}

/** Throws when the other columns of a row are not those that its text names. */
export function assertFits(row: StoredEntry, record: EntryRecord, columns: readonly Column[]): void {
  if (record.time !== row.time) throw corrupt(row.seq, row.leaf, 'its time is not the one in its text')
  if (columns.includes('commit') && record.commit !== undefined) {
    const { id, text } = row.commit ?? { id: '', text: '' }
    if (commitId(text) !== record.commit)
      throw corrupt(row.seq, record.commit, 'the commit is not the one that its entry names')
    if (id !== hexOfId(record.commit)) throw corrupt(row.seq, record.commit, 'the commit is filed under another id')
  }
}

export function corrupt(seq: number, id: string, reason: string): Error {
  return storeError('object-corrupt', { seq, id: shownId(id), reason })
}

/** An id in hex; a damaged id is shown as it is stored. */
function shownId(id: string): string {
  try {
    return hexOfId(id)
  } catch {
    return id
  }
}
