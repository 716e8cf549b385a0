/**
 * From what a program holds to the stored form.
 *
 * Laws:
 * - `decode(encode(x))` is `x` again, to the sign of a zero, the bits of a float and the order of a `Map`;
 * - `encode(decode(s))` is `s`, for every `s` that `encode` can return;
 * - a value that cannot be kept so is refused, with the paths of all offending places in one error.
 *
 * Not part of a value, and not kept: the order of an object's keys, a missing prototype, the identity of an object in two
 * places, whether bytes were a `Buffer` or part of a larger buffer, named properties of a view on bytes, hidden properties
 * of an array, and properties of an error other than message, stack, cause, errors and name.
 *
 * Places inside a `Map` or a `Set` have no path; a refusal names them by their place in the order, from 0: `/m/<key 2>`,
 * `/m/<value 2>`, `/s/<item 2>`. Places inside an error or an instance are named by the property or the class's tag:
 * `/e/<cause>`, `/i/<money>/cents`.
 */

import { defaultLimits } from '../limits.ts'
import { type BuiltIn, classNameOf, findBuiltIn, isPlainObject } from '../objects/built-in.ts'
import { setOwn } from '../objects/own-property.ts'
import { isWholeList } from '../objects/whole-list.ts'
import { isIndex } from '../paths/path.ts'
import { canonicalText, inOrder, type Stored, storedKey, utf8Length } from '../text/stored.ts'
import { type ErrorClassName, errorFields, findErrorClass, hasErrorField } from './built-in-error.ts'
import type { ClassCodec } from './class-codec.ts'
import { type EncodeOptions, EncodeWalk } from './encode-walk.ts'
import { EncryptedValue, encryptedTag } from './encrypted-value.ts'
import { bigintTag, isLastIndex, type LeafBuiltIn, leafTag, numberTag, undefinedTag } from './tags.ts'

/** The placeholder for a refused part. It never leaves an encoding, because the walk ends in an error. */
export const refusedPlace: Stored = null
const boxes = new Set(['BigInt', 'Boolean', 'Number', 'String', 'Symbol'])

/** Returns the stored form of a value, or throws `value-refused`. */
export function encode(value: unknown, options: EncodeOptions = {}): Stored {
  // A safe integer is its own stored form, and has at most 17 bytes, so nothing of it can be refused but its size.
  if (Number.isSafeInteger(value) && !Object.is(value, -0) && (options.limits ?? defaultLimits).valueBytes >= 17) {
    return value as number
  }
  const walk = new EncodeWalk(options)
  const stored = encodePlace(walk, value)
  walk.finish(() => utf8Length(canonicalText(stored)))
  return stored
}

/** The stored form of a part of a value, or a placeholder where it is refused. */
export function encodePlace(walk: EncodeWalk, value: unknown): Stored {
  switch (typeof value) {
    case 'string':
      return walk.admitsText(value) ? value : refusedPlace
    case 'number':
      walk.count(2)
      // The difference is 0 for finite numbers only, and a division distinguishes the zeros.
      return value - value !== 0 || (value === 0 && 1 / value < 0) ? numberTag(value) : value
    case 'boolean':
      walk.count(5)
      return value
    case 'object':
      return value === null ? encodeNull(walk) : encodeObject(walk, value)
    case 'undefined':
      walk.count(19)
      return undefinedTag()
    case 'bigint':
      return encodeBigint(walk, value)
    default:
      walk.refuse(typeof value as 'function' | 'symbol', `a ${typeof value}`)
      return refusedPlace
  }
}

function encodeNull(walk: EncodeWalk): Stored {
  walk.count(5)
  return null
}

/** A bigint with far too many digits is known by its hexadecimal ones, which are made in linear time. */
function encodeBigint(walk: EncodeWalk, value: bigint): Stored {
  const { bigintDigits } = walk.limits
  if (BigInt.asIntN(64, value) !== value) {
    const size = value < 0n ? -value : value
    const isLong = (size.toString(16).length - 1) * Math.log10(16) >= bigintDigits
    if (isLong || `${size}`.length > bigintDigits) {
      walk.refuse('bigint', `a bigint of more than ${bigintDigits} digits`)
      return refusedPlace
    }
  }
  return countTag(walk, bigintTag(value))
}

function encodeObject(walk: EncodeWalk, value: object): Stored {
  if (Object.getPrototypeOf(value) === Array.prototype && Array.isArray(value)) return encodeList(walk, value)
  if (isPlainObject(value)) return encodeMap(walk, value as { readonly [key: string]: unknown })
  const name = findBuiltIn(value)
  switch (name) {
    case undefined:
      return encodeInstance(walk, value)
    case 'Array':
      return encodeList(walk, value as readonly unknown[])
    case 'Map':
      return isBare(walk, value, name) ? encodeMapObject(walk, value as ReadonlyMap<unknown, unknown>) : refusedPlace
    case 'Set':
      return isBare(walk, value, name) ? encodeSetObject(walk, value as ReadonlySet<unknown>) : refusedPlace
    default:
      return isStorableLeaf(walk, value, name) ? countTag(walk, leafTag(name, value)) : refusedPlace
  }
}

function encodeMap(walk: EncodeWalk, map: { readonly [key: string]: unknown }): Stored {
  const keys = keysOf(map)
  walk.count(2)
  refuseUnseenKeys(walk, map, keys.length)
  const stored: { [key: string]: Stored } = {}
  if (keys.length === 0) return stored
  if (!walk.enter(map)) return refusedPlace
  const { segments } = walk
  const arePlain = walk.hasPlainKeys(keys)
  for (let i = 0; i < keys.length; i++) {
    if (arePlain) i = walk.copyPlain(map, keys, i, stored)
    const key = keys[i]
    if (key === undefined) break
    segments.push(key)
    if (!arePlain) walk.admitKey(key)
    setOwn(stored, storedKey(key), encodePlace(walk, map[key]))
    segments.pop()
  }
  walk.leave()
  return stored
}

/** The keys of a map. Few of them are in order, because a node is made in one call of a map whose keys are. */
export function keysOf(map: object): string[] {
  const keys = Object.keys(map)
  return keys.length > MOST_ORDERED ? keys : inOrder(keys)
}

/** A map of more keys takes several nodes. */
const MOST_ORDERED = 64

export function refuseUnseenKeys(walk: EncodeWalk, value: object, seen: number): void {
  if (Reflect.ownKeys(value).length === seen) return
  for (const key of Object.getOwnPropertySymbols(value)) walk.refuse('symbol', `an object with the key ${String(key)}`)
  if (Object.getOwnPropertyNames(value).length > seen) walk.refuse('hidden', 'an object with hidden properties')
}

function encodeList(walk: EncodeWalk, list: readonly unknown[]): Stored {
  if (!isWholeList(list)) return refuseOddList(walk, list)
  const { length } = list
  walk.count(2)
  if (length === 0) return []
  if (!walk.enter(list)) return refusedPlace
  const stored: Stored[] = []
  const { segments } = walk
  for (let i = 0; i < length; i++) {
    segments.push(i)
    stored.push(encodePlace(walk, list[i]))
    segments.pop()
  }
  walk.leave()
  return stored
}

/** Refuses a list with holes or properties, and checks its elements for further refusals. */
function refuseOddList(walk: EncodeWalk, list: readonly unknown[]): Stored {
  const keys = Object.keys(list)
  // Only canonical indexes name elements: "01" and "" are properties, though they are numbers too.
  const indexes = keys.filter(key => isIndex(key) && Number(key) < list.length).map(Number)
  const holes = list.length - indexes.length
  if (holes > 0) walk.refuse('holes', `an array with ${holes} holes`)
  if (keys.length > indexes.length || Object.getOwnPropertySymbols(list).length > 0) {
    walk.refuse('extra', 'an array with extra properties')
  }
  if (!walk.enter(list)) return refusedPlace
  for (const index of indexes) encodeInside(walk, index, list[index])
  walk.leave()
  return refusedPlace
}

function encodeInside(walk: EncodeWalk, segment: string | number, value: unknown): Stored {
  walk.segments.push(segment)
  const stored = encodePlace(walk, value)
  walk.segments.pop()
  return stored
}

function encodeMapObject(walk: EncodeWalk, map: ReadonlyMap<unknown, unknown>): Stored {
  const pairs: Stored[] = []
  walk.count(10)
  if (map.size === 0) return { $map: pairs }
  if (!walk.enter(map)) return refusedPlace
  let i = 0
  for (const [key, value] of map) {
    walk.count(3)
    pairs.push([encodeInside(walk, `<key ${i}>`, key), encodeInside(walk, `<value ${i}>`, value)])
    i++
  }
  walk.leave()
  return { $map: pairs }
}

function encodeSetObject(walk: EncodeWalk, set: ReadonlySet<unknown>): Stored {
  const items: Stored[] = []
  walk.count(10)
  if (set.size === 0) return { $set: items }
  if (!walk.enter(set)) return refusedPlace
  for (const item of set) items.push(encodeInside(walk, `<item ${items.length}>`, item))
  walk.leave()
  return { $set: items }
}

/** An object that is neither plain nor of a built-in class. */
function encodeInstance(walk: EncodeWalk, value: object): Stored {
  if (value instanceof EncryptedValue) return encodeEncrypted(walk, value)
  const codec = walk.classes?.findFor(value)
  if (codec !== undefined) return encodeRegistered(walk, value, codec)
  const name = findErrorClass(value)
  return name === undefined ? refuseInstance(walk, value) : encodeError(walk, value as Error, name)
}

function encodeEncrypted(walk: EncodeWalk, value: EncryptedValue): Stored {
  const stored = countTag(walk, encryptedTag(value))
  walk.onEncrypted?.(walk.path(), stored)
  return stored
}

function encodeRegistered(walk: EncodeWalk, value: object, codec: ClassCodec): Stored {
  if (!walk.enter(value)) return refusedPlace
  walk.count(codec.tag.length + 15)
  const stored = encodeInside(walk, `<${codec.tag}>`, dataOf(walk, value, codec))
  walk.leave()
  return { $class: [codec.tag, stored] }
}

function dataOf(walk: EncodeWalk, value: object, codec: ClassCodec): unknown {
  try {
    return codec.encode(value)
  } catch (e) {
    walk.refuse('encode', `an instance of ${classNameOf(value)}, whose encode failed with ${String(e)}`)
    return null
  }
}

function encodeError(walk: EncodeWalk, error: Error, name: ErrorClassName): Stored {
  if (!walk.enter(error)) return refusedPlace
  walk.count(name.length + 20)
  const stored: { [field: string]: Stored } = { class: name }
  for (const field of errorFields) {
    if (hasErrorField(error, name, field)) stored[field] = encodeInside(walk, `<${field}>`, error[field as 'cause'])
  }
  const own = encodeOwn(walk, error as unknown as { readonly [key: string]: unknown })
  if (own !== undefined) stored['own'] = own
  walk.leave()
  return { $error: stored }
}

/** The properties that a program set on an error. Non-enumerable ones are the engine's. */
function encodeOwn(walk: EncodeWalk, error: { readonly [key: string]: unknown }): Stored | undefined {
  for (const key of Object.getOwnPropertySymbols(error)) {
    if (Object.prototype.propertyIsEnumerable.call(error, key))
      walk.refuse('symbol', `an error with the key ${String(key)}`)
  }
  const keys = Object.keys(error).filter(key => !errorFields.some(field => field === key))
  if (keys.length === 0) return undefined
  const own: { [key: string]: Stored } = {}
  for (const key of keys) {
    walk.segments.push(`<${key}>`)
    walk.admitKey(key)
    setOwn(own, storedKey(key), encodePlace(walk, error[key]))
    walk.segments.pop()
  }
  return own
}

function countTag(walk: EncodeWalk, tagged: Stored): Stored {
  walk.count(canonicalText(tagged).length)
  return tagged
}

/** Whether an object of a built-in class has no own properties, which would be lost. */
function isBare(walk: EncodeWalk, value: object, name: BuiltIn): boolean {
  // The keys of a view include every index, and a large view has millions.
  if (ArrayBuffer.isView(value) || Reflect.ownKeys(value).length === (name === 'RegExp' ? 1 : 0)) return true
  walk.refuse('extra', `a ${name} with extra properties`)
  return false
}

function isStorableLeaf(walk: EncodeWalk, value: object, name: LeafBuiltIn): boolean {
  if (name === 'ArrayBuffer' && (value as { resizable?: boolean }).resizable === true) {
    walk.refuse('resizable', 'a resizable ArrayBuffer')
    return false
  }
  return isBare(walk, value, name) && (name !== 'RegExp' || isStorableRegExp(walk, value as RegExp))
}

function isStorableRegExp(walk: EncodeWalk, { source, lastIndex }: RegExp): boolean {
  if (isLastIndex(lastIndex)) return walk.admitsText(source)
  walk.refuse('lastIndex', `a RegExp with the lastIndex ${String(lastIndex)}`)
  return false
}

function refuseInstance(walk: EncodeWalk, value: object): Stored {
  const isThenable = typeof (value as { then?: unknown }).then === 'function'
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  if (isThenable) walk.refuse('promise', 'a promise')
  else if (kind === 'Error') walk.refuse('error', `an error, ${classNameOf(value)}`)
  else walk.refuse(boxes.has(kind) ? 'boxed' : 'instance', `an instance of ${classNameOf(value)}`)
  return refusedPlace
}
