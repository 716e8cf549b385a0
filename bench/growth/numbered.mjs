/** Values that have as many parts as asked for. */

export const numbered = (n, make) => Array.from({ length: n }, (_, i) => make(i))

export function each(n, step) {
  for (let i = 0; i < n; i++) step(i)
}

/** Keys are in the order of their numbers. */
export const keyOf = n => `key-${String(n).padStart(7, '0')}`

export const mapOf = n => Object.fromEntries(numbered(n, i => [keyOf(i), i]))

export const listOf = n => numbered(n, i => i)

/** Objects in a list, some of them changed. */
export const rowsOf = (n, isChanged = () => false) => numbered(n, i => ({ id: keyOf(i), n: isChanged(i) ? -1 : i }))
