/**
 * Reads the texts of many nodes at once, for callers that read each node once.
 *
 * The texts are hashed like those of every node that is read. They are not parsed, and do not enter the cache, where they
 * would evict nodes that are read often.
 */

import { indexOfPointer, type Link, seqOfPointer } from '../../tree/index.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { hasRecord, indexPart, type PartIndex, textRecordAt } from './read-pack.ts'
import { damagedAt, recordText } from './record-text.ts'

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
      if (part === undefined) throw storeError('pack-dropped', { seq: pointers[n]!.seq })
      return [part.seq, guarded(link, () => indexPart(part.seq, part.first, part.bytes))]
    }),
  )
  const later: number[] = []
  for (const i of waiting) {
    const link = links[i]!
    const seq = seqOfPointer(link.at)
    const index = indexOfPointer(link.at)
    const part = parts.get(seq)!
    if (!hasRecord(part, index) && firsts.get(seq) !== link) later.push(i)
    else into[i] = yield* textAt(part, link)
  }
  return later
}

function* textAt(part: PartIndex, link: Link): Work<string> {
  try {
    const record = textRecordAt(part, indexOfPointer(link.at))
    const { text } = yield* recordText(record, link.at, link.id, () => undefined)
    return decoder.decode(text)
  } catch (cause) {
    throw damagedAt(link.at, link.id, cause)
  }
}

function guarded<T>({ id, at }: Link, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw damagedAt(at, id, cause)
  }
}
