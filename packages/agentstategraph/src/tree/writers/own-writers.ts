/**
 * The context of the walk that settles the writers of a state, and the part of that walk where no parent has the path.
 */

import { userKey } from '../../core/index.ts'
import type { OnLink } from '../diff/align-lists.ts'
import type { TreeContext } from '../nodes/context.ts'
import {
  type BranchNode,
  type Child,
  type ContainerNode,
  type Entry,
  entryOf,
  isContainer,
  type Link,
  type ListNode,
  type MapNode,
  type Node,
  unstored,
  type Writer,
} from '../nodes/node.ts'
import { nodeText } from '../nodes/node-text.ts'
import { nodeOf, type Walk } from '../nodes/walk.ts'

/** Called for a writer that is not the defined one; without `expected` the defined one is the commit itself. */
export type OnWrongWriter = (path: readonly string[], found: Writer, expected: Writer | undefined) => void

export interface Settling {
  readonly context: TreeContext
  readonly isOwn: (writer: Writer) => boolean
  readonly onWrong: OnWrongWriter
  readonly onLink: OnLink | undefined
}

/** One for each parent: what it has at the same path, if anything. */
export type Befores<T> = readonly (T | undefined)[]

/** The commit that is being made. */
export const ownWriter: Writer = 0

/** Settles a child that no parent has: the commit wrote everything in it. */
export function* ownChild(settling: Settling, child: Child, path: readonly string[]): Walk<Child> {
  if (child.kind === 'leaf') return child
  if (child.kind === 'held') {
    const node = yield* ownNode(settling, child.node, path)
    return node === child.node ? child : { kind: 'held', node, text: child.text }
  }
  settling.onLink?.own(child)
  const by = child.fresh?.by
  if (by !== undefined && settling.onLink === undefined && settling.isOwn(by)) return child
  const node = yield* nodeOf(settling.context.nodes, child)
  if (!isContainer(node)) {
    yield* visitPieces(settling, child, [])
    return child
  }
  const own = yield* ownNode(settling, node, path)
  return own === node ? child : holding(child, own)
}

function* ownNode<N extends ContainerNode>(settling: Settling, node: N, path: readonly string[]): Walk<N> {
  if ('items' in node) {
    const branch = node as BranchNode
    let items = branch.items
    for (const [i, item] of branch.items.entries()) {
      const link = (yield* ownChild(settling, item.link, path)) as Link
      if (link !== item.link) items = items.with(i, { first: item.first, link, count: item.count })
    }
    return items === branch.items ? node : { ...node, items }
  }
  let entries: readonly Entry[] = node.entries
  for (const [i, entry] of node.entries.entries()) {
    const isRight = settling.isOwn(entry.writer)
    if (isRight && entry.child.kind === 'leaf') continue
    // In a list of several nodes the index is relative to its node.
    const at = [...path, node.kind === 'map' ? userKey(entry.key) : String(i)]
    if (!isRight) settling.onWrong(at, entry.writer, undefined)
    const child = yield* ownChild(settling, entry.child, at)
    if (isRight && child === entry.child) continue
    entries = entries.with(i, entryOf(entry.key, child, isRight ? entry.writer : ownWriter))
  }
  return entries === node.entries ? node : { ...node, entries }
}

/** The child with another container. Only writers and pointers differ, so its id or text stays. */
export function holding(child: Child, node: ContainerNode): Child {
  if (child.kind === 'held') return { kind: 'held', node: node as MapNode | ListNode, text: child.text }
  return { kind: 'link', id: (child as Link).id, at: unstored, fresh: { node, text: nodeText(node) } }
}

/** Reports the pieces of a long value, and of those that it replaced, to `onLink`. They have no writers. */
export function* visitPieces({ context, onLink }: Settling, child: Child, befores: Befores<Child>): Walk<void> {
  if (onLink === undefined || child.kind !== 'link') return
  for (const before of befores) if (before?.kind === 'link') yield* visitBelow(context, before, onLink.before)
  yield* visitBelow(context, child, onLink.own)
}

function* visitBelow(context: TreeContext, link: Link, visit: (link: Link) => void): Walk<void> {
  const node: Node = yield* nodeOf(context.nodes, link)
  if (!('items' in node)) return
  for (const item of node.items) {
    visit(item.link)
    if (node.level > 1) yield* visitBelow(context, item.link, visit)
  }
}
