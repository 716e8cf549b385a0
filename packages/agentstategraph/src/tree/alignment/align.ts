/**
 * The alignment of a new list with an old one, for differences and grafts.
 *
 * Equal elements are matched in order of occurrence: the n-th "x" of one list with the n-th "x" of the other. Of the
 * matches a longest run in increasing order is kept in place; the others have moved. Between kept elements, those
 * without a match are paired in order: the i-th removed one and the i-th inserted one are one that was changed in place.
 *
 * It compares contents only. The writers of list elements follow from align-lists.ts, not from this alignment.
 */

import { finished } from '../nodes/walk.ts'
import type { Hunk } from './hunks.ts'
import { increasingSteps, occurrenceSteps } from './occurrence.ts'

export interface Alignment {
  /** For each element of `b`, the equal element of `a` it is matched with, or -1. */
  readonly matches: Int32Array
  /** For each element of `b`, whether it is matched and kept in place. */
  readonly kept: Uint8Array
  /** For each element of `b` without a match, the element of `a` it replaces, or -1. */
  readonly replaces: Int32Array
  /** The ranges between kept elements, in order; ranges that are empty on both sides are left out. */
  readonly gaps: readonly Hunk[]
  /** The elements of `a` that are neither matched nor replaced. */
  readonly removed: readonly number[]
}

export function align(a: readonly string[], b: readonly string[]): Alignment {
  return finished(alignSteps(a, b))
}

/** The same in steps. */
export function* alignSteps(a: readonly string[], b: readonly string[]): Generator<undefined, Alignment> {
  const matches = yield* occurrenceSteps(a, b)
  const kept = yield* increasingSteps(matches)
  yield
  const gaps = gapsBetween(a.length, matches, kept)
  const { replaces, removed } = pairInGaps(a.length, matches, gaps)
  return { matches, kept, replaces, gaps, removed }
}

/** The ranges between the elements that stay in place, without those that are empty on both sides. */
export function gapsBetween(lengthA: number, matches: Int32Array, kept: Uint8Array): Hunk[] {
  const gaps: Hunk[] = []
  let fromA = 0
  let fromB = 0
  const close = (toA: number, toB: number): void => {
    if (toA > fromA || toB > fromB) gaps.push({ fromA, toA, fromB, toB })
    fromA = toA + 1
    fromB = toB + 1
  }
  for (let j = 0; j < matches.length; j++) if (kept[j] === 1) close(matches[j]!, j)
  close(lengthA, matches.length)
  return gaps
}

/** Pairs, in each gap, removed and inserted elements without a match. */
export function pairInGaps(
  lengthA: number,
  matches: Int32Array,
  gaps: readonly Hunk[],
): { replaces: Int32Array; removed: number[] } {
  const isMatched = new Uint8Array(lengthA)
  for (const i of matches) if (i >= 0) isMatched[i] = 1
  const replaces = new Int32Array(matches.length).fill(-1)
  const removed: number[] = []
  for (const { fromA, toA, fromB, toB } of gaps) {
    let j = fromB
    for (let i = fromA; i < toA; i++) {
      if (isMatched[i] === 1) continue
      while (j < toB && matches[j]! >= 0) j++
      if (j < toB) replaces[j++] = i
      else removed.push(i)
    }
  }
  return { replaces, removed }
}
