/**
 * The places below a child, in order, read one at a time, from the beginning or after one of them.
 *
 * A container comes before what is in it. The place to go on after need not be there any more: its neighbours are found by
 * the order of keys and indices.
 */

import { isIndex, type Stored, storedKey, userKey } from '../../core/index.ts'
import { pausePoint, type Work } from '../../store/index.ts'
import {
  type Child,
  type ContainerNode,
  containerOfChild,
  countOf,
  decryptedChild,
  type EntryRun,
  familyOf,
  type KeyPlace,
  leafAt,
  type MapRoot,
  placeOfKey,
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
  readonly container: ContainerNode
  readonly isMap: boolean
  readonly count: number
  /** The entries that were read last. */
  run: EntryRun
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
    if (container !== undefined) levels.push(levelOf(container, at))
  }

  /** Puts every level behind what comes before a path, and enters the path's own container. */
  function* skipTo(segments: readonly string[]): Work<void> {
    for (const segment of segments) {
      const level = levels.at(-1)
      if (level === undefined) return
      const { index, entry } = yield* placeIn(context, level, segment)
      level.at = entry === undefined ? index : index + 1
      if (entry === undefined) return
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
        if (index >= level.count) {
          levels.pop()
          continue
        }
        const entry = yield* entryIn(context, level, index)
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

function levelOf(container: ContainerNode, path: readonly string[]): Level {
  const isMap = familyOf(container).leaf === 'map'
  return { path, container, isMap, count: countOf(container), run: { entries: [], start: 0 }, at: 0 }
}

/** The entry of an index, read with its neighbours: a large container is never read as a whole. */
function* entryIn(context: TreeContext, level: Level, index: number): Work<TreeEntry> {
  const { start, entries } = level.run
  if (index < start || index >= start + entries.length) {
    yield pausePoint
    level.run = yield* leafAt(context, level.container, index)
  }
  return level.run.entries[index - level.run.start]!
}

/** Where a segment is in a container, or would be. */
function* placeIn(context: TreeContext, level: Level, segment: string): Work<KeyPlace> {
  const { isMap, container, count } = level
  if (isMap) return yield* placeOfKey(context, container as MapRoot, storedKey(segment))
  if (!isIndex(segment)) return { index: 0, entry: undefined }
  const index = Math.min(Number(segment), count)
  return { index, entry: index < count ? yield* entryIn(context, level, index) : undefined }
}
