/**
 * Which element of a new list is which element of the old one, for merges: with as few elements gone and come as can be.
 *
 * A longest common subsequence stays in place. Of the others, one that went and an equal one that came are one that moved,
 * in order of occurrence; the rest is paired as `align` pairs it. `align` serves writers and differences, whose definition
 * is part of the format; a merge must not take one deletion for another, and that needs the shortest explanation.
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
