/**
 * The stored form of a value: JSON, in which every other value is an object with one key, its tag.
 *
 * A tag begins with one `$`. A user's key that begins with `$` is stored with one more in front, so keys and tags cannot
 * be confused. This file knows the shape of a tag, not what the tags mean.
 */

/** JSON as it is stored. Never contains `-0`, `NaN`, an infinity or a lone surrogate. */
export type Stored = null | boolean | number | string | readonly Stored[] | { readonly [key: string]: Stored }

const dollar = 36

export function storedKey(key: string): string {
  return key.charCodeAt(0) === dollar ? `$${key}` : key
}

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
