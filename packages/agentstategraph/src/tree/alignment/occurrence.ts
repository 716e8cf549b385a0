/** Equal elements of two sequences, matched in order of occurrence: the n-th "x" of one with the n-th "x" of the other. */

import { finished } from '../nodes/walk.ts'

/** How many elements are gone through between two steps. */
const ELEMENTS_BETWEEN = 64

/** For each element of `b`, the equal element of `a` it is matched with, or -1. */
export function matchByOccurrence<T extends string | number>(a: ArrayLike<T>, b: ArrayLike<T>): Int32Array {
  return finished(occurrenceSteps(a, b))
}

/** The same in steps. */
export function* occurrenceSteps<T extends string | number>(
  a: ArrayLike<T>,
  b: ArrayLike<T>,
): Generator<undefined, Int32Array> {
  // The first place of each content that is left, and after each place the next one of the same content.
  const first = new Map<T, number>()
  const next = new Int32Array(a.length)
  for (let i = a.length - 1; i >= 0; i--) {
    if (i % ELEMENTS_BETWEEN === 0) yield
    next[i] = first.get(a[i]!) ?? -1
    first.set(a[i]!, i)
  }
  const matches = new Int32Array(b.length)
  for (let j = 0; j < b.length; j++) {
    if (j % ELEMENTS_BETWEEN === 0) yield
    const i = first.get(b[j]!) ?? -1
    matches[j] = i
    if (i >= 0) first.set(b[j]!, next[i]!)
  }
  return matches
}

/**
 * Marks a longest increasing run of the matches: the elements that need not move.
 *
 * Of several it takes the one whose last element has the smallest index in `a`; before each element it takes, among those
 * that end a run one shorter, again the one with the smallest index.
 */
export function longestIncreasing(matches: Int32Array): Uint8Array {
  return finished(increasingSteps(matches))
}

/** The same in steps. */
export function* increasingSteps(matches: Int32Array): Generator<undefined, Uint8Array> {
  const kept = new Uint8Array(matches.length)
  const previous = new Int32Array(matches.length)
  const tails: number[] = []
  for (let j = 0; j < matches.length; j++) {
    if (j % ELEMENTS_BETWEEN === 0) yield
    const value = matches[j]!
    if (value < 0) continue
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (matches[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    previous[j] = low > 0 ? tails[low - 1]! : -1
    tails[low] = j
  }
  for (let j = tails.at(-1) ?? -1; j >= 0; j = previous[j]!) kept[j] = 1
  return kept
}
