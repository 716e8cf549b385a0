/**
 * Appends to a namespace in IndexedDB, and drops packs and namespaces.
 *
 * A transaction that writes has the tables to itself, also against other tabs, so what it compares cannot change before it is
 * written. Appends that come while one is under way share the next transaction; each is checked against what those before it
 * wrote, and one that is refused leaves nothing behind.
 */
import type { Append, Appended, Move, NewEntry, NewPart, Repack, Seen } from '../../store/contract/backend.ts'
import { refusedAppend } from '../../store/contract/refused-append.ts'
import { type AppendOutcome, appendQueue, type WaitingAppend } from '../append-queue.ts'
import { below, contentTables, type Database, type EntryRow, type HeadRow, resultOf, type Table } from './database.ts'

type Tables = (table: Table) => IDBObjectStore

const appendTables: readonly Table[] = ['heads', 'entries', 'parts', 'refs', 'keys']

/** How many appends one transaction takes. */
const MAX_APPENDS = 256

const encoder = new TextEncoder()

/** The key of a ref. */
export function refKey(namespace: string, name: string): [string, Uint8Array<ArrayBuffer>] {
  return [namespace, encoder.encode(name)]
}

/** Returns the append of a namespace. */
export function appender(
  database: Database,
  namespace: string,
  isStrict: boolean,
): (batch: Append) => Promise<Appended> {
  const queue = appendQueue()
  let isRunning = false

  async function runAll(): Promise<void> {
    isRunning = true
    while (queue.length > 0) {
      await runGroup(queue.take(MAX_APPENDS))
    }
    isRunning = false
  }

  async function runGroup(group: readonly WaitingAppend[]): Promise<void> {
    try {
      const outcomes = await database.transact(
        appendTables,
        'readwrite',
        at => appendAll(at, namespace, group),
        isStrict,
      )
      queue.settle(group, outcomes)
    } catch (error) {
      // What one of them caused must not fail the others.
      if (group.length === 1) group[0]!.reject(error)
      else for (const one of group) await runGroup([one])
    }
  }

  return batch => {
    const appended = queue.add(batch)
    if (!isRunning) void runAll()
    return appended
  }
}

async function appendAll(
  at: Tables,
  namespace: string,
  group: readonly WaitingAppend[],
): Promise<readonly AppendOutcome[]> {
  let reading: Promise<HeadRow | undefined> = resultOf(at('heads').get(namespace))
  const outcomes: AppendOutcome[] = []
  for (const { batch } of group) {
    const [head, seqs] = await Promise.all([reading, readCells(at, namespace, batch)])
    const rows = await readRows(at, namespace, head, batch)
    const refused = refusal(head, batch, seqs, rows)
    if (refused !== undefined) {
      outcomes.push({ appended: refused })
      continue
    }
    const first = (head?.seq ?? 0) + 1
    let entries: readonly NewEntry[]
    try {
      entries = typeof batch.entries === 'function' ? batch.entries(first) : batch.entries
    } catch (error) {
      outcomes.push({ error })
      continue
    }
    reading = Promise.resolve(write(at, namespace, head, first, entries, batch, rows))
    outcomes.push({ appended: { kind: 'done', first } })
  }
  return outcomes
}

/** Where the keys and refs of an append lead, in this order. */
function readCells(at: Tables, namespace: string, { keys = [], moves }: Append): Promise<readonly (number | null)[]> {
  return Promise.all([
    ...keys.map(async ({ key }) => (await resultOf<number | undefined>(at('keys').get([namespace, key]))) ?? null),
    ...moves.map(async ({ name }) => {
      const ref = await resultOf<{ seq: number } | undefined>(at('refs').get(refKey(namespace, name)))
      return ref?.seq ?? null
    }),
  ])
}

/** The entries that an append needs, stores anew, or has seen, but for what the head tells of the newest. */
async function readRows(
  at: Tables,
  namespace: string,
  head: HeadRow | undefined,
  { needs = [], repacks = [], seen }: Append,
): Promise<ReadonlyMap<number, EntryRow>> {
  const seqs = new Set(repacks.map(({ seq }) => seq))
  for (const seq of needs) if (seq !== head?.seq) seqs.add(seq)
  if (seen !== undefined && seen.seq !== head?.seq) seqs.add(seen.seq)
  if (seqs.size === 0) return new Map()
  const read = (seq: number): Promise<EntryRow | undefined> => resultOf(at('entries').get([namespace, seq]))
  const rows = await Promise.all([...seqs].map(read))
  return new Map(rows.flatMap(row => (row === undefined ? [] : [[row.seq, row]])))
}

function refusal(
  head: HeadRow | undefined,
  batch: Append,
  seqs: readonly (number | null)[],
  rows: ReadonlyMap<number, EntryRow>,
): Appended | undefined {
  const { keys = [], moves } = batch
  const names = [...keys.map(({ key }) => key), ...moves.map(({ name }) => name)]
  const at = (name: string, from: number): number | null => seqs[names.indexOf(name, from)] ?? null
  const leafOf = (seq: number): string | undefined => (seq === head?.seq ? head.leaf : rows.get(seq)?.leaf)
  return refusedAppend(
    {
      seq: head?.seq ?? 0,
      time: head?.time ?? 0,
      has: seen => head?.first === seen.first && leafOf(seen.seq) === seen.leaf,
      key: key => at(key, 0),
      ref: name => at(name, keys.length),
      hasNodes: seq => (seq === head?.seq ? head.isWhole : isWhole(rows.get(seq))),
    },
    batch,
  )
}

function isWhole(row: EntryRow | undefined): boolean {
  return row !== undefined && (row.id === undefined || row.part !== undefined)
}

function write(
  at: Tables,
  namespace: string,
  head: HeadRow | undefined,
  first: number,
  entries: readonly NewEntry[],
  { time, moves, keys = [], repacks = [] }: Append,
  rows: ReadonlyMap<number, EntryRow>,
): HeadRow {
  let packBytes = head?.packBytes ?? 0
  for (const repack of repacks) packBytes += storeAnew(at, rows.get(repack.seq), repack)
  for (const [i, { leaf, text, commit, parts }] of entries.entries()) {
    const seq = first + i
    const pack = packOf(at, namespace, seq, parts)
    const named = commit === undefined ? {} : { id: commit.id, commit: commit.text }
    const row: EntryRow = { namespace, seq, leaf, time, text, ...named, ...pack }
    at('entries').put(row, [namespace, seq])
    packBytes += pack.packBytes
  }
  for (const { key, entry } of keys) at('keys').put(first + entry, [namespace, key])
  for (const move of moves) moveRef(at('refs'), namespace, move, first)
  const newest = entries.at(-1)!
  const next: HeadRow = {
    seq: first + entries.length - 1,
    time,
    first: head?.first ?? entries[0]!.leaf,
    leaf: newest.leaf,
    isWhole: newest.commit === undefined || newest.parts.length > 0,
    packBytes,
  }
  at('heads').put(next, namespace)
  return next
}

function moveRef(refs: IDBObjectStore, namespace: string, { name, expect, to }: Move, first: number): void {
  if (to === expect) return
  if (to === null) refs.delete(refKey(namespace, name))
  else refs.put({ name, seq: typeof to === 'number' ? to : first + to.entry }, refKey(namespace, name))
}

/** The fields of an entry's row that tell of its pack, whose later parts are stored here. */
function packOf(
  at: Tables,
  namespace: string,
  seq: number,
  [part, ...later]: readonly NewPart[],
): Pick<EntryRow, 'part' | 'later' | 'packBytes'> {
  if (part === undefined) return { packBytes: 0 }
  for (const { first, bytes } of later) at('parts').put(bytes, [namespace, seq, first])
  const packBytes = later.reduce((sum, { bytes }) => sum + bytes.length, part.bytes.length)
  // A view of a larger buffer would be stored with all of it.
  const own = { part: part.bytes.slice(), packBytes }
  return later.length === 0 ? own : { ...own, later: later.map(({ first }) => first) }
}

/** Replaces the pack of an entry. Returns how many bytes more it takes. */
function storeAnew(at: Tables, row: EntryRow | undefined, { parts }: Repack): number {
  if (row?.part === undefined) return 0
  const { namespace, seq } = row
  at('parts').delete(below(namespace, seq))
  const pack = packOf(at, namespace, seq, parts)
  at('entries').put({ ...withoutPack(row), ...pack }, [namespace, seq])
  return pack.packBytes - row.packBytes
}

function withoutPack({ part: _, later: __, packBytes: ___, ...row }: EntryRow): Omit<EntryRow, 'packBytes'> {
  return row
}

/** Drops packs, if `newest` is the newest entry. */
export function dropPacks(
  database: Database,
  namespace: string,
  seqs: readonly number[],
  newest: Seen,
  isStrict: boolean,
): Promise<boolean> {
  const work = async (at: Tables): Promise<boolean> => {
    const head = await resultOf<HeadRow | undefined>(at('heads').get(namespace))
    if (head?.seq !== newest.seq || head.leaf !== newest.leaf || head.first !== newest.first) return false
    let { packBytes, isWhole } = head
    for (const seq of new Set(seqs)) {
      const row = await resultOf<EntryRow | undefined>(at('entries').get([namespace, seq]))
      if (row?.part === undefined) continue
      packBytes -= row.packBytes
      if (seq === head.seq) isWhole = row.id === undefined
      at('entries').put({ ...withoutPack(row), packBytes: 0 }, [namespace, seq])
      at('parts').delete(below(namespace, seq))
    }
    at('heads').put({ ...head, packBytes, isWhole } satisfies HeadRow, namespace)
    return true
  }
  return database.transact(['heads', 'entries', 'parts'], 'readwrite', work, isStrict)
}

/** Deletes a namespace. */
export function dropNamespace(database: Database, namespace: string): Promise<void> {
  return database.transact(['heads', ...contentTables], 'readwrite', async at => {
    at('heads').delete(namespace)
    for (const table of contentTables) at(table).delete(below(namespace))
  })
}
