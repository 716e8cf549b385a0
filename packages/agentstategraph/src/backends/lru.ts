/**
 * An LRU cache whose budget of bytes several caches share: the least recently used value of all of them goes first.
 *
 * Cached values never change, and are removed one by one or all at once. It counts hits and misses, and knows nothing of the values.
 */
import type { Cache } from '../store/contract/cache.ts'

/** How well a cache works. */
export interface CacheStats {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
  readonly maxBytes: number
}

export interface Lru {
  newCache<V>(): Cache<V>
  stats(): CacheStats
}

/** One cached value in the list ordered by last use. */
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

    function drop(key: number, held: Held): void {
      takeOut(held)
      kept.delete(key)
      ownBytes -= held.bytes
    }

    function remove(key: number): void {
      const held = kept.get(key)
      if (held !== undefined) drop(key, held)
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
        remove(key)
        // A value larger than the whole budget would evict everything else.
        if (size > maxBytes) return
        const held: Held = {
          value,
          bytes: size,
          forget: () => drop(key, held),
          before: undefined,
          after: undefined,
        }
        kept.set(key, held)
        ownBytes += size
        putLast(held)
        while (bytes > maxBytes) oldest!.forget()
      },
      remove,
      clear() {
        for (const held of [...kept.values()]) held.forget()
      },
      get bytes() {
        return ownBytes
      },
    }
  }

  return { newCache, stats: () => ({ hits, misses, bytes, maxBytes }) }
}
