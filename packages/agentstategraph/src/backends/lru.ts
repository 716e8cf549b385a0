/**
 * A budget of bytes that several caches share: what was used longest ago goes first, in whichever of them it lies.
 *
 * What is kept never changes, so nothing here is ever out of date. It counts what was found and what was not, and knows
 * nothing of what it keeps.
 */
import type { Cache } from '../store/contract/cache.ts'

export interface CacheStats {
  /** How often what was asked for was there, and how often not. */
  readonly hits: number
  readonly misses: number
  /** How much is kept now. */
  readonly bytes: number
  readonly maxBytes: number
}

export interface Lru {
  newCache<V>(): Cache<V>
  stats(): CacheStats
}

/** One thing that is kept, between the one used before it and the one used after it. */
interface Held {
  readonly value: unknown
  readonly bytes: number
  readonly forget: () => void
  before: Held | undefined
  after: Held | undefined
}

export function lru(maxBytes: number): Lru {
  let hits = 0
  let misses = 0
  let bytes = 0
  let oldest: Held | undefined
  let newest: Held | undefined

  function takeOut(held: Held): void {
    if (held.before === undefined) oldest = held.after
    else held.before.after = held.after
    if (held.after === undefined) newest = held.before
    else held.after.before = held.before
    bytes -= held.bytes
  }

  function putLast(held: Held): void {
    held.before = newest
    held.after = undefined
    if (newest === undefined) oldest = held
    else newest.after = held
    newest = held
    bytes += held.bytes
  }

  function newCache<V>(): Cache<V> {
    const kept = new Map<number, Held>()
    let ownBytes = 0

    function remove(key: number, held: Held): void {
      takeOut(held)
      kept.delete(key)
      ownBytes -= held.bytes
    }

    return {
      find(key) {
        const held = kept.get(key)
        if (held === undefined) {
          misses++
          return undefined
        }
        hits++
        if (held !== newest) {
          takeOut(held)
          putLast(held)
        }
        return held.value as V
      },
      has: key => kept.has(key),
      put(key, value, size) {
        const before = kept.get(key)
        if (before !== undefined) remove(key, before)
        // What is larger than all there is room for would only drive out the rest.
        if (size > maxBytes) return
        const held: Held = {
          value,
          bytes: size,
          forget: () => remove(key, held),
          before: undefined,
          after: undefined,
        }
        kept.set(key, held)
        ownBytes += size
        putLast(held)
        while (bytes > maxBytes) oldest!.forget()
      },
      get bytes() {
        return ownBytes
      },
    }
  }

  return { newCache, stats: () => ({ hits, misses, bytes, maxBytes }) }
}
