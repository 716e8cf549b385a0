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
import type { PackTotals } from './index/pack-total.ts'
import type { SqliteDatabase, SqliteStatement } from './module.ts'
import { namespaceSpan } from './tables.ts'

/** Appends a batch to a namespace, or returns why not. Call it inside a write transaction. */
export type AppendInside = (namespace: string, batch: Append) => Appended

/** Whether an entry has its pack, or holds no commit. `typeof` does not read the overflow pages of a large part. */
const hasNodes = "commit_id IS NULL OR typeof(part) <> 'null'"

/** How many refs one statement reads at most. */
const manyRefs = 6

/**
 * The statement that finds the namespace, its newest entry, the first refs that the append moves or guards, and whether the
 * parent of a commit still has its pack.
 */
function newestSql(refs: number): string {
  const places = Array.from({ length: refs }, (_, i) => i)
  const cells = places.map(i => `${valueOrHidden('refs', `r${i}`, `?${i + 3}`)} AS ref${i}, r${i}.checksum AS sum${i}`)
  const joins = places.map(i => `LEFT JOIN refs r${i} ON r${i}.namespace = n.id AND r${i}.name = ?${i + 3}`)
  return `
    SELECT n.id, p.value AS end, p.checksum AS endSum, CAST(e.time AS REAL) AS time, e.leaf,
      (SELECT f.leaf FROM entries f WHERE f.id = n.id * ${namespaceSpan} + 1) AS first,
      (SELECT ${hasNodes} FROM entries WHERE entries.id = n.id * ${namespaceSpan} + ?2) AS firstNeed,
      ${cells.join(', ')}
    FROM namespaces n LEFT JOIN refs p ON p.namespace = n.id AND p.name = ${markLiteral}
      LEFT JOIN entries e ON e.id = n.id * ${namespaceSpan} + p.value
      ${joins.join(' ')}
    WHERE n.name = ?1`
}

/** Prepares the statements of `append`. `assertFits` sees the entries before the first is added. */
export function appendInside(
  database: SqliteDatabase,
  { namespaces, refs, keys }: CellTables,
  totals: PackTotals,
  assertFits: (entries: readonly NewEntry[], repacks: readonly Repack[]) => void,
): AppendInside {
  const statements: Statements = {
    // Nearly every append moves or guards two refs; one that makes a ref guards more.
    newest: preparedLists(database, newestSql(2)),
    newestOfMany: preparedLists(database, newestSql(manyRefs)),
    need: database.prepare(`SELECT ${hasNodes} AS isMet FROM entries WHERE id = ?`),
    // The newest entry, and one ref.
    moveOne: database.prepare(`
      INSERT INTO refs VALUES (?1, ${markLiteral}, ?2, ?3), (?1, ?4, ?5, ?6)
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
    const { repacks = [] } = batch
    const entries = typeof batch.entries === 'function' ? batch.entries(first) : batch.entries
    assertFits(entries, repacks)
    const namespace = newest?.namespace ?? namespaces.add(space)
    if (batch.repacks !== undefined) {
      const seqs = repacks.map(({ seq }) => seq)
      totals.around(space, namespace, seqs, () => storeAnew(statements, space, namespace, first, repacks))
    }
    write(statements, tables, space, namespace, first, entries, batch)
    return { kind: 'done', first }
  }
}

type Statements = Readonly<
  Record<'need' | 'moveOne' | 'addEntry' | 'addPart' | 'repack' | 'dropParts', SqliteStatement>
> & {
  readonly newest: ReturnType<typeof preparedLists>
  readonly newestOfMany: ReturnType<typeof preparedLists>
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
  /** Where the refs of the batch's first moves are, if they are. */
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
  firstNeed: number | null,
  ...refsAndSums: unknown[],
]

function newestOf(
  { newest, newestOfMany }: Statements,
  { namespaces }: Tables,
  space: Space,
  { moves, needs }: Append,
): Newest | undefined {
  const size = moves.length > 2 ? manyRefs : 2
  const names: (Uint8Array | null)[] = []
  for (let i = 0; i < size; i++) names.push(i < moves.length ? nameBytes(moves[i]!.name) : null)
  const [row] = (size === 2 ? newest : newestOfMany)(space.bytes, needs?.[0] ?? null, ...names)
  if (row === undefined) {
    // Throws when the namespace is only hidden.
    namespaces.find(space)
    return undefined
  }
  const [namespace, end, endSum, time, leaf, first, firstNeed, ...cells] = row as readonly unknown[] as NewestRow
  const seq = checkedValue(space, 'refs', markName, end, endSum)
  if (leaf === null || time === null) throw damagedEntry(seq, undefined)
  const refs = names.map((name, i) =>
    cells[2 * i] === null ? undefined : checkedValue(space, 'refs', name, cells[2 * i], cells[2 * i + 1]),
  )
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
    const isRead = newest === undefined || i < newest.refs.length
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
  entries: readonly NewEntry[],
  { moves, keys = [], time }: Append,
): void {
  for (const [i, entry] of entries.entries()) addEntry(statements, space, namespace, first + i, time, entry)
  for (const { key, entry } of keys) used.add(space, namespace, nameBytes(key), first + entry)
  const end = first + entries.length - 1
  // Most appends move one ref: with the mark, that is one statement.
  const isOne = moves.length > 0 && isPut(moves[0]!, first)
  if (isOne) {
    const name = nameBytes(moves[0]!.name)
    const to = targetOf(moves[0]!, first)!
    const sums = [sumOfValue(space, 'refs', markName, end), sumOfValue(space, 'refs', name, to)] as const
    statements.moveOne.run(namespace, end, sums[0], name, to, sums[1])
  } else {
    refs.put(space, namespace, markName, end)
  }
  for (let i = isOne ? 1 : 0; i < moves.length; i++) moveRef(refs, space, namespace, first, moves[i]!)
}

/** Whether a move gives a ref another place, and is no guard. */
function isPut(move: Move, first: number): boolean {
  const seq = targetOf(move, first)
  return seq !== null && seq !== move.expect
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
