/**
 * Searching an index block by block.
 *
 * A journal is cut into blocks of 4096 entries. The entries of a block that have a term are bits, so terms are combined by
 * a few hundred operations on words, and a block without a required term is skipped. This file does not know where the
 * bits are stored.
 */

import type { IndexSearch } from '../contract/index-log.ts'

/** Entries in one block; entry n is in block n / 4096, rounded down. */
export const blockEntries = 4096
const WORDS = blockEntries / 32

/** The block of an entry. */
export function blockOf(seq: number): number {
  return Math.floor(seq / blockEntries)
}

/** The bits of one block. */
export type Bits = Uint32Array

/** Sets the bits of the entries in a block that have a term; false when there are none. */
export type FillBits = (term: string, block: number, bits: Bits) => boolean

export function newBits(): Bits {
  return new Uint32Array(WORDS)
}

export function setBit(bits: Bits, at: number): void {
  bits[at >> 5]! |= 1 << (at & 31)
}

/** The places whose bits are set. */
export function placesIn(bits: Bits): number[] {
  const places: number[] = []
  for (let at = 0; at < blockEntries; at++) if ((bits[at >> 5]! & (1 << (at & 31))) !== 0) places.push(at)
  return places
}

/** The entries up to the mark that match a search. */
export function searchBlocks(search: IndexSearch, mark: number, fill: FillBits): number[] {
  const { order, limit } = search
  const from = Math.max(search.from, 1)
  const to = Math.min(search.to, mark)
  const found: number[] = []
  if (from > to || limit <= 0) return found
  const first = blockOf(from)
  const last = blockOf(to)
  for (let i = 0; i <= last - first && found.length < limit; i++) {
    const block = order === 'newest' ? last - i : first + i
    const bits = blockBits(search, block, fill)
    if (bits !== undefined) take(bits, block, from, to, search, found)
  }
  return found
}

function blockBits({ all, none, within }: IndexSearch, block: number, fill: FillBits): Bits | undefined {
  let bits: Bits | undefined
  const start = block * blockEntries
  const isOutside = within !== undefined && (within.to < start || within.from >= start + blockEntries)
  if (within !== undefined) {
    bits = newBits()
    const isEmpty = !fill(within.or, block, bits)
    if (isOutside && isEmpty) return undefined
    if (!isOutside) setRange(bits, within.from - start, within.to - start)
  }
  for (const terms of all) {
    const any = newBits()
    let isEmpty = true
    for (const term of terms) if (fill(term, block, any)) isEmpty = false
    if (isEmpty) return undefined
    if (bits === undefined) bits = any
    else for (let i = 0; i < WORDS; i++) bits[i]! &= any[i]!
  }
  bits ??= newBits().fill(0xffffffff)
  for (const term of none) {
    const without = newBits()
    if (fill(term, block, without)) for (let i = 0; i < WORDS; i++) bits[i]! &= ~without[i]!
  }
  return bits
}

function setRange(bits: Bits, from: number, to: number): void {
  const last = Math.min(to, blockEntries - 1)
  for (let at = Math.max(from, 0); at <= last; at++) setBit(bits, at)
}

/** Adds the entries whose bits are set, in the order of the search, up to its limit. */
function take(
  bits: Bits,
  block: number,
  from: number,
  to: number,
  { order, limit }: IndexSearch,
  found: number[],
): void {
  const start = block * blockEntries
  for (let i = 0; i < WORDS; i++) {
    const word = order === 'newest' ? WORDS - 1 - i : i
    if (bits[word] === 0) continue
    for (let j = 0; j < 32; j++) {
      const bit = order === 'newest' ? 31 - j : j
      if ((bits[word]! & (1 << bit)) === 0) continue
      const seq = start + word * 32 + bit
      if (seq < from || seq > to) continue
      if (found.length === limit) return
      found.push(seq)
    }
  }
}
