/**
 * Reading a state: values, what is below a path, and where a text occurs.
 *
 * The state has two roots. Paths under `/_meta` and `/_plans` are read from the system's; everything else, `/` included,
 * from the user's, so the root never shows more than the state.
 */

import { formatPath } from '../../core/index.ts'
import { pausePoint, type StoredCommit, type Work } from '../../store/index.ts'
import { type Child, findEntry, type Link, type TreeContext } from '../../tree/index.ts'
import { reportedValue } from './decode-value.ts'
import { type PlaceBelow, type PlacesBelow, placesBelow } from './places-below.ts'
import { hasText } from './searched-texts.ts'

/** The key of the system root below which plans lie. */
export const plansKey = '_plans'

/** Keys of the root that belong to the system. */
export const systemKeys: readonly string[] = ['_meta', plansKey]

/** A place in a state, as `list` gives it: a container or a value. */
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
  const places = yield* placesBelow(context, from, path, depth)
  const found: Entry[] = []
  for (let place = yield* places.next(); place !== undefined; place = yield* places.next()) found.push(entryOf(place))
  return found
}

export function entryOf({ path, kind, size }: PlaceBelow): Entry {
  return { path: formatPath(path), kind, size }
}

/** A place where a text was found. */
export interface Found {
  readonly path: string
  /** Undefined for a container. */
  readonly value: unknown
}

/** How many places are looked at before a search may pause. */
const PLACES_BETWEEN = 256

/** Of places, those where a text occurs in the last key or in the value, ignoring case. */
export function searchedPlaces(
  context: TreeContext,
  places: PlacesBelow | undefined,
  text: string,
): { next(): Work<Found | undefined> } {
  const wanted = text.toLowerCase()
  let looked = 0
  return {
    *next(): Work<Found | undefined> {
      for (;;) {
        if (++looked % PLACES_BETWEEN === 0) yield pausePoint
        const place = places === undefined ? undefined : yield* places.next()
        if (place === undefined) return undefined
        const { path, value } = place
        const isMatch = path.at(-1)!.toLowerCase().includes(wanted) || (value !== undefined && hasText(value, wanted))
        if (!isMatch) continue
        return { path: formatPath(path), value: value === undefined ? undefined : reportedValue(context, value) }
      }
    },
  }
}
