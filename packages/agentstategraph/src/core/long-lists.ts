/** For lists that may be long: spreading a hundred thousand elements into arguments overflows the stack. */

export function appendAll<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item)
}

/** The least of many numbers; `Infinity` for none. */
export function leastOf(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const number of numbers) least = Math.min(least, number)
  return least
}

/** The greatest of many numbers; `-Infinity` for none. */
export function greatestOf(numbers: Iterable<number>): number {
  let greatest = Number.NEGATIVE_INFINITY
  for (const number of numbers) greatest = Math.max(greatest, number)
  return greatest
}
