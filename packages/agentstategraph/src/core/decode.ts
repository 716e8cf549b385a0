/**
 * From the stored form back to what a program holds.
 *
 * Reads exactly what `encode` writes. A tag of a later version, a reserved one, or a damaged payload is an error that
 * names its path; it is never passed on as if it were data.
 */
import { coreError } from './errors.ts'
import { setOwn } from './own-property.ts'
import { formatPath } from './path.ts'
import { isTag, type Stored, userKey } from './stored.ts'
import { readLeaf, unreadable } from './tags.ts'

/** Gives the value of a stored form. Nothing in it is shared with the stored form. */
export function decode(stored: Stored): unknown {
  return decodePlace(stored, [])
}

function decodePlace(stored: Stored, segments: string[]): unknown {
  if (typeof stored !== 'object' || stored === null) return stored
  if (Array.isArray(stored)) return stored.map((item, i) => decodeInside(item, segments, `${i}`))
  return decodeObject(stored as { readonly [key: string]: Stored }, segments)
}

function decodeObject(stored: { readonly [key: string]: Stored }, segments: string[]): unknown {
  const keys = Object.keys(stored)
  const first = keys[0]
  if (keys.length === 1 && isTag(first!)) return decodeTagged(first!, stored[first!]!, segments)
  const value: { [key: string]: unknown } = {}
  for (const key of keys) {
    if (isTag(key)) throw cannotRead(segments, key)
    const name = userKey(key)
    setOwn(value, name, decodeInside(stored[key] as Stored, segments, name))
  }
  return value
}

function decodeTagged(tag: string, payload: Stored, segments: string[]): unknown {
  if (tag === '$map') return decodeMapObject(payload, segments)
  if (tag === '$set') return decodeSetObject(payload, segments)
  const value = readLeaf(tag, payload)
  if (value === unreadable) throw cannotRead(segments, tag)
  return value
}

function decodeMapObject(payload: Stored, segments: string[]): Map<unknown, unknown> {
  if (!Array.isArray(payload)) throw cannotRead(segments, '$map')
  const map = new Map<unknown, unknown>()
  for (const [i, pair] of (payload as readonly Stored[]).entries()) {
    if (!Array.isArray(pair) || pair.length !== 2) throw cannotRead(segments, '$map')
    const key = decodeInside(pair[0] as Stored, segments, `<key ${i}>`)
    map.set(key, decodeInside(pair[1] as Stored, segments, `<value ${i}>`))
  }
  if (map.size !== payload.length) throw cannotRead(segments, '$map')
  return map
}

function decodeSetObject(payload: Stored, segments: string[]): Set<unknown> {
  if (!Array.isArray(payload)) throw cannotRead(segments, '$set')
  const set = new Set((payload as readonly Stored[]).map((item, i) => decodeInside(item, segments, `<item ${i}>`)))
  if (set.size !== payload.length) throw cannotRead(segments, '$set')
  return set
}

function decodeInside(stored: Stored, segments: string[], segment: string): unknown {
  segments.push(segment)
  const value = decodePlace(stored, segments)
  segments.pop()
  return value
}

function cannotRead(segments: readonly string[], tag: string): Error {
  return coreError('value-unreadable', { path: formatPath(segments), tag })
}
