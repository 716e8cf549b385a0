/**
 * Reducers: how the update of a field is combined with its value.
 *
 * Each returns the new value and the small changes that lead to it from the old one, so that a step is stored at the cost
 * of what it changed; a property test holds this. A field that was not written is undefined, and the reducer begins with
 * its own empty value.
 *
 * Values are frozen before and are never written to. Fields, nodes and schemas are not known here; the caller adds field
 * and node to the error of a reducer.
 */

import { findBuiltIn, isPlainObject } from '../../../core/index.ts'
import { isPromise } from '../../model/maybe-promise.ts'
import { frozenAppend } from '../frozen.ts'
import { contentKey } from '../same-content.ts'
import { reduceMessages, replaceBy } from './keyed.ts'
import { deepMerge, merge } from './merge.ts'
import { assertList, kindOf, type Reduce, type Reduced, unchanged, whole } from './reduced.ts'
import { first, largest, last, smallest, sum } from './scalar.ts'

/** A reducer as a graph's definition names it. */
export type ReducerName =
  | 'append'
  | 'merge'
  | 'deepMerge'
  | 'sum'
  | 'max'
  | 'min'
  | 'union'
  | 'last'
  | 'first'
  | 'messages'
export type ReducerSpec = ReducerName | { readonly unionBy: string } | ((base: never, delta: never) => unknown)

export interface Reducer {
  /** The name in messages; a function has its own. */
  readonly name: string
  readonly kind: ReducerName | 'unionBy' | 'function'
  readonly reduce: Reduce
}

const named: { readonly [N in ReducerName]: Reduce } = {
  append,
  merge,
  deepMerge,
  sum,
  max: largest,
  min: smallest,
  union,
  last,
  first,
  messages: reduceMessages,
}

export const reducerNames: readonly string[] = Object.keys(named)

/** The reducer of a definition; undefined when there is no such reducer. */
export function findReducer(spec: unknown): Reducer | undefined {
  if (typeof spec === 'function')
    return { name: spec.name || 'a function', kind: 'function', reduce: byFunction(spec as Folding) }
  if (typeof spec === 'string') {
    if (!Object.hasOwn(named, spec)) return undefined
    const kind = spec as ReducerName
    return { name: spec, kind, reduce: named[kind] }
  }
  if (typeof spec !== 'object' || spec === null) return undefined
  const unionBy = 'unionBy' in spec ? spec.unionBy : undefined
  if (typeof unionBy !== 'string' || unionBy === '') return undefined
  return { name: `unionBy ${unionBy}`, kind: 'unionBy', reduce: (base, delta) => replaceBy(unionBy, base, delta) }
}

type Folding = (base: unknown, delta: unknown) => unknown

function byFunction(fold: Folding): Reduce {
  return (base, delta) => {
    const value = fold(base, delta)
    if (value === undefined) throw new TypeError('it returned nothing')
    if (isPromise(value)) throw new TypeError('it returned a promise, and reducers answer at once')
    return whole(value)
  }
}

function append(base: unknown, delta: unknown): Reduced {
  assertList('append', delta)
  return appended('append', base, delta)
}

function appended(name: string, base: unknown, added: readonly unknown[]): Reduced {
  if (base === undefined || base === null) return whole(frozenAppend([], added))
  if (!Array.isArray(base)) throw new TypeError(`${name} needs a list in the field, and there is ${kindOf(base)}`)
  if (added.length === 0) return unchanged(base)
  const value = frozenAppend(base, added)
  return { value, changes: value.slice(base.length).map(element => ({ op: 'set', path: ['-'], value: element })) }
}

/** Adds the elements that are not there. Elements of the same content are equal. */
function union(base: unknown, delta: unknown): Reduced {
  if (isSet(delta)) return unionOfSets(base, delta)
  if (!Array.isArray(delta)) throw new TypeError(`union takes a list or a Set, and was given ${kindOf(delta)}`)
  assertList('union', delta)
  const there = new Set(Array.isArray(base) ? base.map(contentKey) : [])
  return appended('union', base, missingFrom(there, delta))
}

function unionOfSets(base: unknown, delta: ReadonlySet<unknown>): Reduced {
  if (base === undefined || base === null) return whole(delta)
  if (!isSet(base)) throw new TypeError(`union needs a Set in the field to add a Set, and there is ${kindOf(base)}`)
  const added = missingFrom(new Set(Array.from(base, contentKey)), delta)
  return added.length === 0 ? unchanged(base) : whole(new Set([...base, ...added]))
}

function missingFrom(there: Set<unknown>, elements: Iterable<unknown>): readonly unknown[] {
  const missing: unknown[] = []
  for (const element of elements) {
    const key = contentKey(element)
    if (there.has(key)) continue
    there.add(key)
    missing.push(element)
  }
  return missing
}

function isSet(value: unknown): value is ReadonlySet<unknown> {
  return typeof value === 'object' && value !== null && !isPlainObject(value) && findBuiltIn(value) === 'Set'
}
