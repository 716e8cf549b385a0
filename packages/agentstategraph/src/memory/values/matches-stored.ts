/**
 * Whether a live value still is what was stored.
 *
 * The fingerprint of a memory's key is its stored form itself: one walk compares without writing a text or a hash, ends at
 * the first difference, and cannot be deceived by a collision. What could hide from it (symbols, hidden properties, holes)
 * counts as a difference, so that encoding sees it and refuses it by name.
 */

import { isPlainObject, isWholeList, type Stored, setOwn, storedKey } from '../../core/index.ts'
import type { Codec } from './codec.ts'

export type StoredMap = { readonly [key: string]: Stored }

export function isSame(codec: Codec, value: unknown, stored: Stored): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value === stored
    case 'number':
      // A zero may be the one that JSON cannot say.
      return value === stored ? value !== 0 || 1 / value > 0 : isSameLeaf(codec, value, stored)
    case 'object':
      return value === null ? stored === null : isSameObject(codec, value, stored)
    default:
      return isSameLeaf(codec, value, stored)
  }
}

function isSameObject(codec: Codec, value: object, stored: Stored): boolean {
  if (typeof stored !== 'object' || stored === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype) return isSameMap(codec, value as Record<string, unknown>, stored)
  if (Array.isArray(value)) return isList(stored) && isSameList(codec, value, stored)
  if (isList(stored)) return false
  const { $map, $set, $date, $class } = stored as StoredMap
  // By prototype, because it is quick; what only pretends to be one of these throws, and is not what was stored.
  try {
    if ($class !== undefined) return isSameInstance(codec, value, $class)
    if (prototype === Map.prototype) return isSameEntries(codec, value as ReadonlyMap<unknown, unknown>, $map)
    if (prototype === Set.prototype) return isSameItems(codec, value as ReadonlySet<unknown>, $set)
    if (prototype === Date.prototype) return isSameDate(value as Date, $date)
  } catch {
    return false
  }
  return isPlainObject(value)
    ? isSameMap(codec, value as Record<string, unknown>, stored)
    : isSameLeaf(codec, value, stored)
}

export function isList(stored: Stored): stored is readonly Stored[] {
  return Array.isArray(stored)
}

/** Whether every property of an object is one that `Object.keys` shows. Asked in two, which is quicker than `Reflect.ownKeys`. */
export function isOpen(value: object, keys: readonly string[]): boolean {
  return Object.getOwnPropertyNames(value).length === keys.length && Object.getOwnPropertySymbols(value).length === 0
}

/** Whether an array is a plain one, with all its elements and nothing else. */
export function isPlainList(list: readonly unknown[]): boolean {
  return Object.getPrototypeOf(list) === Array.prototype && isWholeList(list)
}

/** No key of a user is stored as a tag is, so a tagged value is never taken for a map. */
function isSameMap(codec: Codec, value: Record<string, unknown>, stored: Stored): boolean {
  if (isList(stored)) return false
  const map = stored as StoredMap
  const keys = Object.keys(value)
  const names = Object.keys(map)
  if (names.length !== keys.length || !isOpen(value, keys)) return false
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    const inside = storedKey(key)
    // Most often the keys are still in the order in which they were read.
    if (inside !== names[i] && !Object.hasOwn(map, inside)) return false
    if (!isSame(codec, value[key], map[inside]!)) return false
  }
  return true
}

function isSameList(codec: Codec, list: readonly unknown[], stored: readonly Stored[]): boolean {
  if (list.length !== stored.length || !isPlainList(list)) return false
  for (let i = 0; i < list.length; i++) if (!isSame(codec, list[i], stored[i]!)) return false
  return true
}

function isBare(value: object): boolean {
  return isOpen(value, [])
}

function isSameEntries(codec: Codec, map: ReadonlyMap<unknown, unknown>, stored: Stored | undefined): boolean {
  if (stored === undefined || !isList(stored) || stored.length !== map.size || !isBare(map)) return false
  let i = 0
  for (const [key, value] of map) {
    const pair = stored[i++] as readonly Stored[]
    if (!isSame(codec, key, pair[0]!) || !isSame(codec, value, pair[1]!)) return false
  }
  return true
}

function isSameItems(codec: Codec, set: ReadonlySet<unknown>, stored: Stored | undefined): boolean {
  if (stored === undefined || !isList(stored) || stored.length !== set.size || !isBare(set)) return false
  let i = 0
  for (const item of set) if (!isSame(codec, item, stored[i++]!)) return false
  return true
}

function isSameDate(date: Date, stored: Stored | undefined): boolean {
  if (stored === undefined || !isBare(date)) return false
  const time = date.getTime()
  return stored === null ? Number.isNaN(time) : typeof stored === 'string' && Date.parse(stored) === time
}

function isSameInstance(codec: Codec, value: object, stored: Stored): boolean {
  const instance = codec.findInstance(value)
  if (instance === undefined || !isList(stored)) return false
  return instance.tag === stored[0] && isSame(codec, instance.data, stored[1]!)
}

/** For whatever has no quicker way: encoded, and compared. What cannot be encoded is not what was stored. */
function isSameLeaf(codec: Codec, value: unknown, stored: Stored): boolean {
  try {
    return isSameStored(codec.encode(value, []), stored)
  } catch {
    return false
  }
}

function isSameStored(a: Stored, b: Stored): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => isSameStored(item, b[i]!))
  if (isList(b)) return false
  const [one, other] = [a as StoredMap, b as StoredMap]
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every(key => Object.hasOwn(other, key) && isSameStored(one[key]!, other[key]!))
}

/** A stored form that can be compared quickly: what the tree reads has objects that are slow to walk. */
export function comparable(stored: Stored): Stored {
  if (typeof stored !== 'object' || stored === null) return stored
  if (isList(stored)) return stored.map(comparable)
  const copy: { [key: string]: Stored } = {}
  for (const key of Object.keys(stored)) setOwn(copy, key, comparable((stored as StoredMap)[key]!))
  return copy
}
