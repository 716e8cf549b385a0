/** The same as `encode`, one part of a value after the other, for values so large that others should not wait for all of it. */
import { isPlainObject } from '../objects/built-in.ts'
import { setOwn } from '../objects/own-property.ts'
import { isWholeList } from '../objects/whole-list.ts'
import { canonicalText, type Stored, storedKey, utf8Length } from '../text/stored.ts'
import { encodePlace, keysOf, refusedPlace, refuseUnseenKeys } from './encode.ts'
import { type EncodeOptions, EncodeWalk } from './encode-walk.ts'

/** Listing so many keys takes long. */
const MANY = 1000

/** After a step that may have taken long, such as listing the keys of a map, `'long'` is yielded. */
export type Steps<T> = Generator<'long' | undefined, T>

/** Returns the stored form of a value, or throws `value-refused`. The value must not change meanwhile. */
export function* encodeSteps(value: unknown, options: EncodeOptions = {}): Steps<Stored> {
  const walk = new EncodeWalk(options)
  const stored = yield* placeSteps(walk, value)
  walk.finish(() => utf8Length(canonicalText(stored)))
  return stored
}

function* placeSteps(walk: EncodeWalk, value: unknown): Steps<Stored> {
  if (typeof value !== 'object' || value === null) return encodePlace(walk, value)
  if (isPlainList(value)) return value.length === 0 ? encodePlace(walk, value) : yield* listSteps(walk, value)
  return isPlainObject(value)
    ? yield* mapSteps(walk, value as Readonly<Record<string, unknown>>)
    : encodePlace(walk, value)
}

function isPlainList(value: object): value is readonly unknown[] {
  return Object.getPrototypeOf(value) === Array.prototype && Array.isArray(value) && isWholeList(value)
}

function* listSteps(walk: EncodeWalk, list: readonly unknown[]): Steps<Stored> {
  walk.count(2)
  // Its keys were listed to see whether it is one.
  if (list.length > MANY) yield 'long'
  if (!walk.enter(list)) return refusedPlace
  const stored: Stored[] = []
  const { segments } = walk
  for (let i = 0; i < list.length; i++) {
    yield
    segments.push(i)
    stored.push(yield* placeSteps(walk, list[i]))
    segments.pop()
  }
  walk.leave()
  return stored
}

function* mapSteps(walk: EncodeWalk, map: Readonly<Record<string, unknown>>): Steps<Stored> {
  const keys = keysOf(map)
  if (keys.length === 0) return encodePlace(walk, map)
  walk.count(2)
  const isLarge = keys.length > MANY
  if (isLarge) yield 'long'
  refuseUnseenKeys(walk, map, keys.length)
  if (isLarge) yield 'long'
  if (!walk.enter(map)) return refusedPlace
  const stored: { [key: string]: Stored } = {}
  const { segments } = walk
  const arePlain = walk.hasPlainKeys(keys)
  for (const key of keys) {
    yield
    segments.push(key)
    if (!arePlain) walk.admitKey(key)
    setOwn(stored, storedKey(key), yield* placeSteps(walk, map[key]))
    segments.pop()
  }
  walk.leave()
  return stored
}
