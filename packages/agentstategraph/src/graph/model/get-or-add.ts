/** What a map is used for most: the value of a key, made when it is first asked for. */

interface Keyed<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value of a key. A map that has none gets the one that `make` returns. */
export function getOrAdd<K, V>(map: Keyed<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
