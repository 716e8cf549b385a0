/**
 * Reads the texts of many nodes at once, for callers that read each node once.
 *
 * The texts are hashed like those of every node that is read. They are not parsed, and do not enter the cache, where they
 * would evict nodes that are read often.
 */

import { hashBytes, hexOfId } from '../../core/index.ts'
import { indexOfPointer, type Link, seqOfPointer } from '../../tree/index.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { indexPart, type PartIndex, recordText, type TextRecord, textRecordAt } from './read-pack.ts'

/** How many nodes are requested together. Their parts are in memory at the same time. */
const BATCH = 512

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The texts of these nodes, in their order. */
export function* nodeTexts(links: readonly Link[]): Work<readonly string[]> {
  const texts = new Array<string>(links.length)
  for (let from = 0; from < links.length; from += BATCH) {
    let waiting: number[] = []
    for (let i = from; i < Math.min(from + BATCH, links.length); i++) {
      const { fresh } = links[i]!
      if (fresh === undefined) waiting.push(i)
      else texts[i] = fresh.text
    }
    while (waiting.length > 0) waiting = yield* readSome(links, waiting, texts)
  }
  return texts
}

/** Reads one part of each pack that holds waiting nodes; returns the nodes that are in other parts. */
function* readSome(links: readonly Link[], waiting: readonly number[], into: string[]): Work<number[]> {
  const firsts = new Map<number, Link>()
  for (const i of waiting) {
    const link = links[i]!
    const seq = seqOfPointer(link.at)
    if (!firsts.has(seq)) firsts.set(seq, link)
  }
  const asked = [...firsts.values()]
  const pointers = asked.map(({ at }) => ({ seq: seqOfPointer(at), index: indexOfPointer(at) }))
  const stored = yield* ask(log => log.parts(pointers))
  const parts = new Map(
    asked.map((link, n) => {
      const part = stored[n]
      if (part === undefined) throw storeError('pack-dropped', { id: hexOfId(link.id), seq: pointers[n]!.seq })
      return [part.seq, guarded(link, () => indexPart(part.seq, part.first, part.bytes))]
    }),
  )
  const later: number[] = []
  for (const i of waiting) {
    const link = links[i]!
    const seq = seqOfPointer(link.at)
    const index = indexOfPointer(link.at)
    const part = parts.get(seq)!
    const isHere = index >= part.first && index < part.first + part.offsets.length - 1
    if (!isHere && firsts.get(seq) !== link) later.push(i)
    else into[i] = yield* textAt(part, link)
  }
  return later
}

function* textAt(part: PartIndex, link: Link): Work<string> {
  const record: TextRecord = guarded(link, () => textRecordAt(part, indexOfPointer(link.at), link.id))
  const bytes = record.kind === 'whole' ? record.text : yield* recordText(record, link.id)
  return guarded(link, () => checkedText(bytes, link.id))
}

function checkedText(bytes: Uint8Array, id: string): string {
  if (hashBytes(bytes) !== id) throw new RangeError('a node does not have the id that its parent names')
  return decoder.decode(bytes)
}

function guarded<T>({ id, at }: Link, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw storeError('object-corrupt', { id: hexOfId(id), seq: seqOfPointer(at), reason: cause.message }, { cause })
  }
}
