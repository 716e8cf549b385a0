/**
 * One pack as it lies in a store: all its parts, and every record in them.
 *
 * Damage shows as a RangeError that says what does not fit. It reads bytes and knows nothing of what they mean to a tree.
 */

import { hashBytes, hashText, joinedBytes } from '../core/index.ts'
import { type ForeignNode, packParts, type StoredPart, type Work } from '../store/index.ts'
import {
  indexPart,
  type PackHeader,
  type PackRecord,
  provenanceReader,
  readHeader,
  recordAt,
  verifyRecord,
} from '../store/packs/read-pack.ts'
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
  readonly nodes: readonly PackNode[]
  readonly digest: string
  readonly bytes: number
}

export interface PackNode extends ForeignNode {
  readonly id: string
}

/** Reads the pack of an entry; undefined when it has none, or none any more. */
export function* readWholePack(seq: number): Work<WholePack | undefined> {
  const parts = yield* packParts(seq)
  const first = parts[0]
  if (first === undefined) return undefined
  const nodes = parts.flatMap(part => nodesOf(part))
  const bytes = parts.map(part => part.bytes)
  return {
    header: readHeader(first.bytes, 0),
    nodes,
    digest: hashBytes(joinedBytes(bytes)),
    bytes: bytes.reduce((sum, part) => sum + part.length, 0),
  }
}

function nodesOf({ seq, first, bytes }: StoredPart): PackNode[] {
  const part = indexPart(seq, first, bytes)
  return part.offsets.slice(1).map((_, i) => nodeOf(recordAt(part, first + i)))
}

function nodeOf(record: PackRecord): PackNode {
  const id = hashBytes(record.text)
  verifyRecord(record, id)
  const text = decoder.decode(record.text)
  const provenance: number[] = []
  const reader = provenanceReader(record.provenance, 0)
  const node: Node = parseNode(text, {
    pointer() {
      const pointer = reader.pointer()
      provenance.push(seqOfPointer(pointer), indexOfPointer(pointer))
      return pointer
    },
    writer() {
      const writer = reader.writer()
      provenance.push(seqOfWriter(writer), draftOfWriter(writer))
      return writer
    },
  })
  if (hashText(nodeText(node)) !== id) throw new RangeError('the text of a node is not one that a node has')
  return { id, text, provenance }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
