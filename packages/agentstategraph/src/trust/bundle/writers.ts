/**
 * Computes the writers of values from the states alone, because a bundle has neither pointers nor writers.
 *
 * The writer of a value is the commit, unless a parent has an equal value in the same place: then it is the writer there.
 * `alignLists` decides which place an element of a list had, as it does when a commit lands. A commit may have a parent
 * before the bundle. What no parent in the bundle has was then written by the commit if its entry lists the path as
 * changed, and before the bundle if not. The drafts of a speculation cannot be told apart: their landing is the writer.
 * docs/format.md has the definition, under "Writers".
 */

import { greatestOf, parseKnownPath, startsWithPath, userKey } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import {
  alignLists,
  type BranchNode,
  type Child,
  type ContainerNode,
  containerOfChild,
  type Entry,
  elementOrigin,
  familyOf,
  findIn,
  type Held,
  type Item,
  isContainer,
  isSameContent,
  type Link,
  type ListAlignment,
  type Node,
  nodeOf,
  unstored,
  type Writer,
} from '../../tree/index.ts'
import { levelOf } from '../../tree/nodes/node.ts'
import { type BundleNodes, isWithheld, ownWriter, withheldLink } from './rebuilt-nodes.ts'

/** What is needed to rebuild the trees of a commit. */
export interface Rebuilding {
  readonly nodes: BundleNodes
  /** The writer of a value that no parent has. */
  readonly writerAt: (path: readonly string[]) => Writer
}

/** The writer of each value that is new in a commit; `before` is given when some of its parents are not in the bundle. */
export function writersOf(changed: readonly string[], before: Writer | undefined): (path: readonly string[]) => Writer {
  if (before === undefined) return () => ownWriter
  const paths = changed.map(path => parseKnownPath(path.endsWith('/**') ? path.slice(0, -3) : path))
  return path => (paths.some(one => startsWithPath(path, one) || startsWithPath(one, path)) ? ownWriter : before)
}

/** A root with its writers. `befores` are the same root in the parents that are in the bundle, in their order. */
export function rebuiltRoot(rebuilding: Rebuilding, id: string, befores: readonly Link[]): Work<Link> {
  return rebuiltLink(rebuilding, id, befores, [])
}

function* rebuiltLink(
  rebuilding: Rebuilding,
  id: string,
  befores: readonly Child[],
  path: readonly string[],
): Work<Link> {
  const [first] = befores
  if (first?.kind === 'link' && first.id === id) return first
  const found = rebuilding.nodes.find(id)
  if (found === undefined) return withheldLink(id)
  const { node, text } = found
  if (isContainer(node)) {
    const containers = yield* containersOf(rebuilding, node, befores)
    return linkOf(id, text, yield* rebuiltContainer(rebuilding, node, containers, path))
  }
  return linkOf(id, text, 'items' in node ? yield* rebuiltPieces(rebuilding, node, befores) : node)
}

function linkOf(id: string, text: string, node: Node): Link {
  return { kind: 'link', id, at: unstored, fresh: { node, text } }
}

/** The containers of the same family that the parents have in the same place. */
function* containersOf(
  { nodes }: Rebuilding,
  node: ContainerNode,
  befores: readonly Child[],
): Work<readonly ContainerNode[]> {
  const containers: ContainerNode[] = []
  for (const before of befores) {
    if (isWithheld(before)) continue
    const container = yield* containerOfChild(nodes.context, before)
    if (container !== undefined && familyOf(container) === familyOf(node)) containers.push(container)
  }
  return containers
}

function rebuiltContainer(
  rebuilding: Rebuilding,
  node: ContainerNode,
  befores: readonly ContainerNode[],
  path: readonly string[],
): Work<ContainerNode> {
  const isMap = familyOf(node).leaf === 'map'
  return isMap ? rebuiltMap(rebuilding, node, befores, path) : rebuiltList(rebuilding, node, befores, path)
}

function* rebuiltMap(
  rebuilding: Rebuilding,
  map: ContainerNode,
  befores: readonly ContainerNode[],
  path: readonly string[],
): Work<ContainerNode> {
  const shared = yield* sharedNodes(rebuilding, map, befores[0])
  return yield* rebuiltNodes(rebuilding, map, 0, {
    sharedAt: (_, id) => shared.get(id),
    *entry(_, entry): Work<Entry> {
      const key = userKey(entry.key)
      const found: Entry[] = []
      for (const before of befores) {
        const one = yield* findIn(rebuilding.nodes.context, before, key)
        if (one !== undefined) found.push(one)
      }
      return yield* rebuiltEntry(rebuilding, entry, found, [...path, key])
    },
  })
}

function* rebuiltList(
  rebuilding: Rebuilding,
  list: ContainerNode,
  [first, ...others]: readonly ContainerNode[],
  path: readonly string[],
): Work<ContainerNode> {
  const { context } = rebuilding.nodes
  const { a, b, matches, replaces } = yield* alignLists(context, first ?? { kind: 'list', entries: [] }, list)
  const later: ListAlignment[] = []
  if (matches.some(match => match < 0)) for (const other of others) later.push(yield* alignLists(context, other, list))
  const pieces = new Map(b.map(({ at }, j) => [at, j]))
  return yield* rebuiltNodes(rebuilding, list, 0, {
    sharedAt(at, id) {
      const part = a[matches[pieces.get(at) ?? -1]!]?.part
      return part !== undefined && 'link' in part && part.link.id === id ? part.link : undefined
    },
    *entry(at, element): Work<Entry> {
      const j = pieces.get(at)!
      const befores = [a[matches[j]!]?.part as Entry | undefined]
      if (befores[0] === undefined) {
        const { equal, replaced } = yield* elementOrigin(context, later, at)
        befores.push(equal)
        if (equal === undefined) befores.push(a[replaces[j]!]?.part as Entry | undefined, ...replaced)
      }
      const found = befores.filter(before => before !== undefined)
      return yield* rebuiltEntry(rebuilding, element, found, [...path, String(at)])
    },
  })
}

/** The nodes, by id, that a map shares with an older one. The walk descends only where the two differ. */
function* sharedNodes(
  { nodes }: Rebuilding,
  map: ContainerNode,
  older: ContainerNode | undefined,
): Work<ReadonlyMap<string, Link>> {
  const shared = new Map<string, Link>()
  let mine: readonly ContainerNode[] = [map]
  let theirs: readonly ContainerNode[] = older === undefined ? [] : [older]
  while (mine.length > 0 && theirs.length > 0) {
    const level = greatestOf([...mine, ...theirs].map(levelOf))
    const [myItems, theirItems] = [itemsAt(mine, level), itemsAt(theirs, level)]
    const known = new Map(theirItems.map(({ link }) => [link.id, link]))
    const wanted = new Set(myItems.map(({ link }) => link.id))
    for (const id of wanted) if (known.has(id)) shared.set(id, known.get(id)!)
    mine = mine.filter(one => levelOf(one) < level).concat(yield* opened(nodes, myItems, id => !known.has(id)))
    theirs = theirs.filter(one => levelOf(one) < level).concat(yield* opened(nodes, theirItems, id => !wanted.has(id)))
  }
  return shared
}

function* opened(
  { context }: BundleNodes,
  items: readonly Item[],
  isWanted: (id: string) => boolean,
): Work<ContainerNode[]> {
  const found: ContainerNode[] = []
  for (const { link } of items) {
    if (isWanted(link.id)) found.push((yield* nodeOf(context.nodes, link)) as ContainerNode)
  }
  return found
}

function itemsAt(nodes: readonly ContainerNode[], level: number): Item[] {
  return nodes.flatMap(node => ('items' in node && node.level === level ? node.items : []))
}

/** How the parts of a container are rebuilt, by the index at which each begins. */
interface Parts {
  /** The node of a parent that is used unchanged. */
  sharedAt(at: number, id: string): Link | undefined
  entry(at: number, entry: Entry): Work<Entry>
}

/** A container, whose first entry has the index `from`, with its entries rebuilt and its shared nodes unchanged. */
function* rebuiltNodes(rebuilding: Rebuilding, node: ContainerNode, from: number, parts: Parts): Work<ContainerNode> {
  let at = from
  if (!('items' in node)) {
    const entries: Entry[] = []
    for (const entry of node.entries) entries.push(yield* parts.entry(at++, entry))
    return { ...node, entries }
  }
  const items: Item[] = []
  for (const { first, link, count } of node.items) {
    const shared = parts.sharedAt(at, link.id)
    const found = shared === undefined ? rebuilding.nodes.find(link.id) : undefined
    if (shared !== undefined) items.push({ first, link: shared, count })
    else if (found === undefined) items.push({ first, link: withheldLink(link.id), count })
    else {
      const made = yield* rebuiltNodes(rebuilding, found.node as ContainerNode, at, parts)
      items.push({ first, link: linkOf(link.id, found.text, made), count })
    }
    at += count
  }
  return { ...node, items }
}

function* rebuiltEntry(
  rebuilding: Rebuilding,
  { key, child }: Entry,
  befores: readonly Entry[],
  path: readonly string[],
): Work<Entry> {
  const equal = befores.find(before => isSameContent(before.child, child))
  const writer = equal === undefined ? rebuilding.writerAt(path) : equal.writer
  const children = befores.map(before => before.child)
  return { key, child: yield* rebuiltChild(rebuilding, child, children, path), writer }
}

function* rebuiltChild(
  rebuilding: Rebuilding,
  child: Child,
  befores: readonly Child[],
  path: readonly string[],
): Work<Child> {
  const [first] = befores
  if (child.kind === 'leaf') return child
  if (first !== undefined && isSameContent(first, child)) return first
  if (child.kind === 'link') return yield* rebuiltLink(rebuilding, child.id, befores, path)
  const containers = yield* containersOf(rebuilding, child.node, befores)
  return { ...child, node: (yield* rebuiltContainer(rebuilding, child.node, containers, path)) as Held['node'] }
}

/** A long value: pieces that an earlier value has too are used unchanged. */
function* rebuiltPieces(rebuilding: Rebuilding, node: BranchNode, befores: readonly Child[]): Work<BranchNode> {
  const known = new Map<string, Link>()
  for (const before of befores) {
    if (before.kind !== 'link' || isWithheld(before)) continue
    const older = yield* nodeOf(rebuilding.nodes.context.nodes, before)
    if ('items' in older) for (const { link } of older.items) known.set(link.id, link)
  }
  const items: Item[] = []
  for (const item of node.items) {
    const same = known.get(item.link.id)
    items.push({ ...item, link: same ?? (yield* rebuiltLink(rebuilding, item.link.id, [...known.values()], [])) })
  }
  return { ...node, items }
}
