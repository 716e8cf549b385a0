/**
 * The part of a state that may be read, as a state: whatever reads states reads it, and meets nothing else.
 *
 * Keys of maps that may not be read are absent, and so is what is only on the way to them; elements of lists are null in their
 * places, so that the others keep theirs. Where all may be read, nothing is copied.
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

/** The child at a path, as far as it may be read; undefined when there is none that may. */
export function* visibleAt(
  context: TreeContext,
  state: State,
  path: readonly string[],
  view: BranchScope | undefined,
): Work<Child | undefined> {
  const child = yield* findChild(context, state, path)
  if (child === undefined || view === undefined) return child
  return yield* visibleChild(context, child, path, view)
}

export function* visibleChild(
  context: TreeContext,
  child: Child,
  path: readonly string[],
  view: BranchScope,
): Work<Child | undefined> {
  const seen = view.sees(path)
  if (seen === 'all') return child
  const value = seen === 'none' ? undefined : yield* visibleValue(context, child, path, view)
  if (value !== undefined) return childOf(context, value, 0)
  // A state is always a map, of which there may be nothing to see.
  return path.length === 0 && seen !== 'none' ? rootOf(context, {}, 0) : undefined
}

/** A commit whose state is only what may be read of it. */
export function* visibleState<T extends State>(context: TreeContext, state: T, view: BranchScope | undefined): Work<T> {
  if (view === undefined || view.isWhole) return state
  const tree = view.sees([]) === 'all' ? state.tree : yield* visibleRoot(context, state.tree, view)
  const parts: { [key: string]: Stored } = {}
  for (const key of systemKeys) {
    const child = yield* findChild(context, state, [key])
    const value = child === undefined ? undefined : yield* visibleValue(context, child, [key], view)
    if (value !== undefined) parts[key] = value
  }
  return { ...state, tree, system: rootOf(context, parts, 0) }
}

/** A root as far as it may be read. */
export function* visibleRoot(context: TreeContext, tree: Link, view: BranchScope | undefined): Work<Link> {
  if (view === undefined || view.sees([]) === 'all') return tree
  return rootOf(context, (yield* visibleValue(context, tree, [], view)) ?? {}, 0)
}

function* visibleValue(
  context: TreeContext,
  child: Child,
  path: readonly string[],
  view: BranchScope,
): Work<Stored | undefined> {
  const seen = view.sees(path)
  if (seen === 'none') return undefined
  if (seen === 'all') return yield* valueOfChild(context, child)
  const container = yield* containerOfChild(context, yield* decryptedChild(context, child, 0))
  const isRest = seen === 'rest'
  if (container === undefined) return isRest ? yield* valueOfChild(context, child) : undefined
  const entries = yield* entriesOf(context, container)
  if (familyOf(container).leaf === 'list') {
    const list: (Stored | undefined)[] = []
    for (const [i, entry] of entries.entries()) {
      list.push(yield* visibleValue(context, entry.child, [...path, String(i)], view))
    }
    return !isRest && list.every(one => one === undefined) ? undefined : list.map(one => one ?? null)
  }
  const map: { [key: string]: Stored } = {}
  for (const { key, child: part } of entries) {
    const value = yield* visibleValue(context, part, [...path, userKey(key)], view)
    if (value !== undefined) setOwn(map, key, value)
  }
  return !isRest && Object.keys(map).length === 0 ? undefined : map
}
