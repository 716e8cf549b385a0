/**
 * Values of any size on their way in and out, converted in pieces: others take their turn between two of them, and what costs too
 * much ends there.
 */
import { isPlainObject, isTag, keepKeys, keysOf, setOwn, storedKey, userKey } from 'agentstategraph/internal'
import { type JsonValue, stateValue, wireValue } from '../json-value.ts'
import { isSmall } from './is-small.ts'

/** Awaited between two pieces; undefined where nobody else waits. */
export type Pace = (() => Promise<void>) | undefined

/** How many items are converted before others may take their turn. */
const ITEMS_BETWEEN = 128

export async function pacedMap<T, R>(
  items: readonly T[],
  convert: (item: T) => R | Promise<R>,
  pace: Pace,
): Promise<R[]> {
  const converted: R[] = []
  for (const item of items) {
    if (converted.length % ITEMS_BETWEEN === ITEMS_BETWEEN - 1) await pace?.()
    const result = convert(item)
    converted.push(result instanceof Promise ? await result : result)
  }
  return converted
}

/** What `wireValue` gives. Only lists and plain objects have pieces. */
export async function pacedValue(value: unknown, pace: Pace): Promise<JsonValue> {
  if (pace === undefined || isSmall(value)) return wireValue(value)
  await pace()
  let done = 0
  if (Array.isArray(value)) {
    const list: JsonValue[] = []
    for (const part of value) {
      if (++done % ITEMS_BETWEEN === 0) await pace()
      list.push(isScalar(part) ? wireValue(part) : await pacedValue(part, pace))
    }
    return list
  }
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return wireValue(value)
  const map: { [key: string]: JsonValue } = {}
  const names: string[] = []
  for (const key of keysOf(value)) {
    const part = (value as Readonly<Record<string, unknown>>)[key]
    if (++done % ITEMS_BETWEEN === 0) await pace()
    const name = storedKey(key)
    names.push(name)
    setOwn(map, name, isScalar(part) ? wireValue(part) : await pacedValue(part, pace))
  }
  keepKeys(map, names)
  return map
}

/** What `stateValue` gives. Only lists and maps have pieces. */
export async function pacedStateValue(value: JsonValue, pace: Pace, at: readonly string[] = []): Promise<unknown> {
  if (pace === undefined || isSmall(value)) return stateValue(value, at)
  await pace()
  let done = 0
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const [i, part] of (value as readonly JsonValue[]).entries()) {
      if (++done % ITEMS_BETWEEN === 0) await pace()
      list.push(isScalar(part) ? part : await pacedStateValue(part, pace, [...at, `${i}`]))
    }
    return list
  }
  if (typeof value !== 'object' || value === null) return stateValue(value, at)
  const keys = keysOf(value)
  // What is tagged is one leaf, or is refused.
  if (keys.some(isTag)) return stateValue(value, at)
  const map: { [key: string]: unknown } = {}
  for (const key of keys) {
    if (++done % ITEMS_BETWEEN === 0) await pace()
    const part = (value as { readonly [key: string]: JsonValue })[key]!
    const name = userKey(key)
    setOwn(map, name, isScalar(part) ? part : await pacedStateValue(part, pace, [...at, name]))
  }
  return map
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
