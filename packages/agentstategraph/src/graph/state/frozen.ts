/**
 * Immutable values: the parts of a state, which all tasks share.
 *
 * Plain objects and lists are frozen in place, so a node that writes to what it returned gets the error itself. What
 * cannot be frozen (`Map`, `Set`, `Date`, bytes, `RegExp`, `URL`) is copied when it enters a state, and again for every
 * task that is given the state. Instances of other classes are neither frozen nor copied.
 *
 * Frozen values are remembered, so a new state costs what is new in it. Fields are not known here.
 */

import { findBuiltIn, isPlainObject, isWholeList, setOwn } from '../../core/index.ts'

type Dictionary = { readonly [key: string]: unknown }

/** The results of `frozen`, each with whether parts of it have to be copied for each task. */
const known = new WeakMap<object, boolean>()

/** An immutable value of the same content: the value itself wherever possible. */
export function frozen<T>(value: T): T {
  return freeze(value, new Set()) as T
}

/** A frozen list with more elements at its end. Only the new elements are frozen. */
export function frozenAppend(list: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const tail = added.map(element => frozen(element))
  return known.has(list)
    ? remember([...list, ...tail], isLoose(list) || tail.some(isLoose))
    : frozen([...list, ...tail])
}

/** Frozen lists joined to one. Their elements are not visited again. */
export function frozenJoin(lists: readonly (readonly unknown[])[]): readonly unknown[] {
  const joined: unknown[] = []
  // Many times faster than `flat`.
  for (const list of lists) for (const element of list) joined.push(element)
  return remember(joined, lists.some(isLoose))
}

/** The value for one task: the same value, unless parts of it have to be copied. */
export function forTask<T>(value: T): T {
  return isLoose(value) ? (copied(value, forTask, Object.freeze) as T) : value
}

/** A deep writable copy. */
export function writableCopy<T>(value: T): T {
  return copied(value, writableCopy, same => same) as T
}

function isLoose(value: unknown): boolean {
  return typeof value === 'object' && value !== null && known.get(value) === true
}

function remember<T extends object>(value: T, loose: boolean): T {
  known.set(value, loose)
  return Object.freeze(value)
}

/** `around` are the containers of this value: a cycle is left as it is, and refused when it is stored. */
function freeze(value: unknown, around: Set<object>): unknown {
  if (typeof value !== 'object' || value === null || known.has(value) || around.has(value)) return value
  around.add(value)
  const result = freezeNew(value, around)
  around.delete(value)
  return result
}

function freezeNew(value: object, around: Set<object>): object {
  if (Array.isArray(value)) return freezeList(value, around)
  if (isPlainObject(value)) return freezeObject(value as Dictionary, around)
  return value instanceof Error ? Object.freeze(value) : freezeBuiltIn(value, around)
}

function freezeList(list: readonly unknown[], around: Set<object>): readonly unknown[] {
  let copy: unknown[] | undefined
  let loose = false
  for (let i = 0; i < list.length; i++) {
    const element = list[i]
    if (typeof element !== 'object' || element === null) continue
    const next = freeze(element, around)
    loose ||= isLoose(next)
    if (next !== element) {
      // A copy would lose holes and properties; as it is, the list is refused when it is stored.
      if (copy === undefined && !isWholeList(list)) return remember(list, loose)
      copy ??= [...list]
      copy[i] = next
    }
  }
  return remember(copy ?? list, loose)
}

function freezeObject(object: Dictionary, around: Set<object>): Dictionary {
  let copy: { [key: string]: unknown } | undefined
  let loose = false
  for (const key of Object.keys(object)) {
    const part = object[key]
    if (typeof part !== 'object' || part === null) continue
    const next = freeze(part, around)
    loose ||= isLoose(next)
    if (next !== part) {
      copy ??= { ...object }
      setOwn(copy, key, next)
    }
  }
  return remember(copy ?? object, loose)
}

function freezeBuiltIn(value: object, around: Set<object>): object {
  const copy = copyOfBuiltIn(value, part => freeze(part, around))
  if (copy === undefined) return value
  known.set(copy, true)
  return copy
}

function copied(value: unknown, part: (value: unknown) => unknown, finish: (copy: object) => object): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return finish(value.map(part))
  if (!isPlainObject(value)) return copyOfBuiltIn(value, part) ?? value
  const copy: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) setOwn(copy, key, part((value as Dictionary)[key]))
  return finish(copy)
}

/** A copy of an instance of a built-in class, with its parts mapped; undefined for other classes. */
function copyOfBuiltIn(value: object, part: (value: unknown) => unknown): object | undefined {
  const name = findBuiltIn(value)
  switch (name) {
    case undefined:
    case 'Array':
      return undefined
    case 'Map':
      return new Map(Array.from(value as ReadonlyMap<unknown, unknown>, ([key, entry]) => [part(key), part(entry)]))
    case 'Set':
      return new Set(Array.from(value as ReadonlySet<unknown>, part))
    case 'Date':
      return new Date((value as Date).getTime())
    case 'RegExp':
      return copyOfRegExp(value as RegExp)
    case 'URL':
      return new URL((value as URL).href)
    case 'ArrayBuffer':
      return (value as ArrayBuffer).slice(0)
    case 'DataView': {
      const { buffer, byteOffset, byteLength } = value as DataView
      return new DataView(buffer.slice(byteOffset, byteOffset + byteLength))
    }
    default:
      // `slice` of a Buffer would share the bytes.
      return Uint8Array.prototype.slice.call(value as Uint8Array)
  }
}

function copyOfRegExp(value: RegExp): RegExp {
  const copy = new RegExp(value.source, value.flags)
  copy.lastIndex = value.lastIndex
  return copy
}
