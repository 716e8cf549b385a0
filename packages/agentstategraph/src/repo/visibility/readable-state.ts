/**
 * The readable part of a state, as a state: code that reads states works on it unchanged and meets nothing else.
 *
 * Unreadable keys of maps are absent, and so are containers in which nothing is readable. Unreadable elements of lists are null,
 * so that the others keep their indexes. A state that is readable as a whole is not copied.
 */

import { formatPath, userKey } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import {
  type Child,
  type ContainerNode,
  childOf,
  containerOfChild,
  countOf,
  decryptedChild,
  familyOf,
  freshLink,
  type Link,
  rootOf,
  settled,
  type TreeContext,
  type Walk,
  withEntries,
} from '../../tree/index.ts'
import { findChild, systemKeys } from '../state/state.ts'
import type { BranchScope } from './read-scope.ts'

type State = Pick<StoredCommit, 'tree' | 'system'>

/** The readable part of the child at a path; undefined when there is none. */
export function* readableAt(
  context: TreeContext,
  state: State,
  path: readonly string[],
  scope: BranchScope | undefined,
): Work<Child | undefined> {
  const child = yield* findChild(context, state, path)
  if (child === undefined || scope === undefined) return child
  return yield* readableChild(context, child, path, scope)
}

export function* readableChild(
  context: TreeContext,
  child: Child,
  path: readonly string[],
  scope: BranchScope,
): Walk<Child | undefined> {
  const part = yield* partOf({ context, scope, hasOpened: false }, child, path)
  // A state is always a map, even when nothing in it is readable.
  const isEmptyState = part === undefined && path.length === 0 && scope.readability(path) !== 'none'
  return isEmptyState ? rootOf(context, {}, 0) : part
}

/** A commit whose state is its readable part. */
export function* readableState<T extends State>(
  context: TreeContext,
  state: T,
  scope: BranchScope | undefined,
): Work<T> {
  if (scope === undefined || scope.isWhole) return state
  const tree = yield* readableRoot(context, state.tree, scope)
  return { ...state, tree, system: yield* systemPart(context, state.system, scope) }
}

/** The readable part of a root. */
export function* readableRoot(context: TreeContext, tree: Link, scope: BranchScope | undefined): Walk<Link> {
  if (scope === undefined) return tree
  return asRoot((yield* readableChild(context, tree, [], scope)) ?? rootOf(context, {}, 0))
}

interface Reading {
  readonly context: TreeContext
  readonly scope: BranchScope
  /** Whether something encrypted was opened: what was made of it is not kept, because its key can be destroyed. */
  hasOpened: boolean
}

/** The readable part of a child; the child itself when all of it is readable. */
function* partOf(reading: Reading, child: Child, path: readonly string[]): Walk<Child | undefined> {
  const { context, scope } = reading
  const readability = scope.readability(path)
  if (readability === 'all') return child
  if (readability === 'none') return undefined
  const opened = yield* decryptedChild(context, child, 0)
  const container = yield* containerOfChild(context, opened)
  const isRest = readability === 'rest'
  if (container === undefined) return isRest ? child : undefined
  const isLarge = countOf(container) > context.limits.cut.max
  const key = isLarge && child.kind === 'link' ? JSON.stringify([child.id, formatPath(path), scope.names]) : undefined
  const known = key === undefined ? undefined : scope.kept.find(key)
  if (known !== undefined) return known.part
  const inside: Reading = { ...reading, hasOpened: opened !== child }
  const part = yield* readableEntries(inside, opened, container, path, isRest)
  if (inside.hasOpened) reading.hasOpened = true
  else if (key !== undefined) scope.kept.keep(key, part)
  return part
}

function* readableEntries(
  reading: Reading,
  child: Child,
  container: ContainerNode,
  path: readonly string[],
  isRest: boolean,
): Walk<Child | undefined> {
  const { context } = reading
  const isList = familyOf(container).leaf === 'list'
  let shown = 0
  const node = yield* withEntries(context, container, function* (entry, index) {
    const part = yield* partOf(reading, entry.child, [...path, isList ? `${index}` : userKey(entry.key)])
    if (part !== undefined) shown++
    return part ?? (isList ? childOf(context, null, 0) : undefined)
  })
  if (shown === 0 && !isRest) return undefined
  return node === container ? child : settled(context, node)
}

/** The readable part of a system root, whose keys are paths of their own. */
function* systemPart(context: TreeContext, system: Link, scope: BranchScope): Walk<Link> {
  const reading: Reading = { context, scope, hasOpened: false }
  const container = (yield* containerOfChild(context, system))!
  const node = yield* withEntries(context, container, function* ({ key, child }) {
    return systemKeys.includes(key) ? yield* partOf(reading, child, [key]) : undefined
  })
  return node === container ? system : freshLink(node)
}

/** The root of a state is a node of its own, however small. */
function asRoot(child: Child): Link {
  return child.kind === 'held' ? freshLink(child.node) : (child as Link)
}
