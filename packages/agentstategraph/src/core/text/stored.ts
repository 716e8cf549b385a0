/**
 * The stored form of a value: JSON, in which every other value is an object with one key, its tag; and its canonical text
 * (RFC 8785).
 *
 * A tag begins with one `$`. A user's key that begins with `$` is stored with one more in front, so keys and tags cannot
 * be confused. In the canonical text keys are in order of their UTF-16 code units, numbers as ECMAScript prints them, without
 * spaces. `JSON.stringify` of an object with sorted keys would not do, because keys like `1` and `__proto__` do not keep
 * their place. This file knows the shape of a tag, not what the tags mean, and nothing of hashes or limits.
 */

import { nativeBuffer } from './native-buffer.ts'

/** JSON as it is stored. Never contains `-0`, `NaN`, an infinity or a lone surrogate. */
export type Stored = null | boolean | number | string | readonly Stored[] | { readonly [key: string]: Stored }

const dollar = 36
// A JSON string escapes quotation marks, backslashes and control characters; surrogates need a check.
const notPlain = /[^ !#-[\]-\ud7ff\ue000-\uffff]/
const loneSurrogate = /[\ud800-\udfff]/u
const nativeIsWellFormed = (String.prototype as { isWellFormed?: (this: string) => boolean }).isWellFormed

/** The key of a user's map as the store writes it: no user key looks like a tag. */
export function storedKey(key: string): string {
  return key.charCodeAt(0) === dollar ? `$${key}` : key
}

/** The key of a user's map that the store writes as this one. */
export function userKey(stored: string): string {
  return stored.charCodeAt(0) === dollar ? stored.slice(1) : stored
}

/** Whether a stored key is a tag: it begins with one `$` and not with two. */
export function isTag(key: string): boolean {
  return key.charCodeAt(0) === dollar && key.charCodeAt(1) !== dollar
}

/** Whether a stored value is tagged: an object whose only key is a tag. */
export function isTagged(value: Stored): value is { readonly [tag: string]: Stored } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  let only: string | undefined
  for (const key in value) {
    if (only !== undefined) return false
    only = key
  }
  return only !== undefined && isTag(only)
}

/** Whether a stored value is a map: an object that is neither a list nor tagged. */
export function isStoredMap(value: Stored): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isTagged(value)
}

/** Writes a stored value as its canonical text. */
export function canonicalText(value: Stored): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return numberText(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? listText(value) : mapText(value as { readonly [key: string]: Stored })
    default:
      throw new TypeError(`A stored value cannot be a ${typeof value}.`)
  }
}

function numberText(value: number): string {
  if (value - value !== 0) throw new TypeError(`A stored number cannot be ${value}.`)
  return `${value}`
}

function listText(list: readonly Stored[]): string {
  const { length } = list
  if (length === 0) return '[]'
  let text = '['
  for (let i = 0; i < length; i++) text += (i === 0 ? '' : ',') + canonicalText(list[i] as Stored)
  return `${text}]`
}

function mapText(map: { readonly [key: string]: Stored }): string {
  const keys = sortedKeys(map)
  const { length } = keys
  if (length === 0) return '{}'
  let text = '{'
  for (let i = 0; i < length; i++) {
    const key = keys[i] as string
    text += `${i === 0 ? '' : ','}${quote(key)}:${canonicalText(map[key] as Stored)}`
  }
  return `${text}}`
}

function sortedKeys(map: object): string[] {
  return inOrder(Object.keys(map))
}

/** Brings keys into the order in which texts have them, in place. */
export function inOrder(keys: string[]): string[] {
  // Keys read from canonical text are in order already, and a check is much cheaper than a sort.
  return areInOrder(keys) ? keys : keys.sort()
}

export function areInOrder(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return false
  return true
}

/** Writes a string as a JSON string. Throws on a lone surrogate, which UTF-8 cannot encode. */
export function quote(text: string): string {
  if (!notPlain.test(text)) return `"${text}"`
  if (!isWellFormed(text)) throw new TypeError('A stored string cannot contain a lone surrogate.')
  return JSON.stringify(text)
}

/** Whether a string has no lone surrogates. */
export function isWellFormed(text: string): boolean {
  return nativeIsWellFormed === undefined ? !loneSurrogate.test(text) : nativeIsWellFormed.call(text)
}

/** Counts the bytes of a string in UTF-8. */
export function utf8Length(text: string): number {
  // For a few characters, calling the native function takes longer than the loop.
  return nativeBuffer === undefined || text.length < 16 ? portableUtf8Length(text) : nativeBuffer.byteLength(text)
}

/** Whether a text has at most so many bytes in UTF-8. */
export function fits(text: string, bytes: number): boolean {
  // A UTF-16 unit takes one to three bytes, so most texts need no counting.
  return text.length * 3 <= bytes || (text.length <= bytes && utf8Length(text) <= bytes)
}

/** Counts the bytes of a string in UTF-8 without `Buffer`. */
export function portableUtf8Length(text: string): number {
  const { length } = text
  let bytes = length
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // Half of a pair counts two of the pair's four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}
