/**
 * The difference of two sequences as hunks: ranges of one that became ranges of the other.
 *
 * Among equal elements, an inserted or removed run could begin at several places. It is put at the last of them, or where
 * the other sequence differs too, so that an insertion and a removal at one place become one hunk. Two sides that changed
 * the same place then have hunks at the same place.
 */

import { commonRun } from './common-run.ts'

/** Elements `fromA` to `toA` (not included) of one sequence became `fromB` to `toB` of the other. */
export interface Hunk {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

/** Replaces the contents of several sequences by numbers, equal ones for equal contents. */
export function numbered(...sequences: readonly (readonly string[])[]): Int32Array[] {
  const numbers = new Map<string, number>()
  return sequences.map(sequence =>
    Int32Array.from(sequence, content => {
      const known = numbers.get(content) ?? numbers.size
      numbers.set(content, known)
      return known
    }),
  )
}

/** The hunks from `a` to `b` in order, with at least one common element between two of them. */
export function hunksBetween(a: Int32Array, b: Int32Array): readonly Hunk[] {
  return hunksFrom(a, b, commonRun(a, b))
}

/**
 * The hunks found from the end. They may differ from `hunksBetween` only where several scripts are equally short.
 */
export function hunksFromEnd(a: Int32Array, b: Int32Array): readonly Hunk[] {
  const matches = commonRun(a.toReversed(), b.toReversed()).reverse()
  return hunksFrom(
    a,
    b,
    matches.map(i => (i < 0 ? i : a.length - 1 - i)),
  )
}

function hunksFrom(a: Int32Array, b: Int32Array, matches: Int32Array): readonly Hunk[] {
  const gone = new Uint8Array(a.length).fill(1)
  const came = new Uint8Array(b.length).fill(1)
  for (const [j, i] of matches.entries()) {
    if (i < 0) continue
    gone[i] = 0
    came[j] = 0
  }
  slide(a, gone, came)
  slide(b, came, gone)
  return hunksOf(gone, came)
}

function hunksOf(gone: Uint8Array, came: Uint8Array): readonly Hunk[] {
  const hunks: Hunk[] = []
  let [i, j] = [0, 0]
  while (i < gone.length || j < came.length) {
    const [fromA, fromB] = [i, j]
    while (gone[i] === 1) i++
    while (came[j] === 1) j++
    if (i > fromA || j > fromB) hunks.push({ fromA, toA: i, fromB, toB: j })
    i++
    j++
  }
  return hunks
}

/** The budget for moving runs, for each element: enough for any ordinary sequence. */
const MOVES_PER_ELEMENT = 32

/**
 * Moves every run of marked elements as far to the end as equal elements allow, and back to the last place on its way where
 * the other sequence has a run too. Runs that meet become one.
 */
function slide(values: Int32Array, marked: Uint8Array, otherMarked: Uint8Array): void {
  const otherHasRun = runsByPlace(otherMarked)
  const { length } = values
  let moves = MOVES_PER_ELEMENT * length
  let place = 0
  for (let at = 0; at < length; at++) {
    if (marked[at] === 0) {
      place++
      continue
    }
    let [start, end] = [at, at]
    while (end < length && marked[end] === 1) end++
    for (;;) {
      const size = end - start
      while (start > 0 && values[start - 1] === values[end - 1] && moves-- > 0) {
        marked[--start] = 1
        marked[--end] = 0
        place--
        while (start > 0 && marked[start - 1] === 1) start--
      }
      const earliest = end
      let shared = otherHasRun[place] === 1 ? place : -1
      while (end < length && values[start] === values[end] && moves-- > 0) {
        marked[start++] = 0
        marked[end++] = 1
        place++
        while (end < length && marked[end] === 1) end++
        if (otherHasRun[place] === 1) shared = place
      }
      if (size < end - start) continue
      if (end > earliest && shared >= 0) {
        for (; place > shared; place--) {
          marked[--start] = 1
          marked[--end] = 0
        }
      }
      break
    }
    at = end - 1
  }
}

/** By the number of unmarked elements before it, whether there is a run of marked ones. */
function runsByPlace(marked: Uint8Array): Uint8Array {
  const runs = new Uint8Array(marked.length + 1)
  let place = 0
  for (const mark of marked) {
    if (mark === 0) place++
    else runs[place] = 1
  }
  return runs
}
