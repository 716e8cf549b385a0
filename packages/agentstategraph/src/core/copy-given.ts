/** What a caller hands over and is read later: a copy, so that what the caller does with it meanwhile changes nothing. */

import { findBuiltIn, isPlainObject } from './built-in.ts'

/** Copies plain objects, lists and built-in values with all they hold. Functions and instances of other classes stay as they are. */
export function copyGiven<T>(value: T): T {
  return copied(value, new Map()) as T
}

function copied(value: unknown, made: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = made.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const list: unknown[] = []
    made.set(value, list)
    for (const item of value) list.push(copied(item, made))
    return list
  }
  if (isPlainObject(value)) {
    const copy: Record<string, unknown> = {}
    made.set(value, copy)
    for (const key of Object.keys(value)) copy[key] = copied((value as Record<string, unknown>)[key], made)
    return copy
  }
  return isCopied(value) ? structuredClone(value) : value
}

const copiedKinds: ReadonlySet<string> = new Set(['Date', 'Map', 'Set', 'ArrayBuffer'])

function isCopied(value: object): boolean {
  const kind = findBuiltIn(value)
  return kind !== undefined && (copiedKinds.has(kind) || ArrayBuffer.isView(value))
}
