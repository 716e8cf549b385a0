/**
 * The keys of large maps, where they are known from making the map.
 *
 * An engine keeps a large object as a table of hashes. Listing its keys sorts all of them, in one call that nothing can pause: some
 * 60 ms for 250,000. Who changes such a map afterwards must not ask here.
 */
const known = new WeakMap<object, readonly string[]>()

/** Keeps the keys of a map that is complete. */
export function keepKeys(map: object, keys: readonly string[]): void {
  known.set(map, keys)
}

/** The keys of a map that were kept; undefined where they were not. */
export function findKeys(map: object): readonly string[] | undefined {
  return known.get(map)
}

/** All keys of a map. The known ones are in the order in which they were put there. */
export function keysOf(map: object): readonly string[] {
  return known.get(map) ?? Object.keys(map)
}
