/**
 * Containers as sequences: builds, reads and edits them by index.
 *
 * An index counts the entries of the whole container. An edit replaces ranges of entries. Level by level from the leaves
 * up, the nodes it touches are cut again, from the start of the first one until a cut falls on an old one. This file knows
 * neither keys (child.ts) nor what entries mean.
 */

import { appendAll } from '../../core/index.ts'
import type { TreeContext, TreeLimits } from './context.ts'
import {
  type Cutter,
  cutter,
  itemNumber,
  listEntryNumber,
  mapEntryNumber,
  mapItemNumber,
  type Numbering,
} from './cut.ts'
import {
  type ContainerNode,
  countOf,
  type Entry,
  type Family,
  familyOf,
  type Item,
  levelOf,
  mapNode,
  type Node,
} from './node.ts'
import { freshLink } from './node-text.ts'
import { type Nodes, nodeOf, pausePoint, type Walk } from './walk.ts'

/** Entries `from` to `to` (not included) become `items`. */
export interface Splice<T = Entry> {
  readonly from: number
  readonly to: number
  readonly items: readonly T[]
}

type Part = Entry | Item

/** The edits that re-cutting one level causes in the level above, and whether this level has fewer parts now. */
interface Recut {
  readonly above: readonly Splice<Item>[]
  readonly shrank: boolean
}

/** The node of a level that holds an index, and the range of entries below it. */
interface Place {
  readonly node: ContainerNode
  readonly start: number
  readonly end: number
}

/** A container of these entries. */
export function containerOf(context: TreeContext, family: Family, entries: readonly Entry[]): ContainerNode {
  if (entries.length <= context.limits.cut.max) return nodeFrom(family, 0, entries)
  const steps = raised(context, family, 0, entries)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The container with ranges replaced. The splices are in order and do not overlap. */
export function* spliced(context: TreeContext, root: ContainerNode, splices: readonly Splice[]): Walk<ContainerNode> {
  const family = familyOf(root)
  let edits: readonly Splice<Part>[] = splices.length === 1 ? splices : yield* joined(context.nodes, splices)
  let level = 0
  let shrank = false
  while (level < levelOf(root)) {
    const recuts: Recut = yield* recut(context, root, level, edits)
    edits = recuts.above
    shrank ||= recuts.shrank
    level++
  }
  const parts = replaced(partsOf(root), edits)
  if (parts.length > context.limits.cut.max) return yield* raised(context, family, level, parts)
  return shrank ? yield* lower(context, family, level, parts) : nodeFrom(family, level, parts)
}

/** Joins splices that begin at the same index: keys inserted before the same old key. */
function* joined(nodes: Nodes, splices: readonly Splice[]): Walk<readonly Splice[]> {
  const out: { from: number; to: number; items: Entry[] }[] = []
  for (const { from, to, items } of splices) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    const last = out.at(-1)
    if (last !== undefined && last.to === from) {
      last.to = to
      appendAll(last.items, items)
    } else {
      out.push({ from, to, items: [...items] })
    }
  }
  return out
}

/** The entry at an index. */
export function* entryAt(context: TreeContext, root: ContainerNode, index: number): Walk<Entry | undefined> {
  if (index < 0 || index >= countOf(root)) return undefined
  const place = yield* placeAt(context, root, 0, index)
  return partsOf(place.node)[index - place.start] as Entry
}

/** All entries, leaf by leaf. */
/** Neighbouring entries of a container, and the index of the first of them. */
export interface EntryRun {
  readonly entries: readonly Entry[]
  readonly start: number
}

/** The entries of the leaf that has the entry of an index, which must be there. */
export function* leafAt(context: TreeContext, root: ContainerNode, index: number): Walk<EntryRun> {
  let node = root
  let start = 0
  while ('items' in node) {
    let at = 0
    while (start + node.items[at]!.count <= index) start += node.items[at++]!.count
    node = (yield* nodeOf(context.nodes, node.items[at]!.link)) as ContainerNode
  }
  return { entries: node.entries, start }
}

export function* entriesOf(context: TreeContext, root: ContainerNode): Walk<readonly Entry[]> {
  if (!('items' in root)) return root.entries
  const entries: Entry[] = []
  for (const item of root.items) {
    const below = yield* entriesOf(context, (yield* nodeOf(context.nodes, item.link)) as ContainerNode)
    for (const entry of below) entries.push(entry)
  }
  return entries
}

export function partsOf(node: ContainerNode): readonly Part[] {
  return 'items' in node ? node.items : node.entries
}

/** Builds the levels above the parts of one level, up to a root. It reads no nodes, and may pause. */
export function* raised(
  { limits, nodes }: TreeContext,
  family: Family,
  from: number,
  all: readonly Part[],
): Walk<ContainerNode> {
  let parts = all
  let level = from
  while (parts.length > limits.cut.max) {
    const cuts = cutterFor(limits, family, level)
    yield* pushAll(nodes, cuts, parts)
    parts = yield* itemsOf(nodes, family, level, cuts)
    level++
  }
  return nodeFrom(family, level, parts)
}

/** Builds a root over parts that fit into one node, and drops levels that are no longer needed. */
function* lower(context: TreeContext, family: Family, from: number, all: readonly Part[]): Walk<ContainerNode> {
  const { min, max } = context.limits.cut
  let parts = all
  let level = from
  // Every node but the last of a level has at least `min` parts, so more nodes than this hold more than `max` of them.
  while (level > 0 && parts.length <= Math.ceil(max / min)) {
    const below: Part[] = []
    for (const item of parts as readonly Item[]) {
      appendAll(below, partsOf((yield* nodeOf(context.nodes, item.link)) as ContainerNode))
      if (below.length > max) return nodeFrom(family, level, parts)
    }
    parts = below
    level--
  }
  return nodeFrom(family, level, parts)
}

/** Cuts the nodes again that the edits of a level touch. */
function* recut(context: TreeContext, root: ContainerNode, level: number, edits: readonly Splice<Part>[]): Walk<Recut> {
  const family = familyOf(root)
  const total = countOf(root)
  const above: Splice<Item>[] = []
  let growth = 0
  let next = 0
  while (next < edits.length) {
    const cuts = cutterFor(context.limits, family, level)
    let place = yield* placeAt(context, root, level, edits[next]!.from)
    const start = place.start
    let at = start
    let skipTo = start
    for (;;) {
      at = place.start
      for (const part of partsOf(place.node)) {
        const edit = edits[next]
        if (at >= skipTo && edit !== undefined && edit.from === at) {
          yield* pushAll(context.nodes, cuts, edit.items)
          growth += edit.items.length
          skipTo = edit.to
          next++
        }
        if (at >= skipTo) cuts.push(part)
        else growth--
        at += 'count' in part ? part.count : 1
      }
      if (skipTo > at) {
        // Nodes that the edit removes as a whole are not read.
        growth = Number.NEGATIVE_INFINITY
        at = skipTo
      }
      if (at === total) {
        const edit = edits[next]
        if (edit !== undefined) {
          yield* pushAll(context.nodes, cuts, edit.items)
          growth += edit.items.length
          next++
        }
        break
      }
      // The cut is on an old one: what follows stays as it was, unless an edit begins right here.
      if (skipTo <= place.end && cuts.isBetween() && edits[next]?.from !== at) break
      place = yield* placeAt(context, root, level, at)
    }
    above.push({ from: start, to: at, items: yield* itemsOf(context.nodes, family, level, cuts) })
  }
  return { above, shrank: growth < 0 }
}

/** Cuts parts. Where they are many, it pauses. */
function* pushAll(nodes: Nodes, cuts: Cutter<Part>, parts: readonly Part[]): Walk<void> {
  for (const part of parts) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    cuts.push(part)
  }
}

/** The node of a level that holds an index; the last one for the index after the end. */
function* placeAt(context: TreeContext, root: ContainerNode, level: number, index: number): Walk<Place> {
  let node = root
  let start = 0
  let end = countOf(root)
  while (levelOf(node) > level) {
    const items = (node as { readonly items: readonly Item[] }).items
    let i = 0
    while (i < items.length - 1 && start + items[i]!.count <= index) start += items[i++]!.count
    end = start + items[i]!.count
    node = (yield* nodeOf(context.nodes, items[i]!.link)) as ContainerNode
  }
  return { node, start, end }
}

function replaced(parts: readonly Part[], edits: readonly Splice<Part>[]): readonly Part[] {
  const only = edits.length === 1 ? edits[0]! : undefined
  if (only?.items.length === 1 && only.to === only.from + 1 && !('count' in parts[0]!)) {
    // The fast path for one entry replaced by another, which nearly every write is at every level.
    return parts.with(only.from, only.items[0]!)
  }
  let out = parts
  // From the last to the first, so that the indexes of the others stay valid.
  for (let i = edits.length - 1; i >= 0; i--) {
    const { from, to, items } = edits[i]!
    const first = partAt(parts, from)
    out = [...out.slice(0, first), ...items, ...out.slice(partAt(parts, to))]
  }
  return out
}

/** The part that begins at an index. */
function partAt(parts: readonly Part[], index: number): number {
  if (parts.length === 0 || !('count' in parts[0]!)) return index
  let at = 0
  for (let start = 0; start < index; at++) start += (parts[at] as Item).count
  return at
}

function cutterFor({ cut }: TreeLimits, family: Family, level: number): Cutter<Part> {
  const number =
    level === 0
      ? family.leaf === 'map'
        ? mapEntryNumber
        : listEntryNumber
      : family.leaf === 'map'
        ? mapItemNumber(level)
        : itemNumber
  return cutter(number as Numbering<Part>, cut)
}

function nodeFrom(family: Family, level: number, parts: readonly Part[]): ContainerNode {
  if (level > 0) return { kind: family.branch, level, items: parts as readonly Item[], deltas: 0 }
  const entries = parts as readonly Entry[]
  return family.leaf === 'map' ? mapNode(entries) : { kind: 'list', entries, deltas: 0 }
}

/** The nodes that were cut, as items of the level above. */
function* itemsOf(nodes: Nodes, family: Family, level: number, cuts: Cutter<Part>): Walk<Item[]> {
  const items: Item[] = []
  for (const cut of cuts.finish()) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    items.push(itemOf(family, level, cut))
  }
  return items
}

function itemOf(family: Family, level: number, parts: readonly Part[]): Item {
  const node: Node = nodeFrom(family, level, parts)
  const head = parts[0]!
  const first = family.leaf === 'list' ? '' : 'key' in head ? head.key : head.first
  let count = 0
  for (const part of parts) count += 'count' in part ? part.count : 1
  return { first, link: freshLink(node), count }
}
