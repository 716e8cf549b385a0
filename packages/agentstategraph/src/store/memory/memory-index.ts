/** An index in memory: for each term the entries that have it, in order. */

import type { HashPlace, IndexCount, SyncLogHashes, SyncLogIndex } from '../contract/index-log.ts'
import { blockEntries, type FillBits, searchBlocks, setBit } from './search-terms.ts'

interface Kept {
  mark: number
  readonly terms: Map<string, number[]>
  readonly counts: Map<string, Map<string, number>>
}

/** Makes an empty index. */
export function memoryIndex(): SyncLogIndex {
  let kept = empty()
  let hashes = memoryHashes()
  const fill: FillBits = (term, block, bits) => {
    const seqs = kept.terms.get(term) ?? []
    const start = block * blockEntries
    const first = placeOf(seqs, start)
    let at = first
    for (; at < seqs.length && seqs[at]! < start + blockEntries; at++) setBit(bits, seqs[at]! - start)
    return at > first
  }
  return {
    mark: () => kept.mark,
    add({ from, to, rows, counts }) {
      if (from !== kept.mark) return false
      for (const { seq, terms } of rows) for (const term of terms) addTerm(kept, term, seq)
      for (const one of counts) addCount(kept, one)
      kept.mark = to
      return true
    },
    search: search => ({ mark: kept.mark, seqs: searchBlocks(search, kept.mark, fill) }),
    counts: groups =>
      groups.flatMap(group => {
        const counts = [...(kept.counts.get(group) ?? [])].map(([name, count]) => ({ group, name, count }))
        return counts.sort((a, b) => (a.name < b.name ? -1 : 1))
      }),
    hashes: {
      mark: () => hashes.mark(),
      add: batch => hashes.add(batch),
      read: places => hashes.read(places),
    },
    clear() {
      kept = empty()
      hashes = memoryHashes()
    },
  }
}

/** Makes an empty place for hashes. */
export function memoryHashes(): SyncLogHashes {
  const kept = new Map<string, Uint8Array>()
  let mark = 0
  return {
    mark: () => mark,
    add({ from, to, hashes }) {
      if (from !== mark) return false
      for (const { hash, ...place } of hashes) kept.set(nameOf(place), hash)
      mark = to
      return true
    },
    read: places => places.map(place => kept.get(nameOf(place))),
  }
}

function nameOf({ level, index }: HashPlace): string {
  return `${level}/${index}`
}

/** The index of a namespace that may not exist: then it is empty and accepts no batch. */
export function lazyIndex(find: () => SyncLogIndex | undefined): SyncLogIndex {
  return {
    mark: () => find()?.mark() ?? 0,
    add: batch => find()?.add(batch) ?? false,
    search: search => find()?.search(search) ?? { mark: 0, seqs: [] },
    counts: groups => find()?.counts(groups) ?? [],
    hashes: {
      mark: () => find()?.hashes.mark() ?? 0,
      add: batch => find()?.hashes.add(batch) ?? false,
      read: places => find()?.hashes.read(places) ?? places.map(() => undefined),
    },
    clear: () => find()?.clear(),
  }
}

function empty(): Kept {
  return { mark: 0, terms: new Map(), counts: new Map() }
}

function addTerm({ terms }: Kept, term: string, seq: number): void {
  const seqs = terms.get(term)
  if (seqs === undefined) terms.set(term, [seq])
  else if (seqs.at(-1)! < seq) seqs.push(seq)
  else {
    const place = placeOf(seqs, seq)
    if (seqs[place] !== seq) seqs.splice(place, 0, seq)
  }
}

function addCount({ counts }: Kept, { group, name, count }: IndexCount): void {
  const names = counts.get(group)
  if (names === undefined) counts.set(group, new Map([[name, count]]))
  else names.set(name, (names.get(name) ?? 0) + count)
}

/** The index of the first number that is not smaller. */
function placeOf(seqs: readonly number[], seq: number): number {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (seqs[middle]! < seq) low = middle + 1
    else high = middle
  }
  return low
}
