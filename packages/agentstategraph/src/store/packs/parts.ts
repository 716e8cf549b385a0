/** The parts of one pack, in order. It reads how many nodes each part has, and no nodes. */

import type { StoredPart } from '../contract/backend.ts'
import { ask, type Work } from '../contract/work.ts'
import { indexPart } from './read-pack.ts'

/**
 * All parts of an entry's pack; none when it never had one or it was dropped. `first` is the bytes of the first part, when
 * they were read already.
 */
export function* packParts(seq: number, first?: Uint8Array | undefined): Work<StoredPart[]> {
  const parts: StoredPart[] = []
  for (let index = 0; ; ) {
    const isKnown = index === 0 && first !== undefined
    const [part] = isKnown ? [{ seq, first: 0, bytes: first }] : yield* ask(log => log.parts([{ seq, index }]))
    if (part?.first !== index) return parts
    parts.push(part)
    const count = indexPart(seq, part.first, part.bytes).offsets.length - 1
    if (count === 0) return parts
    index += count
  }
}

/** How many bytes the pack of an entry takes. */
export function* packBytes(seq: number): Work<number> {
  return (yield* packParts(seq)).reduce((sum, part) => sum + part.bytes.length, 0)
}
