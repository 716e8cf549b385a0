/**
 * Children of nodes: built from values, and found by key or path. Nothing is stored here.
 */

import { canonicalText, findEncrypted, fits, isIndex, isTagged, type Stored, storedKey } from '../../core/index.ts'
import type { TreeContext } from './context.ts'
import { decrypted } from './encryption.ts'
import { longLink } from './long.ts'
import {
  type BranchNode,
  type Child,
  type ContainerNode,
  type Entry,
  entryOf,
  isContainer,
  type Link,
  listFamily,
  type MapNode,
  mapFamily,
  type Node,
  type Patch,
  type Writer,
} from './node.ts'
import { freshLink, inlineText } from './node-text.ts'
import { containerOf, entryAt } from './sequence.ts'
import { nodeOf, pausePoint, type Walk } from './walk.ts'
import { findWholeChild } from './whole-node.ts'
import { valueOfChild } from './whole-value.ts'

/** A child with this value, in which `writer` wrote every entry. */
export function childOf(context: TreeContext, value: Stored, writer: Writer): Child {
  if (typeof value !== 'object' || value === null || isTagged(value)) return scalarChild(context, value)
  return (
    findWholeChild(context.limits, value, writer) ?? settled(context, containerFrom(context, value, writer), writer)
  )
}

/** The root of a state, which is always a node of its own. */
export function rootOf(context: TreeContext, value: Stored, writer: Writer): Link {
  return freshLink(containerFrom(context, value as Stored & object, writer), writer)
}

/** A container as a child: inline in its parent when it is small, else behind a link. `by` and `patch` are for `freshLink`. */
export function settled(context: TreeContext, node: ContainerNode, by?: Writer, patch?: Patch): Child {
  if (!('items' in node)) {
    const text = inlineText(node, context.limits.inlineBytes)
    if (text !== undefined && fits(text, context.limits.inlineBytes)) return { kind: 'held', node, text }
  }
  return freshLink(node, by, patch)
}

function containerFrom(context: TreeContext, value: Stored & object, writer: Writer): ContainerNode {
  if (Array.isArray(value)) {
    const elements = value as readonly Stored[]
    const entries = elements.map(element => entryOf('', childOf(context, element, writer), writer))
    return containerOf(context, listFamily, entries)
  }
  const map = value as { readonly [key: string]: Stored }
  const entries = Object.keys(map)
    .sort()
    .map(key => entryOf(key, childOf(context, map[key]!, writer), writer))
  return containerOf(context, mapFamily, entries)
}

function scalarChild(context: TreeContext, value: Stored): Child {
  const text = canonicalText(value)
  const { inlineBytes, longBytes } = context.limits
  if (fits(text, inlineBytes)) return { kind: 'leaf', value, text }
  if (!fits(text, longBytes)) return longLink(context, value)
  return freshLink({ kind: 'value', value })
}

/** The container of a child; undefined for a scalar or tagged value. */
export function* containerOfChild(context: TreeContext, child: Child): Walk<ContainerNode | undefined> {
  if (child.kind === 'leaf') return undefined
  if (child.kind === 'held') return child.node
  // `nodeOf` inlined: this runs for every segment of every path, and saving a generator is measurable.
  const { nodes } = context
  if (nodes.isPauseDue?.() === true) yield pausePoint
  const node = child.fresh?.node ?? nodes.find(child) ?? ((yield child) as Node)
  return isContainer(node) ? node : undefined
}

/** The entry at a path below a root, or undefined when there is none. The path is not empty. */
export function* findEntry(context: TreeContext, root: Link, path: readonly string[]): Walk<Entry | undefined> {
  let child: Child = root
  let entry: Entry | undefined
  for (const segment of path) {
    const container: ContainerNode | undefined =
      (yield* containerOfChild(context, child)) ?? (yield* containerInside(context, child, entry?.writer ?? 0))
    if (container === undefined) return undefined
    entry = yield* findIn(context, container, segment)
    if (entry === undefined) return undefined
    child = entry.child
  }
  return entry
}

/** The container in an encrypted child. Its entries have the writer of the child. */
function* containerInside(context: TreeContext, child: Child, writer: Writer): Walk<ContainerNode | undefined> {
  const inside = yield* decryptedChild(context, child, writer)
  return inside === child ? undefined : yield* containerOfChild(context, inside)
}

/** The child with the decrypted value of an encrypted child; any other child is returned unchanged. */
export function* decryptedChild(context: TreeContext, child: Child, writer: Writer): Walk<Child> {
  const { encryption } = context
  if (encryption === undefined || (yield* containerOfChild(context, child)) !== undefined) return child
  const value = yield* valueOfChild(context, child)
  const plain = findEncrypted(value) === undefined ? value : decrypted(encryption, value)
  return plain === value ? child : childOf(context, plain, writer)
}

/** The entry that one segment of a path names in a container. */
export function* findIn(context: TreeContext, container: ContainerNode, segment: string): Walk<Entry | undefined> {
  if (container.kind === 'map' || container.kind === 'maps') {
    return (yield* placeOfKey(context, container, storedKey(segment))).entry
  }
  return isIndex(segment) ? yield* entryAt(context, container, Number(segment)) : undefined
}

export type MapRoot = MapNode | BranchNode

/** The index of a key among a map's entries, and its entry when the map has it. */
export interface KeyPlace {
  readonly index: number
  readonly entry: Entry | undefined
}

export function* placeOfKey(context: TreeContext, root: MapRoot, key: string): Walk<KeyPlace> {
  let node = root
  let start = 0
  while ('items' in node) {
    const at = Math.max(0, firstAfter(node.items.length, i => (node as BranchNode).items[i]!.first > key) - 1)
    for (let i = 0; i < at; i++) start += node.items[i]!.count
    node = (yield* nodeOf(context.nodes, node.items[at]!.link)) as MapRoot
  }
  return placeInLeaf(node, start, key)
}

/** The place of a key in a leaf whose first entry has the index `start`. */
export function placeInLeaf({ entries }: MapNode, start: number, key: string): KeyPlace {
  // The search of `firstAfter`, written out: this runs for every segment of every path.
  let after = 0
  for (let high = entries.length; after < high; ) {
    const middle = (after + high) >>> 1
    if (entries[middle]!.key > key) high = middle
    else after = middle + 1
  }
  const entry = after === 0 ? undefined : entries[after - 1]
  return entry?.key === key ? { index: start + after - 1, entry } : { index: start + after, entry: undefined }
}

/** Binary search: the first index for which `isAfter` holds, which is false before it and true from it on. */
function firstAfter(length: number, isAfter: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAfter(middle)) high = middle
    else low = middle + 1
  }
  return low
}
