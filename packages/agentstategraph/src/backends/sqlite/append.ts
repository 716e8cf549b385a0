/**
 * Appends entries to a SQLite store.
 *
 * This is the hottest path of the library: a handful of statements, prepared once, inside a transaction that the caller
 * began. All checks run before the first write, so a refused append leaves nothing to undo. This file knows neither locks
 * nor durability.
 */
import type { Append, Appended, Move, NewEntry, NewPart, Repack, Seen } from '../../store/contract/backend.ts'
import type { CellTables } from './cells/cell-tables.ts'
import {
  damagedEntry,
  type EntryRow,
  entryColumns,
  type LacksSeen,
  lacksSeen,
  sumOfRepacked,
} from './cells/entry-row.ts'
import type { NamedValues } from './cells/named-values.ts'
import {
  checkedValue,
  markLiteral,
  markName,
  nameBytes,
  preparedLists,
  type Space,
  spaceOf,
  sumOfEntry,
  sumOfValue,
  valueOrHidden,
} from './cells/row-form.ts'
import type { SqliteDatabase, SqliteStatement } from './module.ts'
import { namespaceSpan } from './tables.ts'

/** Appends a batch to a namespace, or returns why not. Call it inside a write transaction. */
export type AppendInside = (namespace: string, batch: Append) => Appended

/** Whether an entry has its pack, or holds no commit. `typeof` does not read the overflow pages of a large part. */
const hasNodes = "commit_id IS NULL OR typeof(part) <> 'null'"

/** Prepares the statements of `append`. */
export function appendInside(database: SqliteDatabase, { namespaces, refs, keys }: CellTables): AppendInside {
  const statements: Statements = {
    // One statement finds the namespace, its newest entry, the two refs that nearly every append moves or guards, and
    // whether the parent of a commit still has its pack.
    newest: preparedLists(
      database,
      `
      SELECT n.id, p.value AS end, p.checksum AS endSum, CAST(e.time AS REAL) AS time, e.leaf,
        (SELECT f.leaf FROM entries f WHERE f.id = n.id * ${namespaceSpan} + 1) AS first,
        ${valueOrHidden('refs', 'r', '?2')} AS firstRef, r.checksum AS firstSum,
        ${valueOrHidden('refs', 's', '?3')} AS secondRef, s.checksum AS secondSum,
        (SELECT ${hasNodes} FROM entries WHERE entries.id = n.id * ${namespaceSpan} + ?4) AS firstNeed
      FROM namespaces n LEFT JOIN refs p ON p.namespace = n.id AND p.name = ${markLiteral}
        LEFT JOIN entries e ON e.id = n.id * ${namespaceSpan} + p.value
        LEFT JOIN refs r ON r.namespace = n.id AND r.name = ?2
        LEFT JOIN refs s ON s.namespace = n.id AND s.name = ?3
      WHERE n.name = ?1`,
    ),
    need: database.prepare(`SELECT ${hasNodes} AS isMet FROM entries WHERE id = ?`),
    // The newest entry, and one ref that points to it.
    moveOne: database.prepare(`
      INSERT INTO refs VALUES (?1, ${markLiteral}, ?2, ?3), (?1, ?4, ?2, ?5)
      ON CONFLICT DO UPDATE SET value = excluded.value, checksum = excluded.checksum`),
    addEntry: database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    addPart: database.prepare('INSERT INTO parts (entry, first, bytes) VALUES (?, ?, ?)'),
    rowAt: preparedLists(database, `SELECT ${entryColumns([])} FROM entries WHERE id = ?`),
    repack: database.prepare('UPDATE entries SET later = ?, part = ?, checksum = ? WHERE id = ?'),
    dropParts: database.prepare('DELETE FROM parts WHERE entry = ?'),
  }
  const tables: Tables = { namespaces, refs, keys, lacks: lacksSeen(database) }

  return (name, batch) => {
    const space = spaceOf(name)
    const newest = newestOf(statements, tables, space, batch)
    const refused = refusal(statements, tables, space, newest, batch)
    if (refused !== undefined) return refused
    const first = (newest?.seq ?? 0) + 1
    const namespace = newest?.namespace ?? namespaces.add(space)
    if (batch.repacks !== undefined) storeAnew(statements, space, namespace, first, batch.repacks)
    write(statements, tables, space, namespace, first, batch)
    return { kind: 'done', first }
  }
}

type Statements = Readonly<
  Record<'need' | 'moveOne' | 'addEntry' | 'addPart' | 'repack' | 'dropParts', SqliteStatement>
> & {
  readonly newest: ReturnType<typeof preparedLists>
  readonly rowAt: ReturnType<typeof preparedLists>
}

interface Tables extends Pick<CellTables, 'namespaces' | 'refs' | 'keys'> {
  readonly lacks: LacksSeen
}

/** An existing namespace and its newest entry. */
interface Newest {
  readonly namespace: number
  readonly seq: number
  readonly time: number
  readonly leaf: string
  /** The leaf of the first entry. */
  readonly first: string
  /** Where the refs of the batch's first two moves are, if they are. */
  readonly refs: readonly (number | undefined)[]
  /** Whether the batch's first need is met; null when there is no such entry. */
  readonly firstNeed: number | null
}

type NewestRow = readonly [
  namespace: number,
  end: unknown,
  endSum: unknown,
  time: number | null,
  leaf: string | null,
  first: string,
  firstRef: unknown,
  firstSum: unknown,
  secondRef: unknown,
  secondSum: unknown,
  firstNeed: number | null,
]

function newestOf(
  { newest }: Statements,
  { namespaces }: Tables,
  space: Space,
  { moves: [move, other], needs }: Append,
): Newest | undefined {
  const name = move && nameBytes(move.name)
  const otherName = other && nameBytes(other.name)
  const [row] = newest(space.bytes, name ?? null, otherName ?? null, needs?.[0] ?? null)
  if (row === undefined) {
    // Throws when the namespace is only hidden.
    namespaces.find(space)
    return undefined
  }
  const [namespace, end, endSum, time, leaf, first, firstRef, firstSum, secondRef, secondSum, firstNeed] =
    row as readonly unknown[] as NewestRow
  const seq = checkedValue(space, 'refs', markName, end, endSum)
  if (leaf === null || time === null) throw damagedEntry(seq, undefined)
  const refs = [
    firstRef === null ? undefined : checkedValue(space, 'refs', name, firstRef, firstSum),
    secondRef === null ? undefined : checkedValue(space, 'refs', otherName, secondRef, secondSum),
  ]
  return { namespace, seq, time, leaf, first, refs, firstNeed }
}

/** Whether a journal holds what was seen of it. The newest entry was read already, and is mostly the one that was seen. */
function holds({ lacks }: Tables, space: Space, newest: Newest | undefined, seen: Seen): boolean {
  if (newest === undefined) return false
  if (newest.first === seen.first && newest.seq === seen.seq && newest.leaf === seen.leaf) return true
  return !lacks(space, newest.namespace, newest.seq, seen)
}

function refusal(
  statements: Statements,
  tables: Tables,
  space: Space,
  newest: Newest | undefined,
  { seen, keys, moves, after, needs, time }: Append,
): Appended | undefined {
  if (seen !== undefined && !holds(tables, space, newest, seen)) return { kind: 'replaced' }
  for (const { key } of newest === undefined ? [] : (keys ?? [])) {
    const seq = tables.keys.findIn(space, newest!.namespace, nameBytes(key))
    if (seq !== undefined) return { kind: 'repeated', key, seq }
  }
  for (const [i, { name, expect }] of moves.entries()) {
    const isRead = newest === undefined || i < 2
    const actual = (isRead ? newest?.refs[i] : tables.refs.findIn(space, newest.namespace, nameBytes(name))) ?? null
    if (actual !== expect) return { kind: 'moved', name, actual }
  }
  const end = newest?.seq ?? 0
  if (after !== undefined && after !== end) return { kind: 'moved', name: '', actual: end }
  for (const [place, seq] of (needs ?? []).entries()) {
    const isMet = place === 0 ? newest?.firstNeed : metBy(statements, newest, seq)
    if (isMet !== 1) return { kind: 'dropped', seq }
  }
  if (newest === undefined || time >= newest.time) return undefined
  // Throws when the time was changed by damage.
  tables.lacks(space, newest.namespace, newest.seq, newest)
  return { kind: 'late', time: newest.time }
}

function metBy({ need }: Statements, newest: Newest | undefined, seq: number): number | undefined {
  if (newest === undefined || seq < 1 || seq > newest.seq) return undefined
  return (need.get(newest.namespace * namespaceSpan + seq) as { isMet: number } | undefined)?.isMet
}

function write(
  statements: Statements,
  { refs, keys: used }: Tables,
  space: Space,
  namespace: number,
  first: number,
  { entries, moves, keys = [], time }: Append,
): void {
  for (const [i, entry] of entries.entries()) addEntry(statements, space, namespace, first + i, time, entry)
  for (const { key, entry } of keys) used.add(space, namespace, nameBytes(key), first + entry)
  const end = first + entries.length - 1
  const [move] = moves
  // Most appends add one entry and move one ref to it.
  const isOne = move !== undefined && targetOf(move, first) === end
  if (isOne) {
    const name = nameBytes(move.name)
    const sums = [sumOfValue(space, 'refs', markName, end), sumOfValue(space, 'refs', name, end)] as const
    statements.moveOne.run(namespace, end, sums[0], name, sums[1])
  } else {
    refs.put(space, namespace, markName, end)
  }
  for (let i = isOne ? 1 : 0; i < moves.length; i++) moveRef(refs, space, namespace, first, moves[i]!)
}

/** Stores packs of entries before `end` anew. */
function storeAnew(
  statements: Statements,
  space: Space,
  namespace: number,
  end: number,
  repacks: readonly Repack[],
): void {
  for (const { seq, parts } of repacks) {
    if (seq < 1 || seq >= end) continue
    const id = namespace * namespaceSpan + seq
    const later = parts[1]?.first ?? null
    const [row] = statements.rowAt(id) as readonly unknown[] as readonly EntryRow[]
    const checksum = row && sumOfRepacked(space, row, later)
    if (checksum === undefined) continue
    statements.repack.run(later, parts[0]!.bytes, checksum, id)
    statements.dropParts.run(id)
    addLaterParts(statements, id, parts)
  }
}

function addEntry(
  statements: Statements,
  space: Space,
  namespace: number,
  seq: number,
  time: number,
  { leaf, text, commit, parts }: NewEntry,
): void {
  const id = namespace * namespaceSpan + seq
  const commitId = commit?.id ?? null
  const later = parts[1]?.first ?? null
  const checksum = sumOfEntry(space, seq, { leaf, time, commitId, later, hasPart: parts.length > 0 })
  const part = parts[0]?.bytes ?? null
  statements.addEntry.run(id, leaf, time, checksum, commitId, later, text, commit?.text ?? null, part)
  if (parts.length > 1) addLaterParts(statements, id, parts)
}

function addLaterParts({ addPart }: Statements, id: number, parts: readonly NewPart[]): void {
  for (const { first, bytes } of parts.slice(1)) addPart.run(id, first, bytes)
}

function targetOf({ to }: Move, first: number): number | null {
  return typeof to === 'object' && to !== null ? first + to.entry : to
}

function moveRef(refs: NamedValues, space: Space, namespace: number, first: number, move: Move): void {
  const seq = targetOf(move, first)
  const name = nameBytes(move.name)
  if (seq === move.expect) return
  if (seq === null) refs.remove(namespace, name)
  else refs.put(space, namespace, name, seq)
}
