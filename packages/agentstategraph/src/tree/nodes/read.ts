/**
 * Reading: the child at a path, and the value of a child.
 */

import { findEncrypted, isIndex, type Stored, storedKey } from '../../core/index.ts'
import { childOf } from './build.ts'
import type { TreeContext } from './context.ts'
import { decrypted } from './encryption.ts'
import { placeOfKey } from './keyed.ts'
import { longValue } from './long.ts'
import {
  type BranchNode,
  type Child,
  type ContainerNode,
  type Entry,
  isContainer,
  type Link,
  type Node,
  type Writer,
} from './node.ts'
import { entriesOf, entryAt } from './sequence.ts'
import { expectSoon, nodeOf, type Walk } from './walk.ts'

/** The container of a child; undefined for a scalar or tagged value. */
export function* containerOfChild(context: TreeContext, child: Child): Walk<ContainerNode | undefined> {
  if (child.kind === 'leaf') return undefined
  if (child.kind === 'held') return child.node
  // `nodeOf` inlined: this runs for every segment of every path, and saving a generator is measurable.
  const node = child.fresh?.node ?? context.nodes.find(child) ?? ((yield child) as Node)
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

/** The whole value of a child. */
export function* valueOfChild(context: TreeContext, child: Child): Walk<Stored> {
  if (child.kind === 'leaf') return child.value
  const node: Node = child.kind === 'held' ? child.node : yield* nodeOf(context.nodes, child)
  if (isContainer(node)) return yield* containerValue(context, node)
  return node.kind === 'value' ? node.value : yield* longValue(context, node as BranchNode)
}

function* containerValue(context: TreeContext, node: ContainerNode): Walk<Stored> {
  const entries = yield* entriesOf(context, node)
  yield* expectSoon(
    context.nodes,
    entries.flatMap(({ child }) => (child.kind === 'link' ? [child] : [])),
  )
  if (node.kind === 'list' || node.kind === 'lists') {
    const list: Stored[] = []
    for (const { child } of entries)
      list.push(child.kind === 'leaf' ? child.value : yield* valueOfChild(context, child))
    return list
  }
  // Without a prototype, so that no key can reach one.
  const map: { [key: string]: Stored } = Object.create(null)
  for (const { key, child } of entries)
    map[key] = child.kind === 'leaf' ? child.value : yield* valueOfChild(context, child)
  return map
}
