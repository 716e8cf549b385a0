/**
 * Who wrote what, found again from the states alone.
 *
 * Pointers and writers are not in a bundle. They follow from the states: the writer of a value is the commit, unless a parent
 * has the equal value in the same place; then it is the writer there. What no parent in the bundle has, in a commit with a
 * parent before the bundle, was written by the commit when its entry lists the path as changed, and before the bundle when
 * not. Drafts cannot be told apart: their landing is the writer. docs/format.md has the definition, under "Writers".
 */

import { appendAll, greatestOf, isStateError, parseKnownPath, startsWithPath, userKey } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import {
  align,
  type BranchNode,
  type Child,
  type ContainerNode,
  containerOfChild,
  contentOf,
  type Entry,
  entriesOf,
  familyOf,
  findIn,
  type Held,
  type Item,
  indexOfPointer,
  isContainer,
  isSameContent,
  type Link,
  type Node,
  nodeOf,
  parseNode,
  type TreeContext,
  unstored,
  type Writer,
} from '../../tree/index.ts'
import { levelOf } from '../../tree/node.ts'
import { withheldIndex } from './bundle-log.ts'

/** What a tree is rebuilt from. */
export interface Rebuilding {
  readonly context: TreeContext
  /** The text of a node of this commit or of an earlier one; undefined when it is withheld. */
  readonly textOf: (id: string) => string | undefined
  /** Says who wrote what no parent has. */
  readonly writerAt: (path: readonly string[]) => Writer
}

const ownWriter: Writer = 0
const blank = { pointer: () => unstored, writer: () => ownWriter }

/** The writer of what is new in a commit; `before` is given when some of its parents are not in the bundle. */
export function writersOf(changed: readonly string[], before: Writer | undefined): (path: readonly string[]) => Writer {
  if (before === undefined) return () => ownWriter
  const paths = changed.map(path => parseKnownPath(path.endsWith('/**') ? path.slice(0, -3) : path))
  return path => (paths.some(one => startsWithPath(path, one) || startsWithPath(one, path)) ? ownWriter : before)
}

/** A root with its writers. `befores` are the same root in the parents that are known, the first parent's first. */
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
  const text = rebuilding.textOf(id)
  if (text === undefined) return withheldLink(id)
  const node = parseNode(text, blank)
  if (isContainer(node)) {
    const containers = yield* containersOf(rebuilding, node, befores)
    return linkOf(id, text, yield* rebuiltContainer(rebuilding, node, containers, path))
  }
  return linkOf(id, text, 'items' in node ? yield* rebuiltPieces(rebuilding, node, befores) : node)
}

function linkOf(id: string, text: string, node: Node): Link {
  return { kind: 'link', id, at: unstored, fresh: { node, text } }
}

/** A link to a node that is not in the bundle. */
export function withheldLink(id: string): Link {
  return { kind: 'link', id, at: withheldIndex, fresh: undefined }
}

function isWithheld(child: Child): boolean {
  return child.kind === 'link' && child.fresh === undefined && indexOfPointer(child.at) === withheldIndex
}

/** The containers of the same family that parents have in the same place. */
function* containersOf(
  { context }: Rebuilding,
  node: ContainerNode,
  befores: readonly Child[],
): Work<readonly ContainerNode[]> {
  const containers: ContainerNode[] = []
  for (const before of befores) {
    if (isWithheld(before)) continue
    const container = yield* containerOfChild(context, before)
    if (container !== undefined && familyOf(container) === familyOf(node)) containers.push(container)
  }
  return containers
}

function* rebuiltContainer(
  rebuilding: Rebuilding,
  node: ContainerNode,
  befores: readonly ContainerNode[],
  path: readonly string[],
): Work<ContainerNode> {
  const compared = yield* comparedWith(rebuilding, node, befores[0])
  if (familyOf(node).leaf === 'map') {
    return yield* rebuiltLeaves(rebuilding, node, compared, leaf => rebuiltKeys(rebuilding, leaf, befores, path))
  }
  const found = yield* matchedElements(rebuilding, compared, befores)
  let taken = 0
  return yield* rebuiltLeaves(rebuilding, node, compared, function* (leaf): Work<readonly Entry[]> {
    const entries: Entry[] = []
    for (const element of leaf) {
      const at = taken++
      entries.push(yield* rebuiltEntry(rebuilding, element, found[at]!, [...path, String(at)]))
    }
    return entries
  })
}

/** Two containers side by side: what they share as it lies, and the leaves that only one of them has. */
interface Compared {
  /** The nodes of the older one by id. */
  readonly shared: ReadonlyMap<string, Link>
  readonly own: readonly Entry[]
  readonly before: readonly Entry[]
}

/** Goes down where the two differ, and only there. What is withheld counts as shared with nothing. */
function* comparedWith(rebuilding: Rebuilding, node: ContainerNode, older: ContainerNode | undefined): Work<Compared> {
  const shared = new Map<string, Link>()
  const own: Entry[] = []
  const before: Entry[] = []
  let mine: readonly ContainerNode[] = [node]
  let theirs: readonly ContainerNode[] = older === undefined ? [] : [older]
  while (mine.length > 0 || theirs.length > 0) {
    const level = greatestOf([...mine, ...theirs].map(levelOf))
    const [myItems, theirItems] = [itemsAt(mine, level), itemsAt(theirs, level)]
    const known = new Map(theirItems.map(({ link }) => [link.id, link]))
    const wanted = new Set(myItems.map(({ link }) => link.id))
    for (const id of wanted) if (known.has(id)) shared.set(id, known.get(id)!)
    for (const leaf of mine) if (level === 0 && 'entries' in leaf) appendAll(own, leaf.entries)
    for (const leaf of theirs) if (level === 0 && 'entries' in leaf) appendAll(before, leaf.entries)
    const below: ContainerNode[] = mine.filter(one => levelOf(one) < level)
    const belowTheirs: ContainerNode[] = theirs.filter(one => levelOf(one) < level)
    for (const { link } of myItems) {
      const text = known.has(link.id) ? undefined : rebuilding.textOf(link.id)
      if (text !== undefined) below.push(parseNode(text, blank) as ContainerNode)
    }
    for (const { link } of theirItems) {
      if (wanted.has(link.id) || isWithheld(link)) continue
      belowTheirs.push((yield* nodeOf(rebuilding.context.nodes, link)) as ContainerNode)
    }
    mine = below
    theirs = belowTheirs
  }
  return { shared, own, before }
}

function itemsAt(nodes: readonly ContainerNode[], level: number): Item[] {
  return nodes.flatMap(node => ('items' in node && node.level === level ? node.items : []))
}

/** The container with its leaves' entries made anew, and with what it shares as it lies. */
function* rebuiltLeaves(
  rebuilding: Rebuilding,
  node: ContainerNode,
  compared: Compared,
  entriesFor: (leaf: readonly Entry[]) => Work<readonly Entry[]>,
): Work<ContainerNode> {
  if (!('items' in node)) return { ...node, entries: yield* entriesFor(node.entries) }
  const items: Item[] = []
  for (const { first, link, count } of node.items) {
    const same = compared.shared.get(link.id)
    const text = same === undefined ? rebuilding.textOf(link.id) : undefined
    if (same !== undefined) items.push({ first, link: same, count })
    else if (text === undefined) items.push({ first, link: withheldLink(link.id), count })
    else {
      const child = parseNode(text, blank) as ContainerNode
      const made = yield* rebuiltLeaves(rebuilding, child, compared, entriesFor)
      items.push({ first, link: linkOf(link.id, text, made), count })
    }
  }
  return { ...node, items }
}

function* rebuiltKeys(
  rebuilding: Rebuilding,
  leaf: readonly Entry[],
  befores: readonly ContainerNode[],
  path: readonly string[],
): Work<readonly Entry[]> {
  const entries: Entry[] = []
  for (const entry of leaf) {
    const key = userKey(entry.key)
    const found: Entry[] = []
    for (const before of befores) {
      const one = yield* findOpen(rebuilding.context, before, key)
      if (one !== undefined) found.push(one)
    }
    entries.push(yield* rebuiltEntry(rebuilding, entry, found, [...path, key]))
  }
  return entries
}

/** The entry of a key in a parent; undefined also when the part of it that could have the key is withheld. */
function* findOpen(context: TreeContext, container: ContainerNode, key: string): Work<Entry | undefined> {
  try {
    return yield* findIn(context, container, key)
  } catch (e) {
    if (isStateError(e, 'state-withheld')) return undefined
    throw e
  }
}

/** For each element that the first parent's list does not share, what it was in the parents, the first parent's first. */
function* matchedElements(
  { context }: Rebuilding,
  { own, before }: Compared,
  befores: readonly ContainerNode[],
): Work<readonly (readonly Entry[])[]> {
  const { matches, replaces } = align(before.map(contentOfEntry), own.map(contentOfEntry))
  const others: Entry[] = []
  for (const other of befores.slice(1)) appendAll(others, yield* entriesOf(context, other))
  return own.map((element, i) => {
    const same = before[matches[i]!]
    if (same !== undefined) return [same]
    return [before[replaces[i]!], takeEqual(others, element)].filter(one => one !== undefined)
  })
}

function takeEqual(entries: Entry[], element: Entry): Entry | undefined {
  const at = entries.findIndex(one => isSameContent(one.child, element.child))
  return at < 0 ? undefined : entries.splice(at, 1)[0]
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

/** A long value: pieces that the value before it has too are left where they are. */
function* rebuiltPieces(rebuilding: Rebuilding, node: BranchNode, befores: readonly Child[]): Work<BranchNode> {
  const known = new Map<string, Link>()
  for (const before of befores) {
    if (before.kind !== 'link' || isWithheld(before)) continue
    const older = yield* nodeOf(rebuilding.context.nodes, before)
    if ('items' in older) for (const { link } of older.items) known.set(link.id, link)
  }
  const items: Item[] = []
  for (const item of node.items) {
    const same = known.get(item.link.id)
    items.push({ ...item, link: same ?? (yield* rebuiltLink(rebuilding, item.link.id, [...known.values()], [])) })
  }
  return { ...node, items }
}

function contentOfEntry({ child }: Entry): string {
  return contentOf(child)
}
