/**
 * Reads the nodes of commits from their packs, as texts with the pointers of their children.
 *
 * Each text is hashed when it is read, so a bundle contains exactly the nodes that their parents name. Parents come before
 * their children, and no node comes twice.
 */

import { ask, storeError, type Work } from '../../store/index.ts'
import type { NodeStore } from '../../store/packs/nodes.ts'
import { hasRecord, indexPart, type PartIndex, provenanceReader, textRecordAt } from '../../store/packs/read-pack.ts'
import { damagedAt, recordText } from '../../store/packs/record-text.ts'
import { indexOfPointer, type Node, type Pointer, parseNode, provenanceOf, seqOfPointer } from '../../tree/index.ts'
import { type NodeShape, shapeOf } from './node-shape.ts'
import { type NeededNodes, type Opening, openingsBelow, type Patterns } from './openings.ts'

/** A node's id and where it is stored. */
export interface StoredNode {
  readonly id: string
  readonly at: Pointer
}

export interface PackedNode {
  readonly text: string
  readonly shape: NodeShape
  /** Pointers to the nodes it links to, by id. */
  readonly pointers: ReadonlyMap<string, Pointer>
}

/** Reads nodes, and keeps the parts it read last, because the next node is often in the same part. */
export interface PackReader {
  /** Adds the first part of a pack that the caller has read anyway. */
  offer(seq: number, part: Uint8Array): void
  read(node: StoredNode): Work<PackedNode>
}

const RECENT_PARTS = 64
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A text is made from nodes that `nodes` has, where it is stored as a delta of one. */
export function packReader(nodes: Pick<NodeStore, 'findAt' | 'put'>): PackReader {
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
    *read({ id, at }): Work<PackedNode> {
      const [seq, index] = [seqOfPointer(at), indexOfPointer(at)]
      const known = recent.get(seq)
      const isInPart = known !== undefined && hasRecord(known, index)
      const part = isInPart ? known : keep(yield* loadPart(seq, index))
      try {
        const record = textRecordAt(part, index)
        const { text: bytes, deltas } = yield* recordText(record, at, id, nodes.findAt)
        const text = decoder.decode(bytes)
        const node = parseNode(text, provenanceReader(record.provenance, seq))
        node.deltas = deltas
        nodes.put(at, node, text.length)
        return { text, shape: shapeOf(node), pointers: pointersOf(node) }
      } catch (cause) {
        throw damagedAt(at, id, cause)
      }
    },
  }
}

function pointersOf(node: Node): ReadonlyMap<string, Pointer> {
  const pointers = new Map<string, Pointer>()
  provenanceOf(
    node,
    link => pointers.set(link.id, link.at),
    () => {},
  )
  return pointers
}

function* loadPart(seq: number, index: number): Work<PartIndex> {
  const [part] = yield* ask(log => log.parts([{ seq, index }]))
  if (part === undefined) throw storeError('pack-dropped', { seq })
  return indexPart(part.seq, part.first, part.bytes)
}

/** The texts of all nodes that a root needs under an opening and that did not come before, parents first. */
export function* textsBelow(
  reader: PackReader,
  needed: NeededNodes,
  patterns: Patterns | undefined,
  root: StoredNode,
  opening: Opening,
): Work<string[]> {
  const texts: string[] = []
  const waiting: StoredNode[] = []
  if (needed.need(root.id, opening)) waiting.push(root)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const under = needed.take(next.id)
    // Another link to the same node was followed first.
    if (under === undefined) continue
    const { text, shape, pointers } = yield* reader.read(next)
    texts.push(text)
    const below = openingsBelow(patterns, shape, under)
    for (const [i, id] of shape.ids.entries()) {
      if (needed.need(id, below[i]!)) waiting.push({ id, at: pointers.get(id)! })
    }
  }
  return texts
}
