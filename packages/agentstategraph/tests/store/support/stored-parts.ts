/** The parts of a pack as a log keeps them. */
import type { Log, StoredPart } from '../../../src/store/index.ts'
import { indexPart } from '../../../src/store/packs/read-pack.ts'

/** Reads all parts of an entry's pack, in order. */
export async function readParts(log: Log, seq: number): Promise<StoredPart[]> {
  const parts: StoredPart[] = []
  for (let index = 0; ; ) {
    const [part] = await log.parts([{ seq, index }])
    if (part?.first !== index) return parts
    parts.push(part)
    index += indexPart(seq, part.first, part.bytes).offsets.length - 1
  }
}
