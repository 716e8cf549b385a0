/**
 * The derived index of a namespace in a `KVStore`.
 *
 * The entries of a block that have a term are one cell. A batch compares and sets the mark that it was made at; only such
 * batches change the index, so the cells that a batch was computed from have not changed when it is written.
 */
import type { KVStore } from '../../store/contract/backend.ts'
import type { IndexBatch, IndexCount, IndexSearch, LogHashes, LogIndex } from '../../store/contract/index-log.ts'
import { addedPlaces, placesByBlock } from '../index-places.ts'
import { searchInSteps } from '../search-steps.ts'
import {
  decodeCell,
  decodeMark,
  decodeNumber,
  decodePlaces,
  encodeBytes,
  encodeJson,
  findBytes,
  type Mark,
} from './cell.ts'
import type { NamespaceKeys } from './keys.ts'
import { isWritten, newToken } from './send.ts'

/** How many cells a search reads at most in one call. */
const cellsTogether = 1024

type Cells = Map<string, Uint8Array>

/** Returns the index of a namespace. */
export function kvIndex(store: KVStore, namespace: string, keys: NamespaceKeys): LogIndex {
  const exists = async (): Promise<boolean> => decodeCell(keys, await store.get(keys.cell)).seq > 0

  /** Writes what `cells` computes and moves a mark, if it is at `from`. */
  async function advance(key: string, from: number, to: number, cells: () => Promise<Cells>): Promise<boolean> {
    const expect = await store.get(key)
    if (decodeMark(keys, key, expect).mark !== from || !(await exists())) return false
    const token = newToken()
    const compareAndSet = [{ key, expect, value: encodeJson(key, { mark: to, token }) }]
    const isOwn = async (): Promise<boolean> => (await markAt(key)).token === token
    return isWritten(store, namespace, { put: await cells(), compareAndSet }, isOwn)
  }

  const markAt = async (key: string): Promise<Mark> => decodeMark(keys, key, await store.get(key))

  const hashes: LogHashes = {
    mark: async () => (await markAt(keys.marks.hashes)).mark,
    add: ({ from, to, hashes }) =>
      advance(keys.marks.hashes, from, to, async () => {
        return new Map(hashes.map(one => [keys.hash(one), encodeBytes(keys.hash(one), one.hash)]))
      }),
    // A damaged hash is made again from those below it.
    async read(places) {
      const values = await store.getMany(places.map(keys.hash))
      return values.map((value, i) => value && findBytes(keys.hash(places[i]!), value))
    },
  }

  return {
    mark: async () => (await markAt(keys.marks.terms)).mark,
    add: batch => advance(keys.marks.terms, batch.from, batch.to, () => cellsOf(store, keys, batch)),
    async search(search) {
      for (;;) {
        const { mark, token } = await markAt(keys.marks.terms)
        const seqs = await searchUntil(store, keys, search, mark)
        // A batch between the reads may have given terms to entries before the mark.
        if ((await markAt(keys.marks.terms)).token === token) return { mark, seqs }
      }
    },
    counts: async groups => (await Promise.all(groups.map(group => countsOf(store, keys, group)))).flat(),
    hashes,
    async clear() {
      if (await exists()) await store.batch({ clear: keys.derived, put: clearedMarks(keys) })
    },
  }
}

/** The marks of an empty index. Their tokens are fresh, so that no batch made before is added to it. */
export function clearedMarks({ marks }: NamespaceKeys): Cells {
  return new Map(Object.values(marks).map(key => [key, encodeJson(key, { mark: 0, token: newToken() })]))
}

/** The cells that a batch changes, as they are after it. */
async function cellsOf(store: KVStore, keys: NamespaceKeys, { rows, counts }: IndexBatch): Promise<Cells> {
  const added = new Map<string, readonly number[]>()
  for (const [block, terms] of placesByBlock(rows)) {
    for (const [term, places] of terms) added.set(keys.term(block, term), places)
  }
  const sums = new Map<string, number>()
  for (const { group, name, count } of counts) {
    const key = keys.group(group) + name
    sums.set(key, (sums.get(key) ?? 0) + count)
  }
  const kept = await store.getMany([...added.keys(), ...sums.keys()])
  const cells: Cells = new Map()
  let at = 0
  for (const [key, places] of added) {
    cells.set(key, encodeBytes(key, addedPlaces(decodePlaces(keys, key, kept[at++]), places)))
  }
  for (const [key, sum] of sums) cells.set(key, encodeJson(key, (decodeNumber(keys, key, kept[at++]) ?? 0) + sum))
  return cells
}

function searchUntil(store: KVStore, keys: NamespaceKeys, search: IndexSearch, mark: number): Promise<number[]> {
  const mostBlocks = (terms: number): number => Math.max(1, Math.floor(cellsTogether / Math.max(1, terms)))
  return searchInSteps(search, mark, mostBlocks, async (terms, from, to) => {
    const cells = await readTerms(store, keys, terms, from, to)
    return (term, block) => cells.get(keys.term(block, term))
  })
}

/** The cells of terms in a range of blocks. */
async function readTerms(
  store: KVStore,
  keys: NamespaceKeys,
  terms: readonly string[],
  from: number,
  to: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted: string[] = []
  for (let block = from; block <= to; block++) for (const term of terms) wanted.push(keys.term(block, term))
  const values = await store.getMany(wanted)
  const cells: Cells = new Map()
  for (const [i, key] of wanted.entries()) {
    const places = decodePlaces(keys, key, values[i])
    if (places !== undefined) cells.set(key, places)
  }
  return cells
}

/** The names of a group with their counts, sorted by name. */
async function countsOf(store: KVStore, keys: NamespaceKeys, group: string): Promise<readonly IndexCount[]> {
  const prefix = keys.group(group)
  const found: string[] = []
  for await (const key of store.list(prefix)) found.push(key)
  found.sort()
  const values = await store.getMany(found)
  return found.flatMap((key, i) => {
    const count = decodeNumber(keys, key, values[i])
    return count === null ? [] : { group, name: key.slice(prefix.length), count }
  })
}
