/**
 * Finding what may be about a change among many patterns of places, without asking each of them.
 *
 * A pattern that begins with a key can only touch places that begin with the same, or the root. It leaves out what cannot be
 * meant, and the rest has to be asked.
 */

import { placePattern } from './place-pattern.ts'

export interface PlaceIndex<T> {
  /** Those that may be about one of these places, in their order. */
  about(changed: readonly (readonly string[])[]): readonly T[]
}

const MAX_KNOWN = 256

/** An index over things with patterns; one without patterns may be about everything. */
export function placeIndex<T>(
  items: readonly T[],
  patternsOf: (item: T) => readonly string[] | undefined,
): PlaceIndex<T> {
  const keys = items.map(item => firstKeys(patternsOf(item)))
  const known = new Map<string, readonly T[]>()
  const aboutKey = (key: string): readonly T[] => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = items.filter((_, i) => keys[i]?.has(key) !== false)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, found)
    return found
  }
  return {
    about(changed) {
      if (items.length === 0) return items
      const key = changed[0]?.[0]
      if (key === undefined) return items
      if (changed.length === 1) return aboutKey(key)
      if (changed.some(path => path.length === 0)) return items
      const found = new Set(changed.flatMap(path => aboutKey(path[0]!)))
      return items.filter(item => found.has(item))
    },
  }
}

/** The keys that patterns begin with; undefined when one of them can begin with any. */
function firstKeys(patterns: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (patterns === undefined) return undefined
  const keys = new Set<string>()
  for (const pattern of patterns) {
    const first = placePattern(pattern).parts[0]
    if (first?.kind !== 'key') return undefined
    keys.add(first.key)
  }
  return keys
}
