/**
 * Reducers of fields that are objects: the keys of the update are set in the field.
 *
 * A key with the value undefined is not written. `merge` replaces the value of a key, `deepMerge` merges where both values
 * are objects. A `Map` is stored as one value, so it is written as a whole.
 */

import { findBuiltIn, isPlainObject, setOwn } from '../../../core/index.ts'
import { hasSameContent } from '../same-content.ts'
import { type FieldChange, kindOf, type Reduced, unchanged, whole } from './reduced.ts'

type Dictionary = { readonly [key: string]: unknown }

export function merge(base: unknown, delta: unknown): Reduced {
  if (isMap(delta)) return mergeMaps(base, delta)
  return mergeObjects('merge', base, delta, (_there, given) => whole(given))
}

export function deepMerge(base: unknown, delta: unknown): Reduced {
  return mergeObjects('deepMerge', base, delta, (there, given) =>
    isObject(there) && isObject(given) ? deepMerge(there, given) : whole(given),
  )
}

function mergeObjects(
  name: string,
  base: unknown,
  delta: unknown,
  inside: (there: unknown, given: unknown) => Reduced,
): Reduced {
  if (!isObject(delta)) throw new TypeError(`${name} takes an object, and was given ${kindOf(delta)}`)
  if (base === undefined || base === null) return whole(mergeObjects(name, {}, delta, inside).value)
  if (!isObject(base)) throw new TypeError(`${name} needs an object in the field, and there is ${kindOf(base)}`)
  const value = { ...base }
  const changes: FieldChange[] = []
  for (const key of Object.keys(delta)) {
    const given = delta[key]
    const there = Object.hasOwn(base, key) ? base[key] : undefined
    if (given === undefined || hasSameContent(there, given)) continue
    const reduced = inside(there, given)
    setOwn(value, key, reduced.value)
    for (const change of reduced.changes) changes.push({ ...change, path: [key, ...change.path] })
  }
  return changes.length === 0 ? unchanged(base) : { value, changes }
}

function mergeMaps(base: unknown, delta: ReadonlyMap<unknown, unknown>): Reduced {
  if (base === undefined || base === null) return whole(delta)
  if (!isMap(base)) throw new TypeError(`merge needs a Map in the field to add a Map, and there is ${kindOf(base)}`)
  return whole(new Map([...base, ...delta]))
}

function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return typeof value === 'object' && value !== null && !isPlainObject(value) && findBuiltIn(value) === 'Map'
}

function isObject(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value)
}
