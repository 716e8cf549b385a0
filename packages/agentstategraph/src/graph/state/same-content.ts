/**
 * Whether two values have the same content: what would be stored for them is the same.
 *
 * Equal parts that are the same object cost nothing. The order of an object's keys does not count, that of a `Map` does.
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
  // A list with holes or properties has no content that could be stored.
  return isSame && isWholeList(a) && isWholeList(b)
}

function hasSameEntries(a: Entries, b: Entries): boolean {
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && hasSameContent(a[key], b[key]))
  )
}

/** What stands for a value in a set of values that differ in content: the same for equal ones. */
export function contentKey(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return contentText(value) ?? value
}

/** The text that would be stored, undefined when it cannot be: such a value is only equal to itself. */
function contentText(value: object): string | undefined {
  try {
    // A text of this kind is no string that a value could be, so that both can be in one set.
    return `\u0000${canonicalText(encode(value))}`
  } catch {
    return undefined
  }
}
