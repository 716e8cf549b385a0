/**
 * A longest common subsequence of two sequences.
 *
 * E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in linear space: the middle of a shortest edit
 * script is found from both ends, and the boxes before and after it are done the same way. Elements that the other side
 * lacks are left out first, so sequences with little in common are cheap. The work is bounded: when the budget is used up,
 * the remaining boxes are aligned by occurrence, which gives a common subsequence, not always a longest.
 *
 * The sequences are numbers that stand for contents. The function does not recurse.
 */

import { longestIncreasing, matchByOccurrence } from './occurrence.ts'

/** A range of each sequence that is still to be aligned. */
interface Box {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

/** The budget in steps on diagonals, for each element and at least: about a quarter of a second. */
const STEPS_PER_ELEMENT = 64
const STEPS_AT_LEAST = 20_000_000

/** Marks a diagonal that no path inside the box has reached. */
const UNREACHED = -1
const UNREACHED_BACKWARD = 0x7fffffff

/** For each element of `b` its element of `a`, or -1; increasing where it is not -1. */
export function commonRun(a: Int32Array, b: Int32Array, steps: number = STEPS_AT_LEAST): Int32Array {
  const matches = new Int32Array(b.length).fill(-1)
  const shortest = Math.min(a.length, b.length)
  let start = 0
  for (; start < shortest && a[start] === b[start]; start++) matches[start] = start
  let end = 0
  while (end < shortest - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
    end++
    matches[b.length - end] = a.length - end
  }
  const placesA = placesOfShared(a, start, a.length - end, b, start, b.length - end)
  const placesB = placesOfShared(b, start, b.length - end, a, start, a.length - end)
  const sharedA = Int32Array.from(placesA, i => a[i]!)
  const sharedB = Int32Array.from(placesB, j => b[j]!)
  const budget = { steps: Math.max(steps, STEPS_PER_ELEMENT * (sharedA.length + sharedB.length)) }
  alignBoxes(sharedA, sharedB, budget, (i, j) => {
    matches[placesB[j]!] = placesA[i]!
  })
  return matches
}

/** The indexes, in a range of one sequence, of elements that a range of the other has too. */
function placesOfShared(
  one: Int32Array,
  from: number,
  to: number,
  other: Int32Array,
  fromOther: number,
  toOther: number,
): number[] {
  const there = new Set<number>()
  for (let j = fromOther; j < toOther; j++) there.add(other[j]!)
  const places: number[] = []
  for (let i = from; i < to; i++) if (there.has(one[i]!)) places.push(i)
  return places
}

type OnMatch = (i: number, j: number) => void

function alignBoxes(a: Int32Array, b: Int32Array, budget: { steps: number }, onMatch: OnMatch): void {
  const boxes: Box[] = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }]
  // By diagonal, the furthest index in `a` that is reached: forward from the start, backward from the end.
  const forward = new Int32Array(a.length + b.length + 3)
  const backward = new Int32Array(a.length + b.length + 3)
  for (let next = boxes.pop(); next !== undefined; next = boxes.pop()) {
    const box = trimmed(a, b, next, onMatch)
    if (box.fromA === box.toA || box.fromB === box.toB) continue
    const middle = middleOf(a, b, box, forward, backward, budget)
    if (middle === undefined) {
      alignByOccurrence(a, b, box, onMatch)
      continue
    }
    boxes.push({ ...box, fromA: middle.a, fromB: middle.b }, { ...box, toA: middle.a, toB: middle.b })
  }
}

/** Takes the equal elements at both ends of a box as matches. */
function trimmed(a: Int32Array, b: Int32Array, box: Box, onMatch: OnMatch): Box {
  let { fromA, toA, fromB, toB } = box
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) onMatch(fromA++, fromB++)
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) onMatch(--toA, --toB)
  return { fromA, toA, fromB, toB }
}

/** A point near the middle of a shortest edit script of a box; undefined when the budget is used up. */
function middleOf(
  a: Int32Array,
  b: Int32Array,
  { fromA, toA, fromB, toB }: Box,
  forward: Int32Array,
  backward: Int32Array,
  budget: { steps: number },
): { readonly a: number; readonly b: number } | undefined {
  // A diagonal is the index in `a` minus the index in `b`; the arrays hold those from -b.length - 1 on.
  const shift = b.length + 1
  const [lowest, highest] = [fromA - toB, toA - fromB]
  const [first, last] = [fromA - fromB, toA - toB]
  const isOdd = ((first - last) & 1) !== 0
  let [lowF, highF, lowB, highB] = [first, first, last, last]
  forward[shift + first] = fromA
  backward[shift + last] = toA
  for (;;) {
    // Diagonals next to the range are set unreached, so that a neighbour never reads a point outside the box.
    if (lowF > lowest) forward[shift + --lowF - 1] = UNREACHED
    else lowF++
    if (highF < highest) forward[shift + ++highF + 1] = UNREACHED
    else highF--
    for (let d = highF; d >= lowF; d -= 2) {
      const [below, above] = [forward[shift + d - 1]!, forward[shift + d + 1]!]
      let i = below >= fromA && below < toA ? below + 1 : UNREACHED
      if (above > i && above - d <= toB) i = above
      forward[shift + d] = i
      if (i === UNREACHED) continue
      while (i < toA && i - d < toB && a[i] === b[i - d]) i++
      forward[shift + d] = i
      if (isOdd && d >= lowB && d <= highB && backward[shift + d]! <= i) return { a: i, b: i - d }
    }
    if (lowB > lowest) backward[shift + --lowB - 1] = UNREACHED_BACKWARD
    else lowB++
    if (highB < highest) backward[shift + ++highB + 1] = UNREACHED_BACKWARD
    else highB--
    for (let d = highB; d >= lowB; d -= 2) {
      const [below, above] = [backward[shift + d - 1]!, backward[shift + d + 1]!]
      let i = above <= toA && above > fromA ? above - 1 : UNREACHED_BACKWARD
      if (below < i && below - d >= fromB) i = below
      backward[shift + d] = i
      if (i === UNREACHED_BACKWARD) continue
      while (i > fromA && i - d > fromB && a[i - 1] === b[i - d - 1]) i--
      backward[shift + d] = i
      if (!isOdd && d >= lowF && d <= highF && i <= forward[shift + d]!) return { a: i, b: i - d }
    }
    budget.steps -= highF - lowF + highB - lowB + 2
    if (budget.steps < 0) return undefined
  }
}

function alignByOccurrence(a: Int32Array, b: Int32Array, { fromA, toA, fromB, toB }: Box, onMatch: OnMatch): void {
  const matches = matchByOccurrence(a.subarray(fromA, toA), b.subarray(fromB, toB))
  const kept = longestIncreasing(matches)
  for (const [j, i] of matches.entries()) if (kept[j] === 1) onMatch(fromA + i, fromB + j)
}
