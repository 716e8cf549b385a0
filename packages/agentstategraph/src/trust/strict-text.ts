/**
 * Reads untrusted texts that must be canonical: of all JSON texts with the same value, only one is accepted.
 *
 * The meaning of the values is checked elsewhere.
 */

import { canonicalText, type Stored } from '../core/index.ts'

/** How deep lists and objects may be nested. */
const MAX_DEPTH = 256

/** Reads a text that must be canonical; undefined when it is not. */
export function readCanonical(text: string): Stored | undefined {
  try {
    const value = JSON.parse(text) as Stored
    return isWithinDepth(value, MAX_DEPTH) && isWrittenAs(text, value) ? value : undefined
  } catch (e) {
    // What JSON.parse and canonicalText refuse: bad syntax, lone surrogates, numbers beyond a double.
    if (e instanceof SyntaxError || e instanceof TypeError) return undefined
    throw e
  }
}

/** Reads a canonical text whose numbers are all integers; undefined when it is none. */
export function readStrict(text: string): Stored | undefined {
  const value = readCanonical(text)
  return value !== undefined && hasOnlyIntegers(value) ? value : undefined
}

/**
 * Whether this is the canonical text of the value that was read from it.
 *
 * `JSON.stringify` takes a fraction of the time. It keeps the order of keys, except that keys like numbers come first, and
 * escapes lone surrogates. When the keys are in order and nothing is escaped so, its text is the canonical one.
 */
function isWrittenAs(text: string, value: Stored): boolean {
  const isAlike = JSON.stringify(value) === text && !text.includes('\\ud')
  return isAlike ? hasKeysInOrder(value) : canonicalText(value) === text
}

function hasKeysInOrder(value: Stored): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (const item of value as readonly Stored[]) if (!hasKeysInOrder(item)) return false
    return true
  }
  const map = value as { readonly [key: string]: Stored }
  let before: string | undefined
  for (const key in map) {
    if ((before !== undefined && before > key) || !hasKeysInOrder(map[key]!)) return false
    before = key
  }
  return true
}

function isWithinDepth(value: Stored, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) {
    for (const item of value as readonly Stored[]) if (!isWithinDepth(item, depth - 1)) return false
    return true
  }
  const map = value as { readonly [key: string]: Stored }
  for (const key in map) if (!isWithinDepth(map[key]!, depth - 1)) return false
  return true
}

function hasOnlyIntegers(value: Stored): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (const item of value as readonly Stored[]) if (!hasOnlyIntegers(item)) return false
    return true
  }
  const map = value as { readonly [key: string]: Stored }
  for (const key in map) if (!hasOnlyIntegers(map[key]!)) return false
  return true
}
