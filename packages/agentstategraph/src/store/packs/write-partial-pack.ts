/**
 * Writes the pack of a commit from which retention trimmed nodes before it was imported.
 *
 * Nodes keep their places, since later commits point to them by index, and are stored whole. A trimmed record keeps the leaf
 * that it had where it was trimmed: it cannot be computed without the node.
 */

import { type Link, pointerOf } from '../../tree/index.ts'
import {
  cutParts,
  headerBody,
  headerOf,
  leafOf,
  type Pack,
  packDigest,
  provenanceOfNode,
  type Roots,
  trimmedRecord,
  wholeRecord,
} from './write-pack.ts'

/** A node of the pack, or the leaf that is left of it. */
export type KeptNode = Link | { readonly leaf: string }

export function writePartialPack(
  roots: Roots,
  parents: readonly number[],
  nodes: readonly KeptNode[],
  own = 0,
): Pick<Pack, 'parts' | 'digest'> {
  const leaves: string[] = []
  const records: Uint8Array[] = []
  for (const [index, node] of nodes.entries()) {
    if ('leaf' in node) {
      leaves.push(node.leaf)
      records.push(trimmedRecord(node.leaf))
      continue
    }
    node.at = pointerOf(0, index)
    const provenance = provenanceOfNode(node.fresh!.node, own)
    const leaf = leafOf(node.id, provenance)
    leaves.push(leaf)
    records.push(wholeRecord(leaf, provenance, encoder.encode(node.fresh!.text)))
  }
  const body = headerBody(roots, parents, own).slice()
  return { parts: cutParts(headerOf(body), records), digest: packDigest(body, leaves) }
}

const encoder = new TextEncoder()
