/**
 * Reading a state: values, what is below a path, and where a text occurs.
 *
 * The state has two roots. Paths under `/_meta` and `/_plans` are read from the system's; everything else, `/` included,
 * from the user's, so the root never shows more than the state.
 */

import { findSealed, formatPath, type Stored, userKey } from '../core/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import {
  type Child,
  type ContainerNode,
  containerOfChild,
  countOf,
  entriesOf,
  familyOf,
  findEntry,
  type Link,
  openedChild,
  type TreeContext,
  type Entry as TreeEntry,
  valueOfChild,
} from '../tree/index.ts'
import { reportedValue } from './shown.ts'

/** Keys of the root that belong to the system. */
export const systemKeys: readonly string[] = ['_meta', '_plans']

export interface Entry {
  readonly path: string
  readonly kind: 'map' | 'list' | 'value'
  /** How many entries a container has; for a value, 1. */
  readonly size: number
}

export function isSystemPath(path: readonly string[]): boolean {
  return path.length > 0 && systemKeys.includes(path[0]!)
}

export function rootOfPath({ tree, system }: Pick<StoredCommit, 'tree' | 'system'>, path: readonly string[]): Link {
  return isSystemPath(path) ? system : tree
}

/** The child at a path, or undefined. */
export function* findChild(
  context: TreeContext,
  state: Pick<StoredCommit, 'tree' | 'system'>,
  path: readonly string[],
): Work<Child | undefined> {
  const root = rootOfPath(state, path)
  return path.length === 0 ? root : (yield* findEntry(context, root, path))?.child
}

/** What is below a path, down to a depth, in order. */
export function* listBelow(context: TreeContext, from: Child, path: readonly string[], depth: number): Work<Entry[]> {
  const found: Entry[] = []
  yield* walkBelow(context, from, path, depth, (at, kind, size) => {
    found.push({ path: formatPath(at), kind, size })
    return true
  })
  return found
}

/** Where a text occurs in keys or in values, ignoring case. */
export function* searchBelow(
  context: TreeContext,
  from: Child,
  path: readonly string[],
  text: string,
  limit: number,
): Work<{ readonly path: string; readonly value: unknown }[]> {
  const wanted = text.toLowerCase()
  const found: { path: string; value: unknown }[] = []
  const isIn = (value: Stored): boolean =>
    findSealed(value) === undefined &&
    (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase().includes(wanted)
  yield* walkBelow(context, from, path, Number.POSITIVE_INFINITY, (at, _kind, _size, value) => {
    const isKeyMatch = at.at(-1)!.toLowerCase().includes(wanted)
    if (value !== undefined ? isKeyMatch || isIn(value) : isKeyMatch) {
      found.push({ path: formatPath(at), value: value === undefined ? undefined : reportedValue(context, value) })
    }
    return found.length < limit
  })
  return found
}

type Visit = (path: readonly string[], kind: Entry['kind'], size: number, value: Stored | undefined) => boolean

/** Visits what is below a child until told to stop; false when it was. */
function* walkBelow(
  context: TreeContext,
  from: Child,
  path: readonly string[],
  depth: number,
  visit: Visit,
): Work<boolean> {
  const container = yield* containerOfChild(context, yield* openedChild(context, from, 0))
  if (container === undefined || depth <= 0) return true
  const entries = yield* entriesOf(context, container)
  for (let i = 0; i < entries.length; i++) {
    const lying = entries[i]!.child
    const child = context.sealing === undefined ? lying : yield* openedChild(context, lying, 0)
    const at = [...path, segmentOf(container, entries[i]!, i)]
    const below = yield* containerOfChild(context, child)
    const value = below === undefined ? yield* valueOfChild(context, child) : undefined
    const kind = below === undefined ? 'value' : familyOf(below).leaf
    if (!visit(at, kind, below === undefined ? 1 : countOf(below), value)) return false
    if (!(yield* walkBelow(context, child, at, depth - 1, visit))) return false
  }
  return true
}

function segmentOf(container: ContainerNode, entry: TreeEntry, index: number): string {
  return familyOf(container).leaf === 'map' ? userKey(entry.key) : String(index)
}
