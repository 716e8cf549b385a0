/**
 * Whether a live value still equals its stored form.
 *
 * The stored form itself serves as the fingerprint of a key: one walk compares without making a text or a hash, and ends at
 * the first difference. What the walk cannot see (symbols, hidden properties, holes) counts as a difference, so that
 * encoding finds it and refuses it by name.
 */

import { isPlainObject, isWholeList, type Stored, storedKey } from '../../core/index.ts'
import type { Codec } from './codec.ts'

export type StoredMap = { readonly [key: string]: Stored }

export function matchesStored(codec: Codec, value: unknown, stored: Stored): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value === stored
    case 'number':
      // JSON has no negative zero.
      return value === stored ? value !== 0 || 1 / value > 0 : matchesEncoded(codec, value, stored)
    case 'object':
      return value === null ? stored === null : matchesObject(codec, value, stored)
    default:
      return matchesEncoded(codec, value, stored)
  }
}

function matchesObject(codec: Codec, value: object, stored: Stored): boolean {
  if (typeof stored !== 'object' || stored === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype) return matchesMap(codec, value as Record<string, unknown>, stored)
  if (Array.isArray(value)) return isList(stored) && matchesList(codec, value, stored)
  if (isList(stored)) return false
  const { $map, $set, $date, $class } = stored
  // Comparing prototypes is quick. An object with a forged prototype throws when it is read, and so does not match.
  try {
    if ($class !== undefined) return matchesInstance(codec, value, $class)
    if (prototype === Map.prototype) return matchesEntries(codec, value as ReadonlyMap<unknown, unknown>, $map)
    if (prototype === Set.prototype) return matchesItems(codec, value as ReadonlySet<unknown>, $set)
    if (prototype === Date.prototype) return matchesDate(value as Date, $date)
  } catch {
    return false
  }
  return isPlainObject(value)
    ? matchesMap(codec, value as Record<string, unknown>, stored)
    : matchesEncoded(codec, value, stored)
}

export function isList(stored: Stored): stored is readonly Stored[] {
  return Array.isArray(stored)
}

/** Whether `keys`, from `Object.keys`, are all properties of an object. Two calls are quicker than `Reflect.ownKeys`. */
export function hasNoHidden(value: object, keys: readonly string[]): boolean {
  return Object.getOwnPropertyNames(value).length === keys.length && Object.getOwnPropertySymbols(value).length === 0
}

/** Whether an array is a plain one, with all its elements and nothing else. */
export function isPlainList(list: readonly unknown[]): boolean {
  return Object.getPrototypeOf(list) === Array.prototype && isWholeList(list)
}

/** Stored keys of users never look like tags, so a tagged value never matches a map. */
function matchesMap(codec: Codec, value: Record<string, unknown>, stored: Stored): boolean {
  if (isList(stored)) return false
  const map = stored as StoredMap
  const keys = Object.keys(value)
  const names = Object.keys(map)
  if (names.length !== keys.length || !hasNoHidden(value, keys)) return false
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    const inside = storedKey(key)
    // The keys are usually in the order in which they were read.
    if (inside !== names[i] && !Object.hasOwn(map, inside)) return false
    if (!matchesStored(codec, value[key], map[inside]!)) return false
  }
  return true
}

function matchesList(codec: Codec, list: readonly unknown[], stored: readonly Stored[]): boolean {
  if (list.length !== stored.length || !isPlainList(list)) return false
  for (let i = 0; i < list.length; i++) if (!matchesStored(codec, list[i], stored[i]!)) return false
  return true
}

function hasNoProperties(value: object): boolean {
  return hasNoHidden(value, [])
}

function matchesEntries(codec: Codec, map: ReadonlyMap<unknown, unknown>, stored: Stored | undefined): boolean {
  if (stored === undefined || !isList(stored) || stored.length !== map.size || !hasNoProperties(map)) return false
  let i = 0
  for (const [key, value] of map) {
    const pair = stored[i++] as readonly Stored[]
    if (!matchesStored(codec, key, pair[0]!) || !matchesStored(codec, value, pair[1]!)) return false
  }
  return true
}

function matchesItems(codec: Codec, set: ReadonlySet<unknown>, stored: Stored | undefined): boolean {
  if (stored === undefined || !isList(stored) || stored.length !== set.size || !hasNoProperties(set)) return false
  let i = 0
  for (const item of set) if (!matchesStored(codec, item, stored[i++]!)) return false
  return true
}

function matchesDate(date: Date, stored: Stored | undefined): boolean {
  if (stored === undefined || !hasNoProperties(date)) return false
  const time = date.getTime()
  return stored === null ? Number.isNaN(time) : typeof stored === 'string' && Date.parse(stored) === time
}

function matchesInstance(codec: Codec, value: object, stored: Stored): boolean {
  const instance = codec.findInstance(value)
  if (instance === undefined || !isList(stored)) return false
  return instance.tag === stored[0] && matchesStored(codec, instance.data, stored[1]!)
}

/** Encodes the value and compares the stored forms. A value that cannot be encoded does not match. */
function matchesEncoded(codec: Codec, value: unknown, stored: Stored): boolean {
  try {
    return areEqual(codec.encode(value, []), stored)
  } catch {
    return false
  }
}

function areEqual(a: Stored, b: Stored): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => areEqual(item, b[i]!))
  if (isList(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every(key => Object.hasOwn(b, key) && areEqual(a[key]!, b[key]!))
}
