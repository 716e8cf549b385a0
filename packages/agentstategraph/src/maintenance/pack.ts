/**
 * One pack as it lies in a store: all its parts, and every record in them.
 *
 * Damage shows as a RangeError that says what does not fit. It reads bytes and knows nothing of what they mean to a tree.
 */

import { hashBytes, hashText } from '../core/index.ts'
import { type ForeignNode, packParts, type StoredPart, type Work } from '../store/index.ts'
import {
  indexPart,
  type PackHeader,
  provenanceReader,
  readHeader,
  recordAt,
  recordText,
  type TextRecord,
  verifyRecord,
} from '../store/packs/read-pack.ts'
import { leafOf, packDigest } from '../store/packs/write-pack.ts'
import {
  draftOfWriter,
  indexOfPointer,
  type Node,
  nodeText,
  parseNode,
  seqOfPointer,
  seqOfWriter,
} from '../tree/index.ts'

export interface WholePack {
  readonly header: PackHeader
  /** By index; undefined where retention dropped the node. */
  readonly nodes: readonly (PackNode | undefined)[]
  readonly digest: string
  readonly bytes: number
}

/** A node, with 0 in place of the number of the pack's own entry. */
export interface PackNode extends ForeignNode {
  readonly id: string
}

/** Reads the pack of an entry; undefined when it has none, or none any more. */
export function* readWholePack(seq: number): Work<WholePack | undefined> {
  const parts = yield* packParts(seq)
  const first = parts[0]
  if (first === undefined) return undefined
  const header = readHeader(first.bytes, seq)
  const nodes: (PackNode | undefined)[] = []
  const leaves: string[] = []
  for (const part of parts) yield* readRecords(part, nodes, leaves)
  return {
    header,
    nodes,
    digest: packDigest(header.body, leaves),
    bytes: parts.reduce((sum, part) => sum + part.bytes.length, 0),
  }
}

function* readRecords(
  { seq, first, bytes }: StoredPart,
  nodes: (PackNode | undefined)[],
  leaves: string[],
): Work<void> {
  const part = indexPart(seq, first, bytes)
  for (let i = 0; i < part.offsets.length - 1; i++) {
    const record = recordAt(part, first + i)
    const node = record.kind === 'trimmed' ? undefined : yield* readNode(record, seq)
    nodes.push(node)
    leaves.push(record.kind === 'trimmed' ? record.leaf : leafOf(node!.id, record.provenance))
  }
}

function* readNode(record: TextRecord, seq: number): Work<PackNode> {
  const bytes = record.kind === 'whole' ? record.text : yield* recordText(record, '')
  const id = hashBytes(bytes)
  verifyRecord(record, id)
  const text = decoder.decode(bytes)
  const provenance: number[] = []
  const ownAsZero = (number: number): number => (number === seq ? 0 : number)
  const reader = provenanceReader(record.provenance, seq)
  const node: Node = parseNode(text, {
    pointer() {
      const pointer = reader.pointer()
      provenance.push(ownAsZero(seqOfPointer(pointer)), indexOfPointer(pointer))
      return pointer
    },
    writer() {
      const writer = reader.writer()
      provenance.push(ownAsZero(seqOfWriter(writer)), draftOfWriter(writer))
      return writer
    },
  })
  if (hashText(nodeText(node)) !== id) throw new RangeError('the text of a node is not one that a node has')
  return { id, text, provenance }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
