/**
 * Whether two values have the same content, which means the same stored form.
 *
 * Parts that are the same object are not compared further. The order of the keys of an object does not count, that of a
 * `Map` does.
 */

import { canonicalText, encode, isPlainObject, isWholeList } from '../../core/index.ts'

export function hasSameContent(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && hasSameElements(a, b)
  if (isPlainObject(a)) return isPlainObject(b) && !Array.isArray(b) && hasSameEntries(a as Entries, b as Entries)
  const text = contentText(a)
  return text !== undefined && text === contentText(b)
}

type Entries = { readonly [key: string]: unknown }

function hasSameElements(a: readonly unknown[], b: readonly unknown[]): boolean {
  const isSame = a.length === b.length && a.every((element, i) => hasSameContent(element, b[i]))
  // A list with holes or other properties has no stored form.
  return isSame && isWholeList(a) && isWholeList(b)
}

function hasSameEntries(a: Entries, b: Entries): boolean {
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && hasSameContent(a[key], b[key]))
  )
}

/** A key for sets of contents: equal for values of the same content. */
export function contentKey(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return contentText(value) ?? value
}

/** The stored form as text; undefined when the value cannot be stored, and so equals only itself. */
function contentText(value: object): string | undefined {
  try {
    // The prefix distinguishes it from strings in the same set.
    return `\u0000${canonicalText(encode(value))}`
  } catch {
    return undefined
  }
}
