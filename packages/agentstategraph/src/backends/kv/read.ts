/**
 * Reads a namespace in a `KVStore`.
 *
 * A store lists keys in any order, unless it has `listAfter`, so other listings are sorted here.
 */
import type {
  Checked,
  Column,
  FoundCommit,
  KVStore,
  PartPointer,
  RefCell,
  RefPart,
  Seen,
  StoredEntry,
  StoredPart,
} from '../../store/contract/backend.ts'
import { compareNames } from '../../store/contract/names.ts'
import { storeError } from '../../store/errors.ts'
import { decodeEntry, decodeNumber, findCell } from './cell.ts'
import type { NamespaceKeys } from './keys.ts'

/** The entries of a range, with the requested columns. */
export async function entriesOf(
  store: KVStore,
  keys: NamespaceKeys,
  from: number,
  to: number,
  columns: readonly Column[],
): Promise<readonly StoredEntry[]> {
  const cell = findCell(keys, await store.get(keys.cell))
  // Entries can be read though it is not known where they end.
  const newest = cell?.seq ?? (await lastFrom(store, keys, Math.max(from, 1), to))
  const seqs: number[] = []
  for (let seq = Math.max(from, 1); seq <= Math.min(to, newest); seq++) seqs.push(seq)
  const rows = await store.getMany(seqs.map(keys.entry))
  const parts = columns.includes('part') ? await store.getMany(seqs.map(seq => keys.part(seq, 0))) : []
  return seqs.flatMap((seq, i) => {
    const row = rows[i]
    if (row === undefined) return []
    const { leaf, time, text, commit } = decodeEntry(keys.entry(seq), row)
    return {
      seq,
      leaf,
      time,
      text: columns.includes('text') ? text : '',
      commit: columns.includes('commit') ? commit : undefined,
      part: parts[i],
    }
  })
}

/** The last entry of a range whose entries are all stored up to it. */
async function lastFrom(store: KVStore, keys: NamespaceKeys, from: number, to: number): Promise<number> {
  let last = from - 1
  while (last < to && (await store.get(keys.entry(last + 1))) !== undefined) last++
  return last
}

/** Whether the journal holds what was seen of it, and its newest entry. */
export async function checkOf(store: KVStore, keys: NamespaceKeys, seen: Seen | undefined): Promise<Checked> {
  for (;;) {
    const cell = await store.get(keys.cell)
    const seq = findCell(keys, cell)?.seq ?? seen?.seq ?? 1
    if (seq === 0) return seen === undefined ? { kind: 'same', newest: undefined } : { kind: 'replaced' }
    const leaves = await leavesOf(store, keys, [1, seen?.seq ?? 1, seq])
    const [first, atSeen, leaf] = leaves
    // The namespace was dropped during the read, so its cell has changed too.
    if (first === undefined || leaf === undefined) {
      if (isSameBytes(await store.get(keys.cell), cell)) return { kind: 'replaced' }
      continue
    }
    if (seen !== undefined && !isSeen(seen, first, atSeen)) return { kind: 'replaced' }
    return { kind: 'same', newest: { first, seq, leaf } }
  }
}

/** Whether the journal whose cell has this number of entries holds what was seen of it. */
export async function holds(store: KVStore, keys: NamespaceKeys, size: number, seen: Seen): Promise<boolean> {
  if (size < seen.seq) return false
  const [first, leaf] = await leavesOf(store, keys, [1, seen.seq])
  return isSeen(seen, first, leaf)
}

/** Whether the leaves are those that were seen. Throws when they are not because their entries are damaged. */
function isSeen(seen: Seen, first: string | undefined, leaf: string | undefined): boolean {
  if (first === seen.first && leaf === seen.leaf) return true
  const damaged = first === '' ? 1 : leaf === '' ? seen.seq : undefined
  if (damaged === undefined) return false
  const reason = 'it is not stored as it was written'
  throw storeError('object-corrupt', { seq: damaged, id: `entry ${damaged}`, reason })
}

async function leavesOf(
  store: KVStore,
  keys: NamespaceKeys,
  seqs: readonly number[],
): Promise<readonly (string | undefined)[]> {
  const rows = await store.getMany(seqs.map(keys.entry))
  return rows.map((row, i) => row && decodeEntry(keys.entry(seqs[i]!), row).leaf)
}

export function isSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a?.length === b?.length && (a ?? []).every((byte, i) => byte === b?.[i])
}

/** The part that holds each pointer's node. */
export async function partsOf(
  store: KVStore,
  keys: NamespaceKeys,
  pointers: readonly PartPointer[],
): Promise<readonly (StoredPart | undefined)[]> {
  const rows = await store.getMany(pointers.map(({ seq }) => keys.entry(seq)))
  const firsts = pointers.map(({ seq, index }, i) => {
    const row = rows[i]
    return row && decodeEntry(keys.entry(seq), row).firsts.findLast(first => first <= index)
  })
  // No part begins at -1, so a pointer without a part finds nothing.
  const parts = await store.getMany(pointers.map(({ seq }, i) => keys.part(seq, firsts[i] ?? -1)))
  return pointers.map(({ seq }, i) => {
    const bytes = parts[i]
    const first = firsts[i]
    return bytes === undefined || first === undefined ? undefined : { seq, first, bytes }
  })
}

/** The commits whose id begins with a prefix, oldest first. */
export async function commitsOf(
  store: KVStore,
  keys: NamespaceKeys,
  prefix: string,
  limit: number,
): Promise<readonly FoundCommit[]> {
  const found: FoundCommit[] = []
  for await (const key of store.list(keys.commits + prefix)) found.push(keys.foundCommit(key))
  return found.sort((a, b) => a.seq - b.seq).slice(0, limit)
}

/** The refs whose names begin with a prefix, sorted by name. */
export async function refsOf(
  store: KVStore,
  keys: NamespaceKeys,
  prefix: string,
  { after = '', limit }: RefPart = { limit: Number.POSITIVE_INFINITY },
): Promise<readonly RefCell[]> {
  const names = await refNames(store, keys, prefix, after, limit)
  const seqs = await store.getMany(names.map(keys.ref))
  return names.flatMap((name, i) => {
    const seq = decodeNumber(keys, keys.ref(name), seqs[i])
    return seq === null ? [] : { name, seq }
  })
}

async function refNames(
  store: KVStore,
  keys: NamespaceKeys,
  prefix: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const names: string[] = []
  if (store.listAfter !== undefined) {
    if (limit === 0) return names
    for await (const key of store.listAfter(keys.ref(prefix), keys.ref(after))) {
      if (names.push(keys.refName(key)) === limit) break
    }
    return names
  }
  for await (const key of store.list(keys.ref(prefix))) {
    const name = keys.refName(key)
    if (compareNames(name, after) > 0) names.push(name)
  }
  return names.sort(compareNames).slice(0, limit)
}
