/**
 * Appends to a namespace in IndexedDB, and drops packs and namespaces.
 *
 * A transaction that writes has the tables to itself, also against other tabs, so what it compares cannot change before it is
 * written. Appends that come while one is under way share the next transaction; each is checked against what those before it
 * wrote, and one that is refused leaves nothing behind.
 *
 * Refs move in appends only, so where the newest entry is the one that this tab has seen last, the refs are those that it has seen:
 * such an append reads the head and nothing else. While no other tab writes, it writes before the head is read, and is undone
 * and made again when the head is another one.
 */
import type { Append, Appended, Move, NewEntry, NewPart, Repack, Seen } from '../../store/contract/backend.ts'
import { refusedAppend } from '../../store/contract/refused-append.ts'
import { type AppendOutcome, appendQueue, type WaitingAppend } from '../append-queue.ts'
import { below, contentTables, type Database, type EntryRow, type HeadRow, resultOf, type Table } from './database.ts'

type Tables = (table: Table) => IDBObjectStore

const appendTables: readonly Table[] = ['heads', 'entries', 'parts', 'refs', 'keys']

/** How many appends one transaction takes. */
const MAX_APPENDS = 256

/** Where refs and keys lead, by name. */
type Places = Map<string, number | null>

/** The end of the journal, and where some refs lead as long as it is the end. */
interface Known {
  readonly head: HeadRow | undefined
  readonly refs: Places
  /** Whether this tab wrote the entry that was the end when it was looked at last. */
  readonly isAlone: boolean
}

/** Ends a transaction that began to write after an entry that is not the end. */
const notTheEnd = new Error('Another tab has written to the store')

/** How many refs are remembered. */
const MAX_KNOWN = 256

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
  let known: Known | undefined

  async function runAll(): Promise<void> {
    isRunning = true
    while (queue.length > 0) {
      const before = known
      known = undefined
      await runGroup(queue.take(MAX_APPENDS), before)
    }
    isRunning = false
  }

  async function runGroup(group: readonly WaitingAppend[], before: Known | undefined): Promise<void> {
    try {
      const { outcomes, after } = await database.transact(
        appendTables,
        'readwrite',
        at => appendAll(at, namespace, group, before),
        isStrict,
      )
      if (after.refs.size <= MAX_KNOWN) known = after
      queue.settle(group, outcomes)
    } catch (error) {
      if (before !== undefined && (error as Error).cause === notTheEnd) {
        await runGroup(group, { ...before, isAlone: false })
      }
      // What one of them caused must not fail the others.
      else if (group.length === 1) group[0]!.reject(error)
      else for (const one of group) await runGroup([one], undefined)
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
  known: Known | undefined,
): Promise<{ readonly outcomes: readonly AppendOutcome[]; readonly after: Known }> {
  const refs: Places = new Map(known?.refs)
  const reading = resultOf<HeadRow | undefined>(at('heads').get(namespace))
  const isAssumed = known?.isAlone === true
  let head = known?.head
  // Where it fails, the transaction does, which says so.
  if (isAssumed) reading.catch(() => {})
  else [head] = await Promise.all([reading, readRefs(at, namespace, group[0]!.batch, refs)])
  const isAlone = known !== undefined && isSameEnd(known.head, head)
  if (known !== undefined && !isAlone) refs.clear()
  const outcomes: AppendOutcome[] = []
  for (const { batch } of group) {
    const [keys, rows] = await Promise.all([
      readKeys(at, namespace, batch),
      readRows(at, namespace, head, batch),
      readRefs(at, namespace, batch, refs),
    ])
    const refused = refusal(head, batch, keys, refs, rows)
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
    head = write(at, namespace, head, first, entries, batch, rows)
    for (const { name, to } of batch.moves) refs.set(name, placeOf(to, first))
    outcomes.push({ appended: { kind: 'done', first } })
  }
  if (isAssumed && !isSameEnd(known.head, await reading)) throw notTheEnd
  return { outcomes, after: { head, refs, isAlone } }
}

/** Garbage collection changes a head too, and no entry. */
function isSameEnd(a: HeadRow | undefined, b: HeadRow | undefined): boolean {
  const isSameEntry = a?.seq === b?.seq && a?.leaf === b?.leaf && a?.first === b?.first
  return isSameEntry && a?.isWhole === b?.isWhole && a?.packBytes === b?.packBytes
}

/** Where a move leads its ref. */
function placeOf(to: Move['to'], first: number): number | null {
  return to === null || typeof to === 'number' ? to : first + to.entry
}

async function readKeys(at: Tables, namespace: string, { keys = [] }: Append): Promise<Places> {
  const read = async ({ key }: { readonly key: string }): Promise<[string, number | null]> => [
    key,
    (await resultOf<number | undefined>(at('keys').get([namespace, key]))) ?? null,
  ]
  return new Map(await Promise.all(keys.map(read)))
}

/** Adds where the refs of an append lead, as far as that is not known. */
async function readRefs(at: Tables, namespace: string, { moves }: Append, refs: Places): Promise<void> {
  const unknown = moves.filter(({ name }) => !refs.has(name))
  await Promise.all(
    unknown.map(async ({ name }) => {
      const ref = await resultOf<{ seq: number } | undefined>(at('refs').get(refKey(namespace, name)))
      refs.set(name, ref?.seq ?? null)
    }),
  )
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
  keys: Places,
  refs: Places,
  rows: ReadonlyMap<number, EntryRow>,
): Appended | undefined {
  const leafOf = (seq: number): string | undefined => (seq === head?.seq ? head.leaf : rows.get(seq)?.leaf)
  return refusedAppend(
    {
      seq: head?.seq ?? 0,
      time: head?.time ?? 0,
      has: seen => head?.first === seen.first && leafOf(seen.seq) === seen.leaf,
      key: key => keys.get(key),
      ref: name => refs.get(name),
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
  const seq = placeOf(to, first)
  if (seq === null) refs.delete(refKey(namespace, name))
  else refs.put({ name, seq }, refKey(namespace, name))
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
