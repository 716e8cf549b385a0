/**
 * Trims a pack: records that no kept state needs lose their text, pointers and writers, and keep their leaf.
 *
 * The pack is checked against its digest before, so that damage is never made permanent, and has the same digest after.
 */

import { hashBytes } from '../../core/index.ts'
import { type Pointer, pointerOf, seqOfPointer } from '../../tree/index.ts'
import type { NewPart } from '../contract/backend.ts'
import type { Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { packParts } from './parts.ts'
import { indexPart, readHeader, recordAt, recordText, verifyRecord } from './read-pack.ts'
import { cutParts, headerOf, packDigest, trimmedRecord } from './write-pack.ts'

/** A pack without what was trimmed. */
export interface TrimmedPack {
  readonly parts: readonly NewPart[]
  /** How many bytes it has less than before. */
  readonly freedBytes: number
  /** Whether a root of its commit was trimmed, and so a state. */
  readonly hasLostState: boolean
}

/** Trims the records of a pack that `isNeeded` does not name; undefined when there are none. */
export function* trimPack(
  seq: number,
  digest: string | undefined,
  isNeeded: (at: Pointer) => boolean,
): Work<TrimmedPack | undefined> {
  const stored = yield* packParts(seq)
  const [first] = stored
  if (first === undefined) return undefined
  try {
    const { body, tree, system } = readHeader(first.bytes, seq)
    const leaves: string[] = []
    const records: Uint8Array[] = []
    const trimmed = new Set<Pointer>()
    for (const { first: start, bytes } of stored) {
      const part = indexPart(seq, start, bytes)
      for (let i = 0; i < part.offsets.length - 1; i++) {
        const at = pointerOf(seq, records.length)
        const record = recordAt(part, start + i)
        const leaf =
          record.kind === 'trimmed' ? record.leaf : verifyRecord(record, hashBytes(yield* recordText(record, '')))
        leaves.push(leaf)
        const isKept = record.kind === 'trimmed' || isNeeded(at)
        if (!isKept) trimmed.add(at)
        records.push(isKept ? bytes.subarray(part.offsets[i], part.offsets[i + 1]) : trimmedRecord(leaf))
      }
    }
    if (packDigest(body, leaves) !== digest) throw new RangeError('its pack does not have the digest that it names')
    if (trimmed.size === 0) return undefined
    const parts = cutParts(headerOf(body), records)
    const freedBytes = bytesOf(stored) - bytesOf(parts)
    const hasLostState = [tree, system].some(at => seqOfPointer(at) === seq && trimmed.has(at))
    return { parts, freedBytes, hasLostState }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw storeError('object-corrupt', { id: '', seq, reason: cause.message }, { cause })
  }
}

function bytesOf(parts: readonly { readonly bytes: Uint8Array }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
