/**
 * Copies the nodes that one commit stored, for another commit on the same parents.
 *
 * Nodes in the pack of that commit become fresh, and entries that it wrote get the new commit as writer; older nodes stay
 * as they are. The copy has the same content and provenance, and does not depend on the first commit's pack.
 */

import type { TreeContext } from './context.ts'
import {
  type Child,
  draftOfWriter,
  type Entry,
  entryOf,
  type Item,
  type Link,
  type Node,
  type Pointer,
  seqOfPointer,
  seqOfWriter,
  unstored,
  writerOf,
} from './node.ts'
import { nodeText } from './node-text.ts'
import { nodeOf, type Walk } from './walk.ts'

/** A root with nothing left in the pack of the entry `seq`. */
export function ownCopy(context: TreeContext, root: Link, seq: number): Walk<Link> {
  return copyLink({ context, seq, made: new Map() }, root)
}

interface Copying {
  readonly context: TreeContext
  readonly seq: number
  /** Copies by pointer, so that a node that occurs twice is copied once. */
  readonly made: Map<Pointer, Link>
}

function* copyLink(copying: Copying, link: Link): Walk<Link> {
  if (link.fresh !== undefined || seqOfPointer(link.at) !== copying.seq) return link
  const known = copying.made.get(link.at)
  if (known !== undefined) return known
  const node = yield* copyNode(copying, yield* nodeOf(copying.context.nodes, link))
  const copy: Link = { kind: 'link', id: link.id, at: unstored, fresh: { node, text: nodeText(node) } }
  copying.made.set(link.at, copy)
  return copy
}

function* copyNode<N extends Node>(copying: Copying, node: N): Walk<N> {
  if ('entries' in node) {
    const entries: Entry[] = []
    for (const { key, child, writer } of node.entries) {
      const isOwn = seqOfWriter(writer) === copying.seq
      const by = isOwn ? writerOf(0, draftOfWriter(writer)) : writer
      entries.push(entryOf(key, yield* copyChild(copying, child), by))
    }
    return { ...node, entries }
  }
  if ('items' in node) {
    const items: Item[] = []
    for (const { first, link, count } of node.items) items.push({ first, link: yield* copyLink(copying, link), count })
    return { ...node, items }
  }
  return node
}

function* copyChild(copying: Copying, child: Child): Walk<Child> {
  if (child.kind === 'link') return yield* copyLink(copying, child)
  return child.kind === 'held' ? { ...child, node: yield* copyNode(copying, child.node) } : child
}
