/**
 * The stored form of the entries of one block that have a term (their places in the block).
 *
 * After a first byte 0 there are two bytes for each place, in any order; after a 1 there are 512 bytes of bits and then
 * places as before. So a few places are added by appending bytes without a read, and many are stored as bits.
 */

import type { IndexRow } from '../store/contract/index-log.ts'
import { type Bits, blockEntries, blockOf, newBits, setBit } from '../store/memory/search-terms.ts'

const BIT_BYTES = blockEntries / 8
const LIST = 0
const BITS = 1

/** The bytes of a few places; those after the first byte can be appended to a stored value. */
export function listedPlaces(places: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(1 + places.length * 2)
  bytes[0] = LIST
  for (const [i, place] of places.entries()) {
    bytes[1 + i * 2] = place & 0xff
    bytes[2 + i * 2] = place >> 8
  }
  return bytes
}

/** The bytes, as bits, of the stored places and further ones. */
export function bitPlaces(kept: Uint8Array | undefined, places: readonly number[]): Uint8Array {
  const bits = newBits()
  if (kept !== undefined) fillPlaces(kept, bits)
  for (const place of places) setBit(bits, place)
  const bytes = new Uint8Array(1 + BIT_BYTES)
  bytes[0] = BITS
  for (let i = 0; i < BIT_BYTES; i++) bytes[1 + i] = bits[i >> 2]! >>> ((i & 3) * 8)
  return bytes
}

/** The shorter form of the stored places and further ones. */
export function addedPlaces(kept: Uint8Array | undefined, places: readonly number[]): Uint8Array {
  const listed = listedPlaces(places)
  if (kept === undefined && listed.length <= BIT_BYTES) return listed
  if (kept?.[0] !== LIST || kept.length + listed.length > BIT_BYTES) return bitPlaces(kept, places)
  const bytes = new Uint8Array(kept.length + listed.length - 1)
  bytes.set(kept)
  bytes.set(listed.subarray(1), kept.length)
  return bytes
}

/** Where the places that are not bits begin. */
export function listedFrom(kept: Uint8Array): number {
  return kept[0] === BITS ? 1 + BIT_BYTES : 1
}

/** Sets the bits of the stored places. */
export function fillPlaces(kept: Uint8Array, bits: Bits): void {
  const from = listedFrom(kept)
  for (let i = 1; i < from; i++) bits[(i - 1) >> 2]! |= kept[i]! << (((i - 1) & 3) * 8)
  for (let at = from; at < kept.length; at += 2) setBit(bits, kept[at]! | (kept[at + 1]! << 8))
}

/** The places that rows give to terms, by block. */
export function placesByBlock(rows: readonly IndexRow[]): Map<number, Map<string, number[]>> {
  const blocks = new Map<number, Map<string, number[]>>()
  for (const { seq, terms } of rows) {
    const block = blockOf(seq)
    let byTerm = blocks.get(block)
    if (byTerm === undefined) {
      byTerm = new Map()
      blocks.set(block, byTerm)
    }
    for (const term of terms) {
      const places = byTerm.get(term)
      if (places === undefined) byTerm.set(term, [seq % blockEntries])
      else places.push(seq % blockEntries)
    }
  }
  return blocks
}
