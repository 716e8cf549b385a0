/**
 * Copies arguments that are read later, so that the caller can change them meanwhile without effect.
 *
 * Only values that can be copied exactly are copied. Everything else stays as it is, and the encoder refuses it later with
 * its path.
 */

import { findBuiltIn, isPlainObject } from './built-in.ts'
import { setOwn } from './own-property.ts'
import { isWholeList } from './whole-list.ts'

/** Copies plain objects, lists, maps, sets, dates, URLs and bytes deeply. */
export function copyGiven<T>(value: T): T {
  return copied(value, new Map(), 0) as T
}

/** Deeper values stay as they are: limits are far below, and copying them would overflow the stack. */
const MAX_DEPTH = 1000

function copied(value: unknown, made: Map<object, unknown>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  const known = made.get(value)
  if (known !== undefined) return known
  const copy = (inside: unknown): unknown => copied(inside, made, depth + 1)
  if (isPlainObject(value)) return copyOfObject(value, made, copy)
  const kind = findBuiltIn(value)
  if (kind === 'Array') return copyOfList(value as readonly unknown[], made, copy)
  // An extra property on a built-in is refused by the encoder, so it must not be lost here.
  if (kind === undefined || (!ArrayBuffer.isView(value) && Reflect.ownKeys(value).length > 0)) return value
  return copyOfBuiltIn(value, kind, made, copy)
}

type Copy = (inside: unknown) => unknown

function copyOfObject(value: object, made: Map<object, unknown>, copy: Copy): unknown {
  if (Object.getOwnPropertySymbols(value).length > 0) return value
  const target = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>
  made.set(value, target)
  for (const key of Object.keys(value)) setOwn(target, key, copy((value as Record<string, unknown>)[key]))
  return target
}

function copyOfList(value: readonly unknown[], made: Map<object, unknown>, copy: Copy): unknown {
  if (!isWholeList(value)) return value
  const target: unknown[] = []
  made.set(value, target)
  for (const element of value) target.push(copy(element))
  return target
}

function copyOfBuiltIn(value: object, kind: string, made: Map<object, unknown>, copy: Copy): unknown {
  if (kind === 'Map') {
    const target = new Map<unknown, unknown>()
    made.set(value, target)
    for (const [key, inside] of value as ReadonlyMap<unknown, unknown>) target.set(copy(key), copy(inside))
    return target
  }
  if (kind === 'Set') {
    const target = new Set<unknown>()
    made.set(value, target)
    for (const inside of value as ReadonlySet<unknown>) target.add(copy(inside))
    return target
  }
  if (kind === 'URL') return new URL((value as URL).href)
  if (kind === 'RegExp') return value
  return structuredClone(value)
}
