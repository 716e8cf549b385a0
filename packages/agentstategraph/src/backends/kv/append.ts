/**
 * Appends entries to a namespace in a `KVStore`, and drops packs and namespaces.
 *
 * Optimistic concurrency: the cell is read before anything it guards, and the batch that writes compares it and changes it.
 * When another writer changed anything in between the comparison fails, and the append starts over. An append that finds its
 * own token was written by a batch whose answer was lost.
 */
import type {
  Append,
  Appended,
  KVBatch,
  KVStore,
  NewEntry,
  NewPart,
  Repack,
  Seen,
} from '../../store/contract/backend.ts'
import { refusedAppend } from '../../store/contract/refused-append.ts'
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { type Cell, decodeCell, decodeEntry, decodeNumber, encodeJson } from './cell.ts'
import type { NamespaceKeys } from './keys.ts'
import { clearedMarks } from './query-index.ts'
import { holds, isSameBytes } from './read.ts'
import { isWritten, newToken } from './send.ts'

/** One writer wins each race, so losing so many in a row means that something else is wrong. */
const maxAttempts = 10_000

export async function appendTo(
  store: KVStore,
  namespace: string,
  keys: NamespaceKeys,
  batch: Append,
): Promise<Appended> {
  const token = newToken()
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const expect = await store.get(keys.cell)
    const cell = decodeCell(keys, expect)
    const refused = await refusal(store, keys, cell, batch)
    if (refused !== undefined) return refused
    const first = cell.seq + 1
    const entries = typeof batch.entries === 'function' ? batch.entries(first) : batch.entries
    const changes = changesOf(keys, first, entries, batch)
    const repacked = batch.repacks === undefined ? 0 : await addRepacks(store, keys, batch.repacks, changes)
    const packBytes = entries.reduce((sum, { parts }) => sum + bytesOf(parts), cell.packBytes + repacked)
    const next = { ...cell, seq: cell.seq + entries.length, time: batch.time, packBytes, token }
    const value = encodeJson(keys.cell, next)
    // Entries are added where there are none, so a cell that tells of too few can never cost one.
    const compareAndSet = [{ key: keys.cell, expect, value }, ...entriesOf(keys, first, entries, batch.time, token)]
    if (await isWritten(store, namespace, { ...changes, compareAndSet }, () => hasToken(store, keys, first, token))) {
      return { kind: 'done', first }
    }
    await assertFree(store, keys, expect, first)
  }
  throw backendError('contention-lost', { namespace, attempts: maxAttempts })
}

/** Whether the append with this token wrote its entries from `first` on: it was the newest one, or has others after it. */
async function hasToken(store: KVStore, keys: NamespaceKeys, first: number, token: string): Promise<boolean> {
  if (decodeCell(keys, await store.get(keys.cell)).token === token) return true
  const entry = await store.get(keys.entry(first))
  return entry !== undefined && decodeEntry(keys.entry(first), entry).token === token
}

/** Drops packs, if `newest` is the newest entry. An entry whose pack was dropped names no parts any more. */
export async function dropPacksOf(
  store: KVStore,
  namespace: string,
  keys: NamespaceKeys,
  seqs: readonly number[],
  newest: Seen,
): Promise<boolean> {
  const token = newToken()
  const isDropped = async (): Promise<boolean> =>
    (await store.getMany(seqs.map(keys.entry))).every(
      (row, i) => row === undefined || decodeEntry(keys.entry(seqs[i]!), row).firsts.length === 0,
    )
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const expect = await store.get(keys.cell)
    const cell = decodeCell(keys, expect)
    if (cell.seq !== newest.seq || !(await holds(store, keys, cell.seq, newest))) return false
    const rows = await store.getMany(seqs.map(keys.entry))
    const put = new Map<string, Uint8Array>()
    const deleted: string[] = []
    let { packBytes } = cell
    for (const [i, seq] of seqs.entries()) {
      const key = keys.entry(seq)
      const entry = rows[i] && decodeEntry(key, rows[i])
      if (entry === undefined || entry.firsts.length === 0) continue
      packBytes -= entry.packBytes
      put.set(key, encodeJson(key, { ...entry, firsts: [], packBytes: 0 }))
      for (const first of entry.firsts) deleted.push(keys.part(seq, first))
    }
    if (put.size === 0) return true
    const value = encodeJson(keys.cell, { ...cell, packBytes, token })
    const changes = { put, delete: deleted, compareAndSet: [{ key: keys.cell, expect, value }] }
    if (await isWritten(store, namespace, changes, isDropped)) return true
  }
  throw backendError('contention-lost', { namespace, attempts: maxAttempts })
}

/** Drops a namespace. Its cell stays, so that a namespace made again is not taken for this one. */
export async function dropFrom(store: KVStore, namespace: string, keys: NamespaceKeys): Promise<void> {
  const token = newToken()
  const isGone = async (life: number): Promise<boolean> => decodeCell(keys, await store.get(keys.cell)).life > life
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const expect = await store.get(keys.cell)
    const { life, seq } = decodeCell(keys, expect)
    if (seq === 0) return
    const value = encodeJson(keys.cell, { life: life + 1, seq: 0, time: 0, packBytes: 0, token })
    const changes = {
      clear: keys.prefixes,
      put: clearedMarks(keys),
      compareAndSet: [{ key: keys.cell, expect, value }],
    }
    // A namespace of a later life is another one, made after this one was dropped.
    if (await isWritten(store, namespace, changes, () => isGone(life))) return
  }
  throw backendError('contention-lost', { namespace, attempts: maxAttempts })
}

/** Reads what an append asks about, and compares. */
async function refusal(
  store: KVStore,
  keys: NamespaceKeys,
  { seq, time }: Cell,
  batch: Append,
): Promise<Appended | undefined> {
  const { seen, keys: used = [], moves, needs = [] } = batch
  const isSeen = seen === undefined || (await holds(store, keys, seq, seen))
  const cells = [...used.map(({ key }) => keys.key(key)), ...moves.map(({ name }) => keys.ref(name))]
  const values = cells.length === 0 ? [] : await store.getMany(cells)
  const numbers = new Map(cells.map((cell, i) => [cell, decodeNumber(keys, cell, values[i])]))
  const needed = needs.length === 0 ? [] : await store.getMany(needs.map(keys.entry))
  const rows = new Map(needs.map((need, i) => [need, needed[i]]))
  return refusedAppend(
    {
      seq,
      time,
      has: () => isSeen,
      key: key => numbers.get(keys.key(key)),
      ref: name => numbers.get(keys.ref(name)),
      hasNodes: need => hasNodes(keys.entry(need), rows.get(need)),
    },
    batch,
  )
}

function hasNodes(key: string, row: Uint8Array | undefined): boolean {
  if (row === undefined) return false
  const { commit, firsts } = decodeEntry(key, row)
  return commit === undefined || firsts.length > 0
}

interface Changes {
  readonly put: Map<string, Uint8Array>
  readonly delete: string[]
}

/** Adds what stores packs anew to the changes of an append, and returns how many bytes more the packs then have. */
async function addRepacks(
  store: KVStore,
  keys: NamespaceKeys,
  repacks: readonly Repack[],
  changes: Changes,
): Promise<number> {
  let more = 0
  const rows = await store.getMany(repacks.map(({ seq }) => keys.entry(seq)))
  for (const [i, { seq, parts }] of repacks.entries()) {
    const entry = rows[i] && decodeEntry(keys.entry(seq), rows[i])
    if (entry === undefined || entry.firsts.length === 0) continue
    const firsts = parts.map(({ first }) => first)
    const packBytes = bytesOf(parts)
    more += packBytes - entry.packBytes
    changes.put.set(keys.entry(seq), encodeJson(keys.entry(seq), { ...entry, firsts, packBytes }))
    for (const { first, bytes } of parts) changes.put.set(keys.part(seq, first), bytes)
    for (const first of entry.firsts) if (!firsts.includes(first)) changes.delete.push(keys.part(seq, first))
  }
  return more
}

function bytesOf(parts: readonly NewPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

/** Throws when the place of the next entry is taken though nobody else appended. */
async function assertFree(
  store: KVStore,
  keys: NamespaceKeys,
  cell: Uint8Array | undefined,
  next: number,
): Promise<void> {
  if ((await store.get(keys.entry(next))) === undefined) return
  if (!isSameBytes(await store.get(keys.cell), cell)) return
  const reason = `entry ${next} is stored, and the journal is said to end before it`
  throw storeError('derived-corrupt', { namespace: keys.name, what: 'end of the journal', reason })
}

function entriesOf(
  keys: NamespaceKeys,
  first: number,
  entries: readonly NewEntry[],
  time: number,
  token: string,
): NonNullable<KVBatch['compareAndSet']> {
  return entries.map(({ leaf, text, commit, parts }, i) => {
    const key = keys.entry(first + i)
    const firsts = parts.map(part => part.first)
    const entry = { leaf, time, text, commit, firsts, packBytes: bytesOf(parts), token: i === 0 ? token : undefined }
    return { key, expect: undefined, value: encodeJson(key, entry) }
  })
}

function changesOf(
  keys: NamespaceKeys,
  first: number,
  entries: readonly NewEntry[],
  { moves, keys: used = [] }: Append,
): Changes {
  const put = new Map<string, Uint8Array>()
  const deleted = new Set<string>()
  for (const [i, { commit, parts }] of entries.entries()) {
    const seq = first + i
    for (const part of parts) put.set(keys.part(seq, part.first), part.bytes)
    if (commit !== undefined) put.set(keys.commit({ seq, id: commit.id }), new Uint8Array())
  }
  for (const { key, entry } of used) put.set(keys.key(key), encodeJson(keys.key(key), first + entry))
  for (const { name, expect, to } of moves) {
    if (to === expect) continue
    const key = keys.ref(name)
    if (to === null) {
      put.delete(key)
      deleted.add(key)
    } else {
      put.set(key, encodeJson(key, typeof to === 'number' ? to : first + to.entry))
      deleted.delete(key)
    }
  }
  return { put, delete: [...deleted] }
}
