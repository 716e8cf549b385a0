/**
 * The readable part of a state, as a state: code that reads states works on it unchanged and meets nothing else.
 *
 * Unreadable keys of maps are absent, and so are containers in which nothing is readable. Unreadable elements of lists are null,
 * so that the others keep their indexes. A state that is readable as a whole is not copied.
 */

import { type Stored, setOwn, userKey } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import {
  type Child,
  childOf,
  containerOfChild,
  decryptedChild,
  entriesOf,
  familyOf,
  type Link,
  rootOf,
  type TreeContext,
  valueOfChild,
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
): Work<Child | undefined> {
  const readability = scope.readability(path)
  if (readability === 'all') return child
  const value = readability === 'none' ? undefined : yield* readableValue(context, child, path, scope)
  if (value !== undefined) return childOf(context, value, 0)
  // A state is always a map, even when nothing in it is readable.
  return path.length === 0 && readability !== 'none' ? rootOf(context, {}, 0) : undefined
}

/** A commit whose state is its readable part. */
export function* readableState<T extends State>(
  context: TreeContext,
  state: T,
  scope: BranchScope | undefined,
): Work<T> {
  if (scope === undefined || scope.isWhole) return state
  const tree = scope.readability([]) === 'all' ? state.tree : yield* readableRoot(context, state.tree, scope)
  const parts: { [key: string]: Stored } = {}
  for (const key of systemKeys) {
    const child = yield* findChild(context, state, [key])
    const value = child === undefined ? undefined : yield* readableValue(context, child, [key], scope)
    if (value !== undefined) parts[key] = value
  }
  return { ...state, tree, system: rootOf(context, parts, 0) }
}

/** The readable part of a root. */
export function* readableRoot(context: TreeContext, tree: Link, scope: BranchScope | undefined): Work<Link> {
  if (scope === undefined || scope.readability([]) === 'all') return tree
  return rootOf(context, (yield* readableValue(context, tree, [], scope)) ?? {}, 0)
}

function* readableValue(
  context: TreeContext,
  child: Child,
  path: readonly string[],
  scope: BranchScope,
): Work<Stored | undefined> {
  const readability = scope.readability(path)
  if (readability === 'none') return undefined
  if (readability === 'all') return yield* valueOfChild(context, child)
  const container = yield* containerOfChild(context, yield* decryptedChild(context, child, 0))
  const isRest = readability === 'rest'
  if (container === undefined) return isRest ? yield* valueOfChild(context, child) : undefined
  const entries = yield* entriesOf(context, container)
  if (familyOf(container).leaf === 'list') {
    const list: (Stored | undefined)[] = []
    for (const [i, entry] of entries.entries()) {
      list.push(yield* readableValue(context, entry.child, [...path, String(i)], scope))
    }
    return !isRest && list.every(one => one === undefined) ? undefined : list.map(one => one ?? null)
  }
  const map: { [key: string]: Stored } = {}
  for (const { key, child: part } of entries) {
    const value = yield* readableValue(context, part, [...path, userKey(key)], scope)
    if (value !== undefined) setOwn(map, key, value)
  }
  return !isRest && Object.keys(map).length === 0 ? undefined : map
}
