/**
 * The texts of a stored value that a search looks at: what a user sees of it, and not how it is stored.
 *
 * The names of tags are left out, and so is what is not text: bytes, and values that are sealed.
 */

import { isTagged, type Stored, userKey } from '../../core/index.ts'

/** Whether a text, in lower case, occurs in one of the texts of a value. */
export function hasText(value: Stored, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted)
  if (typeof value !== 'object' || value === null) return String(value).includes(wanted)
  if (isList(value)) return value.some(item => hasText(item, wanted))
  return isTagged(value) ? hasTextInTag(value, wanted) : hasTextInMap(value, wanted)
}

function isList(value: Stored): value is readonly Stored[] {
  return Array.isArray(value)
}

type StoredMap = { readonly [key: string]: Stored }

function hasTextInMap(map: StoredMap, wanted: string): boolean {
  return Object.entries(map).some(
    ([key, value]) => userKey(key).toLowerCase().includes(wanted) || hasText(value, wanted),
  )
}

function hasTextInTag(value: StoredMap, wanted: string): boolean {
  const [tag, payload] = Object.entries(value)[0]!
  switch (tag) {
    case '$undefined':
    case '$bytes':
    case '$typed':
    case '$buffer':
    case '$sealed':
      return false
    case '$regexp':
      return Array.isArray(payload) && hasText(payload[0]!, wanted)
    case '$error': {
      const { name, message, own } = payload as { readonly [field: string]: Stored | undefined }
      return [name, message, own].some(part => part !== undefined && hasText(part, wanted))
    }
    default:
      return payload !== null && hasText(payload, wanted)
  }
}
