/**
 * Updates a live value to a stored form in place.
 *
 * After another task landed, objects that a program holds are changed in place, so that its references show the new state
 * and stay tracked. Only what cannot be changed in place is replaced.
 */

import { isPlainObject, isTagged, type Stored, setOwn, storedKey, userKey } from '../../core/index.ts'
import type { Codec } from './codec.ts'
import { isList, matchesStored, type StoredMap } from './matches-stored.ts'

/** The live value, changed to match a stored form; a new value where that is not possible. */
export function updateInPlace(codec: Codec, live: unknown, next: Stored): unknown {
  if (typeof live !== 'object' || live === null || typeof next !== 'object' || next === null) {
    return matchesStored(codec, live, next) ? live : codec.decode(next)
  }
  if (Array.isArray(live)) return isList(next) ? updateList(codec, live, next) : codec.decode(next)
  if (isPlainObject(live) && !isList(next) && !isTagged(next)) {
    return updateMap(codec, live as Record<string, unknown>, next)
  }
  return matchesStored(codec, live, next) ? live : updateLeaf(live, codec.decode(next))
}

function updateMap(codec: Codec, live: Record<string, unknown>, next: StoredMap): unknown {
  for (const key of Object.keys(live)) if (!Object.hasOwn(next, storedKey(key))) delete live[key]
  for (const inside of Object.keys(next)) {
    const key = userKey(inside)
    const stored = next[inside]!
    setOwn(live, key, Object.hasOwn(live, key) ? updateInPlace(codec, live[key], stored) : codec.decode(stored))
  }
  return live
}

function updateList(codec: Codec, live: unknown[], next: readonly Stored[]): unknown {
  live.length = Math.min(live.length, next.length)
  for (let i = 0; i < next.length; i++) {
    live[i] = i < live.length ? updateInPlace(codec, live[i], next[i]!) : codec.decode(next[i]!)
  }
  return live
}

function updateLeaf(live: object, next: unknown): unknown {
  if (live instanceof Map && next instanceof Map) {
    live.clear()
    for (const [key, value] of next) live.set(key, value)
    return live
  }
  if (live instanceof Set && next instanceof Set) {
    live.clear()
    for (const item of next) live.add(item)
    return live
  }
  if (live instanceof Date && next instanceof Date) {
    live.setTime(next.getTime())
    return live
  }
  return next
}
