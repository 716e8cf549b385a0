/**
 * Batch edit: many paths, one pass.
 *
 * The edits apply one after another, each to the result of the ones before it, but a container is read and written once.
 * Parts that end up equal keep their nodes and writers, so a batch that changes nothing returns the same root object.
 */

import { canonicalText, encryptedRefused, formatPath, storedKey } from '../../core/index.ts'
import { treeError, typeInWords } from '../errors.ts'
import { containerOfChild, findEntry, type MapRoot, placeInLeaf, placeOfKey, settled } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import {
  type Child,
  type ContainerNode,
  entryOf,
  familyOf,
  isSameContent,
  type Link,
  mapFamily,
} from '../nodes/node.ts'
import { freshLink } from '../nodes/node-text.ts'
import { pausedChildOf } from '../nodes/paused-child.ts'
import { type Splice, spliced } from '../nodes/sequence.ts'
import { pausePoint, type Walk } from '../nodes/walk.ts'
import { valueOfChild } from '../nodes/whole-value.ts'
import { type Edit, type EncryptedPlace, firstWhole, plainAfter, writerOfLast } from './edits.ts'
import { encryptedEdits } from './encrypted-edits.ts'
import { graft, type OnChanged } from './graft.ts'
import { editList } from './list-edit.ts'
import { findPlainSet } from './plain-set.ts'

export interface Edited {
  readonly root: Link
  /** The changed paths, each the deepest at which old and new differ as a whole; neither sorted nor unique. */
  readonly changed: readonly (readonly string[])[]
}

/** Applies many edits in one pass, each to the result of the ones before it. */
export function* edit(given: TreeContext, root: Link, asked: readonly Edit[]): Walk<Edited> {
  const { encryption } = given
  const context = encryption === undefined ? given : { ...given, encryption: undefined }
  for (const one of asked) if ('encrypted' in one) yield* assertInPlace(context, root, one.encrypted)
  const plain = encryption === undefined && asked.length === 1 ? findPlainSet(context, root, asked[0]!) : undefined
  if (plain !== undefined) return { root: plain, changed: plain === root ? [] : [asked[0]!.path] }
  const edits = encryption === undefined ? asked : yield* encryptedEdits(context, encryption, root, asked, edit)
  const changed: (readonly string[])[] = []
  const child = yield* editChild(context, root, edits, [], path => changed.push(path))
  if (child === root) return { root, changed: [] }
  const map = child === undefined ? undefined : yield* containerOfChild(context, child)
  if (child === undefined || map === undefined || familyOf(map) !== mapFamily) {
    const type = child === undefined ? 'nothing' : typeInWords(yield* valueOfChild(context, child))
    throw treeError('root-not-a-map', { type })
  }
  const next = child.kind === 'link' ? child : freshLink(map)
  return next.id === root.id ? { root, changed: [] } : { root: next, changed }
}

/** Throws when an encrypted value is not stored at its path already. */
function* assertInPlace(context: TreeContext, root: Link, places: readonly EncryptedPlace[] = []): Walk<void> {
  for (const { path, stored } of places) {
    const entry = path.length === 0 ? undefined : yield* findEntry(context, root, path)
    const value = entry === undefined ? null : yield* valueOfChild(context, entry.child)
    if (canonicalText(value) !== canonicalText(stored)) throw encryptedRefused(path)
  }
}

/** The child after the edits at and below it; undefined when it was deleted, the old object when nothing changed. */
function* editChild(
  context: TreeContext,
  old: Child | undefined,
  edits: readonly Edit[],
  path: readonly string[],
  onChanged: OnChanged,
): Walk<Child | undefined> {
  const depth = path.length
  const whole = firstWhole(edits, depth)
  if (old === undefined || whole >= 0) {
    // A later edit sets the whole child, so earlier ones have no effect; they run only for the errors they throw.
    if (old !== undefined && whole > 0) yield* editChild(context, old, edits.slice(0, whole), path, () => {})
    const value = plainAfter(old === undefined ? edits : edits.slice(whole), depth)
    if (value !== undefined) {
      const fresh = yield* pausedChildOf(context, value, writerOfLast(edits))
      // Only containers and long values have parts that can stay.
      if (old !== undefined && old.kind !== 'leaf') return yield* graft(context, old, fresh, path, onChanged)
      if (old !== undefined && isSameContent(old, fresh)) return old
      onChanged(path)
      return fresh
    }
    if (old !== undefined) onChanged(path)
    return undefined
  }
  const container = yield* containerOfChild(context, old)
  if (container === undefined) {
    const write = edits.find(one => one.op !== 'delete')
    if (write === undefined) return old
    const type = typeInWords(yield* valueOfChild(context, old))
    throw treeError('path-blocked', { path: formatPath(write.path), at: formatPath(path), type })
  }
  const changed: (readonly string[])[] = []
  const onInside: OnChanged = inside => changed.push(inside)
  const edited =
    familyOf(container).leaf === 'map'
      ? yield* editMap(context, container as MapRoot, edits, depth, path, onInside)
      : yield* editList(context, container, edits, path, onInside, editChild)
  if (edited === container) return old
  const child = settled(context, edited)
  // A list can end as it began, when elements were removed and inserted again.
  if (isSameContent(child, old)) return old
  for (const inside of changed) onChanged(inside)
  return child
}

function* editMap(
  context: TreeContext,
  map: MapRoot,
  edits: readonly Edit[],
  depth: number,
  path: readonly string[],
  onChanged: OnChanged,
): Walk<ContainerNode> {
  const splices: Splice[] = []
  for (const [key, group] of yield* groupedByKey(context, edits, depth)) {
    if (context.nodes.isPauseDue?.() === true) yield pausePoint
    const { index, entry } = 'entries' in map ? placeInLeaf(map, 0, key) : yield* placeOfKey(context, map, key)
    const child = yield* editChild(context, entry?.child, group, [...path, group[0]!.path[depth]!], onChanged)
    if (child === entry?.child) continue
    const items = child === undefined ? [] : [entryOf(key, child, writerOfLast(group))]
    splices.push({ from: index, to: entry === undefined ? index : index + 1, items })
  }
  if (splices.length === 0) return map as ContainerNode
  return yield* spliced(context, map as ContainerNode, splices)
}

function* groupedByKey(
  { nodes }: TreeContext,
  edits: readonly Edit[],
  depth: number,
): Walk<Iterable<[string, Edit[]]>> {
  if (edits.length === 1) return [[storedKey(edits[0]!.path[depth]!), [edits[0]!]]]
  const groups = new Map<string, Edit[]>()
  for (const one of edits) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    const key = storedKey(one.path[depth]!)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}
