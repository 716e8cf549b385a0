/**
 * A cache bounded in bytes, in two generations.
 *
 * Entries that are read go to the young generation. When it has half of the budget it becomes the old one, and entries of
 * the old one that were not read since are dropped. A hit costs one or two look-ups, and no order is kept.
 */

export interface Cache<V> {
  find(key: number): V | undefined
  /** Whether a key is cached; this does not count as a read. */
  has(key: number): boolean
  put(key: number, value: V, bytes: number): void
  /** Drops what is not expected to be read again. */
  remove(key: number): void
  clear(): void
  readonly bytes: number
}

interface Held<V> {
  readonly value: V
  readonly bytes: number
}

export function byteCache<V>(maxBytes: number): Cache<V> {
  let young = new Map<number, Held<V>>()
  let old = new Map<number, Held<V>>()
  let youngBytes = 0
  let oldBytes = 0

  const add = (key: number, held: Held<V>): void => {
    if (held.bytes > maxBytes / 2) return
    if (youngBytes + held.bytes > maxBytes / 2) {
      old = young
      oldBytes = youngBytes
      young = new Map()
      youngBytes = 0
    }
    young.set(key, held)
    youngBytes += held.bytes
  }
  const takeOld = (key: number): Held<V> | undefined => {
    const held = old.get(key)
    if (held === undefined) return undefined
    old.delete(key)
    oldBytes -= held.bytes
    return held
  }
  const remove = (key: number): void => {
    const held = young.get(key)
    if (held === undefined) {
      takeOld(key)
      return
    }
    young.delete(key)
    youngBytes -= held.bytes
  }

  return {
    find(key) {
      const held = young.get(key)
      if (held !== undefined) return held.value
      const kept = takeOld(key)
      if (kept === undefined) return undefined
      add(key, kept)
      return kept.value
    },
    has: key => young.has(key) || old.has(key),
    put(key, value, bytes) {
      remove(key)
      add(key, { value, bytes })
    },
    remove,
    clear() {
      young = new Map()
      old = new Map()
      youngBytes = 0
      oldBytes = 0
    },
    get bytes() {
      return youngBytes + oldBytes
    },
  }
}

/** How many replaced values stay: some twenty commits of a few nodes each. */
const KEPT = 64

/**
 * Makes what notes that a newer value has replaced the one of a key, which is then hardly read again. The last few stay, because
 * a branch or a speculation may have begun where they were the newest; others are removed.
 */
export function supersededKeys(remove: (key: number) => void): (key: number) => void {
  const kept: number[] = []
  let next = 0
  return key => {
    const oldest = kept[next]
    if (oldest !== undefined) remove(oldest)
    kept[next] = key
    next = (next + 1) % KEPT
  }
}
