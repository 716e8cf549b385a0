/**
 * The nodes of commits as they lie in their packs: texts, with where their children are.
 *
 * Each text is hashed as it is read, so what leaves in a bundle is what its parent names. Nodes are given in the order in
 * which a reader needs them, parents before children, and none twice.
 */

import { hashBytes, hexOfId } from '../../core/index.ts'
import { ask, storeError, type Work } from '../../store/index.ts'
import { indexPart, type PartIndex, provenanceReader, recordAt, verifyRecord } from '../../store/packs/read-pack.ts'
import { indexOfPointer, type Pointer, parseNode, provenanceOf, seqOfPointer } from '../../tree/index.ts'
import { type NodeShape, shapeOf } from './node.ts'
import { type NeededNodes, type Opening, openingsBelow, type Patterns } from './openings.ts'

/** Where a node lies. */
export interface Place {
  readonly id: string
  readonly at: Pointer
}

/** A node as it lies. */
export interface LyingNode {
  readonly text: string
  readonly shape: NodeShape
  /** Where the nodes it links to are. */
  readonly places: ReadonlyMap<string, Pointer>
}

/** Reads nodes; keeps the parts it read last, since what is read next often lies beside. */
export interface PackReader {
  /** Takes the first part of a pack that was read anyway. */
  offer(seq: number, part: Uint8Array): void
  read(place: Place): Work<LyingNode>
}

const RECENT_PARTS = 64
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function packReader(): PackReader {
  const recent = new Map<number, PartIndex>()
  const keep = (part: PartIndex): PartIndex => {
    recent.delete(part.seq)
    recent.set(part.seq, part)
    if (recent.size > RECENT_PARTS) recent.delete(recent.keys().next().value!)
    return part
  }
  return {
    offer(seq, part) {
      keep(indexPart(seq, 0, part))
    },
    *read({ id, at }): Work<LyingNode> {
      const [seq, index] = [seqOfPointer(at), indexOfPointer(at)]
      const known = recent.get(seq)
      const isThere = known !== undefined && index >= known.first && index < known.first + known.offsets.length - 1
      const part = isThere ? known : keep(yield* loadPart(id, seq, index))
      const record = recordAt(part, index)
      if (hashBytes(record.text) !== id) throw corrupt(id, seq, 'a node does not have the id that its parent names')
      verifyRecord(record, id)
      const text = decoder.decode(record.text)
      const node = parseNode(text, provenanceReader(record.provenance, seq))
      const places = new Map<string, Pointer>()
      provenanceOf(
        node,
        link => places.set(link.id, link.at),
        () => {},
      )
      return { text, shape: shapeOf(node), places }
    },
  }
}

function* loadPart(id: string, seq: number, index: number): Work<PartIndex> {
  const [part] = yield* ask(log => log.parts([{ seq, index }]))
  if (part === undefined) throw storeError('pack-dropped', { id: hexOfId(id), seq })
  return indexPart(part.seq, part.first, part.bytes)
}

function corrupt(id: string, seq: number, reason: string): Error {
  return storeError('object-corrupt', { id: hexOfId(id), seq, reason })
}

/** The texts of all nodes that a root needs under an opening and that are not known yet, each after what links to it. */
export function* textsBelow(
  reader: PackReader,
  needed: NeededNodes,
  patterns: Patterns | undefined,
  root: Place,
  opening: Opening,
): Work<string[]> {
  const texts: string[] = []
  const waiting: Place[] = []
  if (needed.need(root.id, opening)) waiting.push(root)
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const under = needed.take(place.id)
    // Two links to one node may wait at once; the first brings it.
    if (under === undefined) continue
    const { text, shape, places } = yield* reader.read(place)
    texts.push(text)
    const below = openingsBelow(patterns, shape, under)
    for (const [i, id] of shape.ids.entries()) {
      if (needed.need(id, below[i]!)) waiting.push({ id, at: places.get(id)! })
    }
  }
  return texts
}
