/**
 * The alignment of a new list with an old one, for merges: with as few removed and inserted elements as possible.
 *
 * A longest common subsequence stays in place. Of the other elements, a removed one and an equal inserted one are one that
 * moved, in order of occurrence; the rest is paired as in `align`. `align` is for differences; a merge must not mistake
 * one deletion for another, and that needs a shortest edit script.
 */

import { type Alignment, pairInGaps } from './align.ts'
import { type Hunk, hunksBetween, numbered } from './hunks.ts'
import { matchByOccurrence } from './occurrence.ts'

export function alignInOrder(a: readonly string[], b: readonly string[]): Alignment {
  const [old, now] = numbered(a, b) as [Int32Array, Int32Array]
  const gaps = hunksBetween(old, now)
  const matches = new Int32Array(b.length).fill(-1)
  const kept = new Uint8Array(b.length)
  keepBetween(gaps, b.length, (i, j) => {
    matches[j] = i
    kept[j] = 1
  })
  const gone = placesIn(gaps.map(({ fromA, toA }) => [fromA, toA]))
  const came = placesIn(gaps.map(({ fromB, toB }) => [fromB, toB]))
  const moved = matchByOccurrence(
    gone.map(i => old[i]!),
    came.map(j => now[j]!),
  )
  for (const [n, place] of moved.entries()) if (place >= 0) matches[came[n]!] = gone[place]!
  return { matches, kept, gaps, ...pairInGaps(a.length, matches, gaps) }
}

function keepBetween(gaps: readonly Hunk[], lengthB: number, keep: (i: number, j: number) => void): void {
  let [i, j] = [0, 0]
  for (const { fromB, toA, toB } of gaps) {
    for (; j < fromB; i++, j++) keep(i, j)
    i = toA
    j = toB
  }
  for (; j < lengthB; i++, j++) keep(i, j)
}

function placesIn(ranges: readonly (readonly [number, number])[]): number[] {
  const places: number[] = []
  for (const [from, to] of ranges) for (let at = from; at < to; at++) places.push(at)
  return places
}
