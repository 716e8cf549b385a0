/**
 * From the stored form back to what a program holds.
 *
 * It reads exactly what `encode` writes. A tag of a later version, a reserved one, or a damaged payload is an error that
 * names its path; it is never returned as data.
 */

import type { Limits } from '../limits.ts'
import { setOwn } from '../objects/own-property.ts'
import { formatPath } from '../paths/path.ts'
import { isStoredMap, isTag, type Stored, userKey } from '../text/stored.ts'
import { type ErrorField, errorFields, findNewError, setErrorFields, setErrorProperty } from './built-in-error.ts'
import type { ClassCodec, ClassTable } from './class-codec.ts'
import { EncryptedValue } from './encrypted-value.ts'
import { remedies, valueError } from './errors.ts'
import { readLeaf, unreadable } from './tags.ts'
import { UnreadInstance } from './unread-instance.ts'

export interface DecodeOptions {
  /** The path of the value, for errors. */
  readonly at?: readonly string[] | undefined
  /** Whether an instance without a codec becomes an `UnreadInstance` instead of an error. */
  readonly isReport?: boolean | undefined
  /** Whether an encrypted value is an error: it comes from a store, and no caller has one to give. */
  readonly refusesEncrypted?: boolean | undefined
  /** For a value from outside: what it may not exceed. What is stored was checked when it came in. */
  readonly limits?: Pick<Limits, 'bigintDigits'> | undefined
}

/** Returns the value of a stored form; the two share no objects. */
export function decode(
  stored: Stored,
  classes?: ClassTable,
  { at = [], isReport = false, refusesEncrypted = false, limits }: DecodeOptions = {},
): unknown {
  return decodePlace({ segments: [...at], classes, isReport, refusesEncrypted, limits }, stored)
}

interface DecodeWalk {
  readonly segments: string[]
  readonly classes: ClassTable | undefined
  readonly isReport: boolean
  readonly refusesEncrypted: boolean
  readonly limits: DecodeOptions['limits']
}

function decodePlace(walk: DecodeWalk, stored: Stored): unknown {
  if (typeof stored !== 'object' || stored === null) return stored
  if (Array.isArray(stored)) return stored.map((item, i) => decodeInside(walk, item, `${i}`))
  return decodeObject(walk, stored as { readonly [key: string]: Stored })
}

function decodeObject(walk: DecodeWalk, stored: { readonly [key: string]: Stored }): unknown {
  const keys = Object.keys(stored)
  const first = keys[0]
  if (keys.length === 1 && isTag(first!)) return decodeTagged(walk, first!, stored[first!]!)
  const value: { [key: string]: unknown } = {}
  for (const key of keys) {
    if (isTag(key)) throw cannotRead(walk, key)
    const name = userKey(key)
    setOwn(value, name, decodeInside(walk, stored[key] as Stored, name))
  }
  return value
}

function decodeTagged(walk: DecodeWalk, tag: string, payload: Stored): unknown {
  if (tag === '$map') return decodeMapObject(walk, payload)
  if (tag === '$set') return decodeSetObject(walk, payload)
  if (tag === '$class') return decodeInstance(walk, payload)
  if (tag === '$error') return decodeError(walk, payload)
  if (tag === '$bigint' && walk.limits !== undefined) assertFewDigits(walk, payload, walk.limits)
  const value = readLeaf(tag, payload)
  if (value === unreadable || (walk.refusesEncrypted && value instanceof EncryptedValue)) throw cannotRead(walk, tag)
  return value
}

function assertFewDigits(
  { segments }: DecodeWalk,
  payload: Stored,
  { bigintDigits }: Pick<Limits, 'bigintDigits'>,
): void {
  if (typeof payload !== 'string' || payload.length <= bigintDigits + (payload.startsWith('-') ? 1 : 0)) return
  const type = `a bigint of more than ${bigintDigits} digits`
  throw valueError('value-refused', { refused: [{ path: formatPath(segments), type, remedy: remedies.bigint }] })
}

function decodeMapObject(walk: DecodeWalk, payload: Stored): Map<unknown, unknown> {
  if (!Array.isArray(payload)) throw cannotRead(walk, '$map')
  const map = new Map<unknown, unknown>()
  for (const [i, pair] of (payload as readonly Stored[]).entries()) {
    if (!Array.isArray(pair) || pair.length !== 2) throw cannotRead(walk, '$map')
    const key = decodeInside(walk, pair[0] as Stored, `<key ${i}>`)
    map.set(key, decodeInside(walk, pair[1] as Stored, `<value ${i}>`))
  }
  if (map.size !== payload.length) throw cannotRead(walk, '$map')
  return map
}

function decodeSetObject(walk: DecodeWalk, payload: Stored): Set<unknown> {
  if (!Array.isArray(payload)) throw cannotRead(walk, '$set')
  const set = new Set((payload as readonly Stored[]).map((item, i) => decodeInside(walk, item, `<item ${i}>`)))
  if (set.size !== payload.length) throw cannotRead(walk, '$set')
  return set
}

function decodeInside(walk: DecodeWalk, stored: Stored, segment: string): unknown {
  walk.segments.push(segment)
  const value = decodePlace(walk, stored)
  walk.segments.pop()
  return value
}

function decodeInstance(walk: DecodeWalk, payload: Stored): unknown {
  const [tag, data]: readonly Stored[] = Array.isArray(payload) && payload.length === 2 ? payload : []
  if (typeof tag !== 'string' || data === undefined) throw cannotRead(walk, '$class')
  const codec = walk.classes?.find(tag)
  if (codec === undefined && !walk.isReport) throw cannotMake(walk, tag, 'no codec has that tag')
  const value = decodeInside(walk, data, `<${tag}>`)
  return codec === undefined ? new UnreadInstance(tag, value) : instanceOf(walk, codec, value)
}

function instanceOf(walk: DecodeWalk, codec: ClassCodec, data: unknown): unknown {
  const { type, tag } = codec
  let value: unknown
  try {
    value = codec.decode(data)
  } catch (cause) {
    throw cannotMake(walk, tag, `its decode failed with ${String(cause)}`, { cause })
  }
  const isOne = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === type.prototype
  // Another object would be encoded differently, so that reading and writing back would be a change.
  if (!isOne) throw cannotMake(walk, tag, `its decode gave no instance of ${type.name}`)
  return value
}

function decodeError(walk: DecodeWalk, payload: Stored): Error {
  if (!isStoredMap(payload)) throw cannotRead(walk, '$error')
  const { class: className, own, ...rest } = payload as { readonly [key: string]: Stored }
  const fields = new Map<ErrorField, unknown>()
  for (const [key, stored] of Object.entries(rest)) {
    const field = errorFields.find(one => one === key)
    if (field === undefined) throw cannotRead(walk, '$error')
    fields.set(field, decodeInside(walk, stored, `<${field}>`))
  }
  const error = findNewError(className, fields.get('name'), fields.get('message'))
  if (error === undefined) throw cannotRead(walk, '$error')
  setErrorFields(error, fields)
  if (own !== undefined) decodeOwn(walk, own, error)
  return error
}

function decodeOwn(walk: DecodeWalk, own: Stored, error: Error): void {
  if (!isStoredMap(own) || Object.keys(own as object).length === 0) throw cannotRead(walk, '$error')
  for (const [key, stored] of Object.entries(own as { readonly [key: string]: Stored })) {
    const name = userKey(key)
    if (isTag(key) || errorFields.some(field => field === name)) throw cannotRead(walk, '$error')
    setErrorProperty(error, name, decodeInside(walk, stored, `<${name}>`))
  }
}

function cannotRead({ segments }: DecodeWalk, tag: string): Error {
  return valueError('value-unreadable', { path: formatPath(segments), tag })
}

function cannotMake({ segments }: DecodeWalk, tag: string, reason: string, options?: ErrorOptions): Error {
  return valueError('value-unreadable', { path: formatPath(segments), tag: '$class', class: tag, reason }, options)
}
