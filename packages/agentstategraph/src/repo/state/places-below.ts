/**
 * The places below a child, in order, read one at a time, from the beginning or after one of them.
 *
 * A container comes before what is in it. The place to go on after need not be there any more: its neighbours are found by
 * the order of keys and indices.
 */

import { isIndex, type Stored, storedKey, userKey } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import {
  type Child,
  type ContainerNode,
  containerOfChild,
  countOf,
  decryptedChild,
  entriesOf,
  familyOf,
  type TreeContext,
  type Entry as TreeEntry,
  valueOfChild,
} from '../../tree/index.ts'

export interface PlaceBelow {
  readonly path: readonly string[]
  readonly kind: 'map' | 'list' | 'value'
  /** How many entries a container has; for a value, 1. */
  readonly size: number
  /** Undefined for a container. */
  readonly value: Stored | undefined
  readonly entry: TreeEntry
}

export interface PlacesBelow {
  next(): Work<PlaceBelow | undefined>
}

/** A container on the way, and the entry in it that comes next. */
interface Level {
  readonly path: readonly string[]
  readonly isMap: boolean
  readonly entries: readonly TreeEntry[]
  at: number
}

/** Walks down to a depth. `after` is a path below `path`; without it the walk begins with the first place. */
export function* placesBelow(
  context: TreeContext,
  from: Child,
  path: readonly string[],
  depth: number,
  after?: readonly string[] | undefined,
): Work<PlacesBelow> {
  const levels: Level[] = []

  function* enter(child: Child, at: readonly string[]): Work<void> {
    const container = levels.length >= depth ? undefined : yield* containerOfChild(context, child)
    if (container !== undefined) levels.push(yield* levelOf(context, container, at))
  }

  /** Puts every level behind what comes before a path, and enters the path's own container. */
  function* skipTo(segments: readonly string[]): Work<void> {
    for (const segment of segments) {
      const level = levels.at(-1)
      if (level === undefined) return
      const { index, isThere } = placeIn(level, segment)
      level.at = isThere ? index + 1 : index
      if (!isThere) return
      const entry = level.entries[index]!
      const depthBefore = levels.length
      yield* enter(yield* decryptedChild(context, entry.child, entry.writer), [...level.path, segment])
      if (levels.length === depthBefore) return
    }
  }

  yield* enter(yield* decryptedChild(context, from, 0), path)
  if (after !== undefined) yield* skipTo(after.slice(path.length))
  return {
    *next(): Work<PlaceBelow | undefined> {
      for (;;) {
        const level = levels.at(-1)
        if (level === undefined) return undefined
        const index = level.at++
        const entry = level.entries[index]
        if (entry === undefined) {
          levels.pop()
          continue
        }
        const at = [...level.path, level.isMap ? userKey(entry.key) : String(index)]
        const child = yield* decryptedChild(context, entry.child, entry.writer)
        const container = yield* containerOfChild(context, child)
        if (container === undefined) {
          return { path: at, kind: 'value', size: 1, value: yield* valueOfChild(context, child), entry }
        }
        yield* enter(child, at)
        return { path: at, kind: familyOf(container).leaf, size: countOf(container), value: undefined, entry }
      }
    },
  }
}

function* levelOf(context: TreeContext, container: ContainerNode, path: readonly string[]): Work<Level> {
  const entries = yield* entriesOf(context, container)
  return { path, isMap: familyOf(container).leaf === 'map', entries, at: 0 }
}

/** Where a segment is in a container, or would be. */
function placeIn({ isMap, entries }: Level, segment: string): { readonly index: number; readonly isThere: boolean } {
  if (!isMap) {
    const index = isIndex(segment) ? Math.min(Number(segment), entries.length) : 0
    return { index, isThere: isIndex(segment) && index < entries.length }
  }
  const key = storedKey(segment)
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.key < key) low = middle + 1
    else high = middle
  }
  return { index: low, isThere: entries[low]?.key === key }
}
