/**
 * Appends entries to a SQLite store.
 *
 * This is the hottest path of the library: a handful of statements, prepared once, inside a transaction that the caller
 * began. All checks run before the first write, so a refused append leaves nothing to undo. This file knows neither locks
 * nor durability.
 */
import type { Append, Appended, Move, NewEntry, NewPart, Repack, Seen } from '../../store/contract/backend.ts'
import { backendError } from '../errors.ts'
import type { SqliteDatabase, SqliteStatement } from './module.ts'
import { nameBytes } from './namespace-table.ts'
import { maxNamespaces, namespaceSpan } from './tables.ts'

/** Appends a batch to a namespace, or returns why not. Call it inside a write transaction. */
export type AppendInside = (namespace: string, batch: Append) => Appended

/** Whether an entry has its pack, or holds no commit. `typeof` does not read the overflow pages of a large part. */
const hasNodes = "commit_id IS NULL OR typeof(part) <> 'null'"

/** Prepares the statements of `append`. */
export function appendInside(database: SqliteDatabase, file: string): AppendInside {
  const statements = {
    // One statement finds the namespace, its newest entry, the two refs that nearly every append moves or guards, and
    // whether the parent of a commit still has its pack.
    newest: database.prepare(`
      SELECT n.id AS namespace, e.id & ${namespaceSpan - 1} AS seq, CAST(e.time AS REAL) AS time, e.leaf AS leaf,
        (SELECT f.leaf FROM entries f WHERE f.id = n.id * ${namespaceSpan} + 1) AS first,
        (SELECT r.seq FROM refs r WHERE r.namespace = n.id AND r.name = ?2) AS firstRef,
        (SELECT r.seq FROM refs r WHERE r.namespace = n.id AND r.name = ?3) AS secondRef,
        (SELECT ${hasNodes} FROM entries WHERE entries.id = n.id * ${namespaceSpan} + ?4) AS firstNeed
      FROM namespaces n CROSS JOIN entries e
      WHERE n.name = ?1 AND e.id BETWEEN n.id * ${namespaceSpan} AND n.id * ${namespaceSpan} + ${namespaceSpan - 1}
      ORDER BY e.id DESC LIMIT 1`),
    newNamespace: database.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM namespaces'),
    addNamespace: database.prepare('INSERT INTO namespaces (id, name) VALUES (?, ?)'),
    key: database.prepare('SELECT seq FROM keys WHERE namespace = ? AND key = ?'),
    ref: database.prepare('SELECT seq FROM refs WHERE namespace = ? AND name = ?'),
    leaf: database.prepare('SELECT leaf FROM entries WHERE id = ?'),
    need: database.prepare(`SELECT ${hasNodes} AS isMet FROM entries WHERE id = ?`),
    addEntry: database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    addPart: database.prepare('INSERT INTO parts (entry, first, bytes) VALUES (?, ?, ?)'),
    packed: database.prepare("SELECT 1 FROM entries WHERE id = ? AND typeof(part) <> 'null'"),
    repack: database.prepare('UPDATE entries SET later = ?, part = ? WHERE id = ?'),
    dropParts: database.prepare('DELETE FROM parts WHERE entry = ?'),
    addKey: database.prepare('INSERT INTO keys VALUES (?, ?, ?)'),
    addRef: database.prepare('INSERT INTO refs VALUES (?, ?, ?)'),
    moveRef: database.prepare('UPDATE refs SET seq = ? WHERE namespace = ? AND name = ?'),
    deleteRef: database.prepare('DELETE FROM refs WHERE namespace = ? AND name = ?'),
  }

  return (name, batch) => {
    const [firstNeed = null] = batch.needs ?? []
    const newest = statements.newest.get(nameBytes(name), refOf(batch, 0), refOf(batch, 1), firstNeed) as
      | Newest
      | undefined
    const refused = refusal(statements, newest, batch)
    if (refused !== undefined) return refused
    const first = (newest?.seq ?? 0) + 1
    const namespace = newest?.namespace ?? addNamespace(name)
    if (batch.repacks !== undefined) storeAnew(statements, namespace, first, batch.repacks)
    write(statements, namespace, first, batch)
    return { kind: 'done', first }
  }

  function addNamespace(name: string): number {
    const { id } = statements.newNamespace.get() as { id: number }
    if (id > maxNamespaces) throw backendError('namespaces-full', { file, max: maxNamespaces })
    statements.addNamespace.run(id, nameBytes(name))
    return id
  }
}

type Statements = Readonly<
  Record<
    | 'key'
    | 'ref'
    | 'leaf'
    | 'need'
    | 'addEntry'
    | 'addPart'
    | 'packed'
    | 'repack'
    | 'dropParts'
    | 'addKey'
    | 'addRef'
    | 'moveRef'
    | 'deleteRef',
    SqliteStatement
  >
>

/** An existing namespace and its newest entry. */
interface Newest {
  readonly namespace: number
  readonly seq: number
  readonly time: number
  readonly leaf: string
  /** The leaf of the first entry. */
  readonly first: string
  /** The values of the refs in the batch's first two moves. */
  readonly firstRef: number | null
  readonly secondRef: number | null
  /** Whether the batch's first need is met; null when there is no such entry. */
  readonly firstNeed: number | null
}

function refOf({ moves }: Append, place: number): Uint8Array | null {
  const move = moves[place]
  return move === undefined ? null : nameBytes(move.name)
}

/** Whether a journal holds what was seen of it. The newest entry was read already, and is mostly the one that was seen. */
function holds({ leaf: leafOf }: Statements, newest: Newest | undefined, seen: Seen): boolean {
  if (newest === undefined || newest.first !== seen.first || newest.seq < seen.seq) return false
  if (newest.seq === seen.seq) return newest.leaf === seen.leaf
  return (leafOf.get(newest.namespace * namespaceSpan + seen.seq) as { leaf: string } | undefined)?.leaf === seen.leaf
}

function refusal(
  statements: Statements,
  newest: Newest | undefined,
  { seen, keys, moves, after, needs, time }: Append,
): Appended | undefined {
  const { key: keyOf, ref: refNamed } = statements
  if (seen !== undefined && !holds(statements, newest, seen)) return { kind: 'replaced' }
  const seqOf = (statement: SqliteStatement, name: string): number | undefined =>
    newest === undefined
      ? undefined
      : (statement.get(newest.namespace, nameBytes(name)) as { seq: number } | undefined)?.seq

  for (const { key } of keys ?? []) {
    const seq = seqOf(keyOf, key)
    if (seq !== undefined) return { kind: 'repeated', key, seq }
  }
  for (const [place, { name, expect }] of moves.entries()) {
    const known = place === 0 ? newest?.firstRef : newest?.secondRef
    const actual = (place < 2 ? known : seqOf(refNamed, name)) ?? null
    if (actual !== expect) return { kind: 'moved', name, actual }
  }
  const end = newest?.seq ?? 0
  if (after !== undefined && after !== end) return { kind: 'moved', name: '', actual: end }
  for (const [place, seq] of (needs ?? []).entries()) {
    const isMet = place === 0 ? newest?.firstNeed : metBy(statements, newest, seq)
    if (isMet !== 1) return { kind: 'dropped', seq }
  }
  const newestTime = newest?.time ?? 0
  return time < newestTime ? { kind: 'late', time: newestTime } : undefined
}

function metBy({ need }: Statements, newest: Newest | undefined, seq: number): number | undefined {
  if (newest === undefined || seq < 1 || seq > newest.seq) return undefined
  return (need.get(newest.namespace * namespaceSpan + seq) as { isMet: number } | undefined)?.isMet
}

function write(statements: Statements, namespace: number, first: number, { entries, moves, keys, time }: Append): void {
  let id = namespace * namespaceSpan + first
  for (const entry of entries) addEntry(statements, id++, time, entry)
  for (const { key, entry } of keys ?? []) statements.addKey.run(namespace, nameBytes(key), first + entry)
  for (const move of moves) moveRef(statements, namespace, first, move)
}

/** Stores packs of entries before `end` anew. */
function storeAnew(statements: Statements, namespace: number, end: number, repacks: readonly Repack[]): void {
  for (const { seq, parts } of repacks) {
    if (seq < 1 || seq >= end) continue
    const id = namespace * namespaceSpan + seq
    if (statements.packed.get(id) === undefined) continue
    statements.repack.run(parts[1]?.first ?? null, parts[0]!.bytes, id)
    statements.dropParts.run(id)
    addLaterParts(statements, id, parts)
  }
}

function addEntry(statements: Statements, id: number, time: number, entry: NewEntry): void {
  const { leaf, text, commit, parts } = entry
  const part = parts[0]?.bytes ?? null
  statements.addEntry.run(id, leaf, time, text, commit?.id ?? null, commit?.text ?? null, parts[1]?.first ?? null, part)
  if (parts.length > 1) addLaterParts(statements, id, parts)
}

function addLaterParts({ addPart }: Statements, id: number, parts: readonly NewPart[]): void {
  for (const { first, bytes } of parts.slice(1)) addPart.run(id, first, bytes)
}

function moveRef(statements: Statements, namespace: number, first: number, { name, expect, to }: Move): void {
  const seq = typeof to === 'object' && to !== null ? first + to.entry : to
  if (seq === expect) return
  if (seq === null) statements.deleteRef.run(namespace, nameBytes(name))
  else if (expect === null) statements.addRef.run(namespace, nameBytes(name), seq)
  else statements.moveRef.run(seq, namespace, nameBytes(name))
}
