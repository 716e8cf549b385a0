/** The least and the greatest of many numbers: as `Math.min` and `Math.max`, which take no more than the stack does. */

/** `Infinity` for none. */
export function leastOf(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const number of numbers) least = Math.min(least, number)
  return least
}

/** `-Infinity` for none. */
export function greatestOf(numbers: Iterable<number>): number {
  let greatest = Number.NEGATIVE_INFINITY
  for (const number of numbers) greatest = Math.max(greatest, number)
  return greatest
}
