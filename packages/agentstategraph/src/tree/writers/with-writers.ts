/**
 * Computes the writers of a state by their definition: for every commit before it is stored, and for `verify`.
 *
 * A root is walked beside the roots of the commit's parents, and shared nodes are not read. Where a writer differs from the
 * definition, the nodes above it are rebuilt; values and ids stay. The same walk finds the changes since the first parent.
 * docs/format.md has the definition, under "Writers".
 */

import { userKey } from '../../core/index.ts'
import { alignLists, type ListAlignment, type OnLink } from '../diff/align-lists.ts'
import type { OnChanged } from '../edit/graft.ts'
import { containerOfChild, type MapRoot, placeOfKey } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import {
  type Child,
  type ContainerNode,
  type Entry,
  entryOf,
  familyOf,
  type Item,
  isSameChild,
  isSameContent,
  type Link,
  mapFamily,
  seqOfWriter,
  type Writer,
} from '../nodes/node.ts'
import { entriesOf, type Splice, spliced } from '../nodes/sequence.ts'
import { nodeOf, pausePoint, type Walk } from '../nodes/walk.ts'
import { type ElementOrigin, elementOrigin } from './element-origin.ts'
import {
  type Befores,
  holding,
  type OnWrongWriter,
  ownChild,
  ownWriter,
  type Settling,
  visitPieces,
} from './own-writers.ts'
import { findWriterDifference } from './same-writers.ts'
import { unsharedKeys } from './unshared-keys.ts'

export interface WritersOptions {
  /** Whether a writer means the commit itself. By default a commit that is being made has seq 0. */
  readonly isOwn?: (writer: Writer) => boolean
  readonly onWrong?: OnWrongWriter
  /** Called with each path that differs from the first parent: the deepest at which they differ as a whole. */
  readonly onChanged?: OnChanged
  readonly onLink?: OnLink
}

/** The root with the defined writers; the same object when it has them already. The first parent comes first. */
export function* withWriters(
  context: TreeContext,
  root: Link,
  parents: readonly Link[],
  options: WritersOptions = {},
): Walk<Link> {
  const { isOwn = isBeingMade, onWrong = ignore, onChanged, onLink } = options
  const settling: Settling = { context, isOwn, onWrong, onLink }
  onLink?.own(root)
  for (const parent of parents) onLink?.before(parent)
  const befores = parents.length === 0 ? [nothing] : parents
  return (yield* settledChild(settling, root, befores, [], onChanged)) as Link
}

const ignore = (): void => {}
const isBeingMade = (writer: Writer): boolean => seqOfWriter(writer) === 0
/** The state before the first commit. */
const nothing: Child = { kind: 'held', node: { kind: 'map', entries: [] }, text: '{}' }

function* settledChild(
  settling: Settling,
  child: Child,
  befores: Befores<Child>,
  path: readonly string[],
  onChanged: OnChanged | undefined,
): Walk<Child> {
  const [first] = befores
  if (first !== undefined && isSameContent(first, child)) {
    return (yield* hasWritersOf(settling, child, first, path)) ? child : first
  }
  const container = yield* containerOfChild(settling.context, child)
  if (container === undefined) {
    onChanged?.(path)
    yield* visitPieces(settling, child, befores)
    return child
  }
  const parents: (ContainerNode | undefined)[] = []
  for (const before of befores) {
    const parent = before && (yield* containerOfChild(settling.context, before))
    parents.push(parent !== undefined && familyOf(parent) === familyOf(container) ? parent : undefined)
  }
  if (parents[0] === undefined) onChanged?.(path)
  if (parents.every(parent => parent === undefined)) return yield* ownChild(settling, child, path)
  const inside = parents[0] === undefined ? undefined : onChanged
  const settled =
    familyOf(container) === mapFamily
      ? yield* settledMap(settling, container, parents, path, inside)
      : yield* settledList(settling, container, parents, path, inside)
  return settled === container ? child : holding(child, settled)
}

function* settledMap(
  settling: Settling,
  map: ContainerNode,
  [first, ...others]: Befores<ContainerNode>,
  path: readonly string[],
  onChanged: OnChanged | undefined,
): Walk<ContainerNode> {
  const { context, onLink } = settling
  const splices: Splice[] = []
  for (const { key, index, own, before } of yield* unsharedKeys(context, map, first, onLink)) {
    if (context.nodes.isPauseDue?.() === true) yield pausePoint
    const at = [...path, userKey(key)]
    if (own === undefined) {
      onChanged?.(at)
      continue
    }
    const befores: (Entry | undefined)[] = [before]
    for (const other of others) {
      const found = other && (yield* placeOfKey(context, other as MapRoot, key)).entry
      if (found?.child.kind === 'link') onLink?.before(found.child)
      befores.push(found)
    }
    const entry = yield* settledEntry(settling, own, befores, at, onChanged)
    if (entry !== own) splices.push({ from: index, to: index + 1, items: [entry] })
  }
  return splices.length === 0 ? map : yield* spliced(context, map, splices)
}

function* settledEntry(
  settling: Settling,
  entry: Entry,
  befores: Befores<Entry>,
  path: readonly string[],
  onChanged: OnChanged | undefined,
): Walk<Entry> {
  const equal = befores.find(before => before !== undefined && isSameContent(before.child, entry.child))
  const children = befores.map(before => before?.child)
  const child = yield* settledChild(settling, entry.child, children, path, onChanged)
  const writer = settledWriter(settling, entry.writer, equal?.writer, path)
  return child === entry.child && writer === entry.writer ? entry : entryOf(entry.key, child, writer)
}

function settledWriter(
  { isOwn, onWrong }: Settling,
  found: Writer,
  expected: Writer | undefined,
  path: readonly string[],
): Writer {
  if (expected === undefined ? isOwn(found) : found === expected) return found
  onWrong(path, found, expected)
  return expected ?? ownWriter
}

function* settledList(
  settling: Settling,
  list: ContainerNode,
  [first, ...others]: Befores<ContainerNode>,
  path: readonly string[],
  onChanged: OnChanged | undefined,
): Walk<ContainerNode> {
  const { context, onLink } = settling
  const empty: ContainerNode = { kind: 'list', entries: [] }
  const aligned = yield* alignLists(context, first ?? empty, list, onLink)
  const { a, b, matches, kept, replaces, removed } = aligned
  if (onChanged !== undefined) for (const i of removed) onChanged([...path, String(a[i]!.at)])
  const later: (ListAlignment | undefined)[] = []
  if (matches.some(match => match < 0)) {
    for (const other of others) later.push(other && (yield* alignLists(context, other, list, onLink)))
  }
  const splices: Splice[] = []
  for (const [j, { at, part }] of b.entries()) {
    if (context.nodes.isPauseDue?.() === true) yield pausePoint
    const same = a[matches[j]!]?.part
    if (same !== undefined) {
      if (kept[j] === 0 && onChanged !== undefined) {
        const count = 'count' in part ? part.count : 1
        for (let n = 0; n < count; n++) onChanged([...path, String(at + n)])
      }
      const items = yield* settledPart(settling, part, same, [...path, String(at)])
      if (items !== undefined) splices.push({ from: at, to: at + items.length, items })
      continue
    }
    // A piece without a match is an element: a node is a piece only when both lists have it.
    const own = part as Entry
    const place = [...path, String(at)]
    const replaced = a[replaces[j]!]?.part as Entry | undefined
    const entry = yield* settledElement(
      settling,
      own,
      replaced,
      yield* elementOrigin(context, later, at),
      place,
      onChanged,
    )
    if (entry !== own) splices.push({ from: at, to: at + 1, items: [entry] })
  }
  return splices.length === 0 ? list : yield* spliced(context, list, splices)
}

/** Settles an element that the first parent's list lacks: equal in a later parent, or changed from replaced elements. */
function* settledElement(
  settling: Settling,
  own: Entry,
  replaced: Entry | undefined,
  { equal, replaced: others }: ElementOrigin,
  path: readonly string[],
  onChanged: OnChanged | undefined,
): Walk<Entry> {
  if (equal === undefined) return yield* settledEntry(settling, own, [replaced, ...others], path, onChanged)
  yield* tellChanges(settling, own, replaced, path, onChanged)
  return (yield* settledPart(settling, own, equal, path))?.[0] ?? own
}

/** Reports what changed in an element since the first parent, when its writers come from a later parent. */
function* tellChanges(
  { context }: Settling,
  own: Entry,
  replaced: Entry | undefined,
  path: readonly string[],
  onChanged: OnChanged | undefined,
): Walk<void> {
  if (onChanged === undefined) return
  const comparing: Settling = { context, isOwn: () => true, onWrong: ignore, onLink: undefined }
  yield* settledChild(comparing, own.child, [replaced?.child], path, onChanged)
}

/** The elements of a part that equals an older one, with the writers of the older one; undefined when they have them. */
function* settledPart(
  settling: Settling,
  own: Entry | Item,
  before: Entry | Item,
  path: readonly string[],
): Walk<readonly Entry[] | undefined> {
  if ('link' in own || 'link' in before) {
    const [mine, theirs] = [(own as Item).link, (before as Item).link]
    if (yield* hasWritersOf(settling, mine, theirs, path)) return undefined
    return yield* entriesOf(settling.context, (yield* nodeOf(settling.context.nodes, theirs)) as ContainerNode)
  }
  if (own === before) return undefined
  const writer = settledWriter(settling, own.writer, before.writer, path)
  const hasSame = yield* hasWritersOf(settling, own.child, before.child, path)
  return hasSame && writer === own.writer ? undefined : [before]
}

function* hasWritersOf(
  { context, onWrong, onLink }: Settling,
  own: Child,
  before: Child,
  path: readonly string[],
): Walk<boolean> {
  if (isSameChild(own, before)) return true
  const difference = yield* findWriterDifference(context, own, before, path, onLink)
  if (difference === undefined) return true
  onWrong(difference.path, difference.found, difference.expected)
  return false
}
