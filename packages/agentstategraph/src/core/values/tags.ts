/**
 * The table of tags: how each value that JSON lacks is written as a tagged value, and read again.
 *
 * | tag          | payload                                    | value                                             |
 * |--------------|--------------------------------------------|---------------------------------------------------|
 * | `$undefined` | `true`                                     | `undefined`                                       |
 * | `$number`    | `"NaN"`, `"Infinity"`, `"-Infinity"`, `"-0"` | a number that JSON cannot say                   |
 * | `$bigint`    | decimal digits                             | a bigint                                          |
 * | `$date`      | ISO 8601 with milliseconds, or `null`      | a `Date`; `null` is the invalid one               |
 * | `$bytes`     | base64                                     | a `Uint8Array`                                    |
 * | `$typed`     | `[class, base64]`, little-endian           | another typed array, or a `DataView`              |
 * | `$buffer`    | base64                                     | an `ArrayBuffer`                                  |
 * | `$url`       | text                                       | a `URL`                                           |
 * | `$regexp`    | `[source, flags]`, `[…, lastIndex]` if not 0 | a `RegExp`                                      |
 * | `$map`       | `[[key, value]…]` in order                 | a `Map`, written and read in `encode.ts`, `decode.ts` |
 * | `$set`       | `[item…]` in order                         | a `Set`, written and read in `encode.ts`, `decode.ts` |
 * | `$error`     | `{class, name?, message?, stack?, cause?, errors?, own?}` | an error of the language's own classes, likewise |
 * | `$class`     | `[tag, data]`                              | an instance of a registered class, likewise       |
 * | `$sealed`    | `[key id, pattern, base64url]`             | an `EncryptedValue`: encrypted with a subject's key             |
 *
 * A payload that writing would not produce is not read. This file knows no paths and no limits.
 */

import { type BuiltIn, type ViewName, viewNames } from '../objects/built-in.ts'
import { findBase64, toBase64 } from '../text/base64.ts'
import { canonicalText, type Stored } from '../text/stored.ts'
import { readEncrypted } from './encrypted-value.ts'
import { bytesOfView, findView } from './views.ts'

/** A class whose values hold no other values. */
export type LeafBuiltIn = Exclude<BuiltIn, 'Array' | 'Map' | 'Set'>

/** The result for a tag or payload that this version cannot read. */
export const unreadable: unique symbol = Symbol('unreadable')

export function undefinedTag(): Stored {
  return { $undefined: true }
}

/** Writes a number that JSON lacks. */
export function numberTag(value: number): Stored {
  return { $number: value === 0 ? '-0' : `${value}` }
}

export function bigintTag(value: bigint): Stored {
  return { $bigint: `${value}` }
}

export function leafTag(name: LeafBuiltIn, value: object): Stored {
  switch (name) {
    case 'Date':
      return { $date: dateText(value as Date) }
    case 'URL':
      return { $url: (value as URL).href }
    case 'RegExp':
      return { $regexp: regexpParts(value as RegExp) }
    case 'ArrayBuffer':
      return { $buffer: toBase64(new Uint8Array(value as ArrayBuffer)) }
    case 'Uint8Array':
      return { $bytes: toBase64(bytesOfView(value as Uint8Array)) }
    default:
      return { $typed: [name, toBase64(bytesOfView(value as ArrayBufferView))] }
  }
}

function dateText(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Whether a `RegExp` with this `lastIndex` can be stored. */
export function isLastIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function regexpParts({ source, flags, lastIndex }: RegExp): Stored {
  return lastIndex === 0 ? [source, flags] : [source, flags, lastIndex]
}

/** Reads the payload of a tag that holds no other values, or returns `unreadable`. */
export function readLeaf(tag: string, payload: Stored): unknown {
  const read = readers.get(tag)
  return read === undefined ? unreadable : read(payload)
}

const readers: ReadonlyMap<string, (payload: Stored) => unknown> = new Map<string, (payload: Stored) => unknown>([
  ['$undefined', payload => (payload === true ? undefined : unreadable)],
  ['$number', readNumber],
  ['$bigint', readBigint],
  ['$date', readDate],
  ['$bytes', payload => readBytes(payload) ?? unreadable],
  ['$typed', readTyped],
  ['$buffer', payload => readBytes(payload)?.buffer ?? unreadable],
  ['$url', readUrl],
  ['$regexp', readRegexp],
  ['$sealed', payload => readEncrypted(payload) ?? unreadable],
])

function readNumber(payload: Stored): unknown {
  if (payload === '-0') return -0
  return payload === 'NaN' || payload === 'Infinity' || payload === '-Infinity' ? Number(payload) : unreadable
}

function readBigint(payload: Stored): unknown {
  return typeof payload === 'string' && /^(?:0|-?[1-9][0-9]*)$/.test(payload) ? BigInt(payload) : unreadable
}

function readDate(payload: Stored): unknown {
  if (payload === null) return new Date(Number.NaN)
  if (typeof payload !== 'string') return unreadable
  const date = new Date(payload)
  return dateText(date) === payload ? date : unreadable
}

function readBytes(payload: Stored): Uint8Array | undefined {
  return typeof payload === 'string' ? findBase64(payload) : undefined
}

function readTyped(payload: Stored): unknown {
  if (!Array.isArray(payload) || payload.length !== 2) return unreadable
  const name = viewNames.find(view => view === payload[0])
  const bytes = readBytes(payload[1])
  return name === undefined || name === 'Uint8Array' || bytes === undefined
    ? unreadable
    : (findView(name satisfies ViewName, bytes) ?? unreadable)
}

function readUrl(payload: Stored): unknown {
  if (typeof payload !== 'string' || !URL.canParse(payload)) return unreadable
  const url = new URL(payload)
  return url.href === payload ? url : unreadable
}

function readRegexp(payload: Stored): unknown {
  if (!Array.isArray(payload) || payload.length < 2 || payload.length > 3) return unreadable
  const [source, flags, lastIndex = 0]: readonly Stored[] = payload
  if (typeof source !== 'string' || typeof flags !== 'string' || !isLastIndex(lastIndex)) return unreadable
  try {
    const regexp = new RegExp(source, flags)
    regexp.lastIndex = lastIndex
    return canonicalText(regexpParts(regexp)) === canonicalText(payload) ? regexp : unreadable
  } catch {
    // A flag or a syntax that this runtime does not have.
    return unreadable
  }
}
