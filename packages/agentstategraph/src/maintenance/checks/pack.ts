/**
 * One pack as it lies in a store: all its parts, and every record in them.
 *
 * Damage shows as a RangeError that says what does not fit. It reads bytes and knows nothing of what they mean to a tree.
 */

import {
  type ForeignNode,
  type Journal,
  packParts,
  type StoredPart,
  type TrimmedNode,
  type Work,
} from '../../store/index.ts'
import type { NodeStore } from '../../store/packs/nodes.ts'
import {
  indexPart,
  type PackHeader,
  provenanceReader,
  readHeader,
  recordAt,
  type TextRecord,
} from '../../store/packs/read-pack.ts'
import { type FindNode, recordText } from '../../store/packs/record-text.ts'
import { packDigest } from '../../store/packs/write-pack.ts'
import {
  draftOfWriter,
  indexOfPointer,
  type Node,
  nodeText,
  type Pointer,
  parseNode,
  pointerOf,
  provenanceOf,
  seqOfPointer,
  seqOfWriter,
} from '../../tree/index.ts'

import { type TrimmedNodes, trimmedNodes } from './trimmed-nodes.ts'

/** A pack as its entry names it, and its first part, which was read with the entry. */
export interface NamedPack {
  readonly seq: number
  readonly digest: string | undefined
  readonly first: Uint8Array
}

export interface WholePack {
  readonly header: PackHeader
  /** By index, with 0 in place of the number of the pack's own entry. */
  readonly nodes: readonly (ForeignNode | TrimmedNode)[]
}

/** Reads a pack, and caches its nodes, because those of later packs are likely to be based on them. */
export function* readWholePack({ nodes: stored }: Journal, pack: NamedPack): Work<WholePack> {
  const nodes: (ForeignNode | TrimmedNode)[] = []
  const ownAsZero = (seq: number): number => (seq === pack.seq ? 0 : seq)
  yield* forRecords(stored, pack, (read, leaf) => {
    const provenance: number[] = []
    if (read !== undefined) {
      stored.put(pointerOf(pack.seq, nodes.length), read.node, read.text.length)
      provenanceOf(
        read.node,
        ({ at }) => provenance.push(ownAsZero(seqOfPointer(at)), indexOfPointer(at)),
        ({ writer }) => provenance.push(ownAsZero(seqOfWriter(writer)), draftOfWriter(writer)),
      )
    }
    nodes.push(read === undefined ? { leaf } : { text: read.text, provenance })
  })
  return { header: readHeader(pack.first, pack.seq), nodes }
}

export interface CheckedPack {
  /** Whether it has the digest that its entry names. */
  readonly hasDigest: boolean
  /** The ids of its nodes, by index; undefined where retention dropped the node. */
  readonly ids: readonly (string | undefined)[]
  /** Whether a node that is there leads to one that was trimmed. */
  readonly hasLostNodes: boolean
  /** Of all its parts. */
  readonly bytes: number
}

/**
 * Checks a pack, and caches its nodes.
 *
 * A node is found in the cache by where it lies. So it is made sure here that the nodes of the pack have the ids by which
 * they name each other; who points to them from elsewhere compares the ids. `trimmed` are the nodes of older packs that were
 * trimmed, and those of this pack are added to them.
 */
export function* checkPack(
  { nodes }: Journal,
  pack: NamedPack,
  trimmed: TrimmedNodes = trimmedNodes(),
): Work<CheckedPack> {
  const { seq } = pack
  const ids: (string | undefined)[] = []
  let hasLostNodes = false
  const { hasDigest, bytes } = yield* forRecords(nodes, pack, read => {
    if (read !== undefined) {
      provenanceOf(
        read.node,
        ({ id, at }) => {
          if (seqOfPointer(at) === seq) assertId(ids, indexOfPointer(at), id)
          if (trimmed.has(at)) hasLostNodes = true
        },
        () => {},
      )
      nodes.put(pointerOf(seq, ids.length), read.node, read.text.length)
    }
    if (read === undefined) trimmed.add(pointerOf(seq, ids.length))
    ids.push(read?.id)
  })
  return { hasDigest, ids, hasLostNodes, bytes }
}

function assertId(ids: readonly (string | undefined)[], index: number, id: string): void {
  if (index >= ids.length || (ids[index] ?? id) !== id)
    throw new RangeError('a node does not have the id that its parent names')
}

interface ReadNode {
  readonly id: string
  readonly text: string
  readonly node: Node
  readonly leaf: string
}

/** Visits the nodes of a pack by index, undefined where one was dropped; returns whether it has its digest, and its bytes. */
function* forRecords(
  { findAt }: Pick<NodeStore, 'findAt'>,
  pack: NamedPack,
  visit: (read: ReadNode | undefined, leaf: string) => void,
): Work<Pick<CheckedPack, 'hasDigest' | 'bytes'>> {
  const { seq, digest, first } = pack
  const { body } = readHeader(first, seq)
  const leaves: string[] = []
  yield* readPart(findAt, { seq, first: 0, bytes: first }, leaves, visit)
  // A first part that has the digest of the pack is the whole of it, and the store is not asked for more.
  if (packDigest(body, leaves) === digest) return { hasDigest: true, bytes: first.length }
  const rest = (yield* packParts(seq, first)).slice(1)
  for (const part of rest) yield* readPart(findAt, part, leaves, visit)
  const hasDigest = rest.length > 0 && packDigest(body, leaves) === digest
  return { hasDigest, bytes: rest.reduce((sum, { bytes }) => sum + bytes.length, first.length) }
}

function* readPart(
  find: FindNode,
  { seq, first, bytes }: StoredPart,
  leaves: string[],
  visit: (read: ReadNode | undefined, leaf: string) => void,
): Work<void> {
  const part = indexPart(seq, first, bytes)
  for (let i = 0; i < part.offsets.length - 1; i++) {
    const record = recordAt(part, first + i)
    const read = record.kind === 'trimmed' ? undefined : yield* readNode(find, record, pointerOf(seq, first + i))
    const leaf = record.kind === 'trimmed' ? record.leaf : read!.leaf
    leaves.push(leaf)
    visit(read, leaf)
  }
}

function* readNode(find: FindNode, record: TextRecord, at: Pointer): Work<ReadNode> {
  const { text: bytes, id, leaf, deltas } = yield* recordText(record, at, '', find)
  const text = decoder.decode(bytes)
  const node = parseNode(text, provenanceReader(record.provenance, seqOfPointer(at)))
  if (nodeText(node) !== text) throw new RangeError('the text of a node is not one that a node has')
  node.deltas = deltas
  return { id, text, node, leaf }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
