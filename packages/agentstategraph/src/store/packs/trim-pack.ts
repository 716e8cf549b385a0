/**
 * Trims a pack: records that no kept state needs lose their text, pointers and writers, and keep their leaf.
 *
 * The pack is checked against its digest before, so that damage is never made permanent, and has the same digest after.
 */

import { type Pointer, pointerOf, seqOfPointer } from '../../tree/index.ts'
import type { NewPart, StoredPart } from '../contract/backend.ts'
import type { Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { packParts } from './parts.ts'
import { indexPart, type PackRecord, readHeader, recordAt } from './read-pack.ts'
import { type FindNode, recordText } from './record-text.ts'
import { cutParts, headerOf, packDigest, trimmedRecord, wholeRecord } from './write-pack.ts'

/** A pack without what was trimmed, and with whole texts in place of deltas of that. */
export interface TrimmedPack {
  readonly parts: readonly NewPart[]
  /** How many bytes it has less than before; negative when texts were stored whole. */
  readonly freedBytes: number
  /** Whether a root of its commit was trimmed, and so a state. */
  readonly hasLostState: boolean
}

/**
 * Trims the records of a pack that `isNeeded` does not name. A record that stays and is a delta of one that goes is stored whole:
 * the packs of bases are older, and are trimmed later. Undefined when the pack stays as it is.
 */
export function* trimPack(
  seq: number,
  digest: string | undefined,
  isNeeded: (at: Pointer) => boolean,
  find: FindNode,
): Work<TrimmedPack | undefined> {
  const stored = yield* packParts(seq)
  const [first] = stored
  if (first === undefined) return undefined
  try {
    const { body, tree, system } = readHeader(first.bytes, seq)
    const before = recordsOf(seq, stored)
    if (before.every(({ record, at }) => staysAsItIs(record, at, isNeeded))) return undefined
    const leaves: string[] = []
    const records: Uint8Array[] = []
    const trimmed = new Set<Pointer>()
    for (const { record, at, bytes } of before) {
      if (record.kind === 'trimmed') {
        leaves.push(record.leaf)
        records.push(bytes)
        continue
      }
      const { text, leaf } = yield* recordText(record, at, '', find)
      leaves.push(leaf)
      if (!isNeeded(at)) trimmed.add(at)
      if (staysAsItIs(record, at, isNeeded)) records.push(bytes)
      else records.push(trimmed.has(at) ? trimmedRecord(leaf) : wholeRecord(leaf, record.provenance, text))
    }
    if (packDigest(body, leaves) !== digest) throw new RangeError('its pack does not have the digest that it names')
    const parts = cutParts(headerOf(body), records)
    const freedBytes = bytesOf(stored) - bytesOf(parts)
    const hasLostState = [tree, system].some(at => seqOfPointer(at) === seq && trimmed.has(at))
    return { parts, freedBytes, hasLostState }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw storeError('object-corrupt', { id: '', seq, reason: cause.message }, { cause })
  }
}

interface Placed {
  readonly record: PackRecord
  readonly at: Pointer
  readonly bytes: Uint8Array
}

function recordsOf(seq: number, stored: readonly StoredPart[]): Placed[] {
  return stored.flatMap(({ first, bytes }) => {
    const part = indexPart(seq, first, bytes)
    return part.offsets.slice(1).map((end, i) => ({
      record: recordAt(part, first + i),
      at: pointerOf(seq, first + i),
      bytes: bytes.subarray(part.offsets[i], end),
    }))
  })
}

function staysAsItIs(record: PackRecord, at: Pointer, isNeeded: (at: Pointer) => boolean): boolean {
  if (record.kind === 'trimmed') return true
  return isNeeded(at) && (record.kind === 'whole' || isNeeded(record.base))
}

function bytesOf(parts: readonly { readonly bytes: Uint8Array }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
