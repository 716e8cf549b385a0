/** Matches equal elements of two sequences, by content. docs/format.md has the rule, under "Writers". */

import type { Steps } from '../../core/index.ts'
import type { Hunk } from './hunks.ts'

/** To look for so many contents takes long. */
const TOGETHER = 1024

/** How many elements are equal from the start of two sequences, and how many of the rest from their end. */
export function equalEnds(
  lengthA: number,
  lengthB: number,
  isEqual: (i: number, j: number) => boolean,
): { readonly start: number; readonly end: number } {
  const shorter = Math.min(lengthA, lengthB)
  let start = 0
  while (start < shorter && isEqual(start, start)) start++
  let end = 0
  while (end < shorter - start && isEqual(lengthA - 1 - end, lengthB - 1 - end)) end++
  return { start, end }
}

/** Two sequences of contents while their elements are matched. */
export class Matching {
  /** For each element of `b`, the equal one of `a`, or -1. */
  readonly matches: Int32Array
  private readonly isTaken: Uint8Array
  private readonly a: readonly string[]
  private readonly b: readonly string[]

  constructor(a: readonly string[], b: readonly string[]) {
    this.a = a
    this.b = b
    this.matches = new Int32Array(b.length).fill(-1)
    this.isTaken = new Uint8Array(a.length)
  }

  /** Matches equal elements that are unmatched and pass the test, in order of occurrence. */
  *byOccurrence(isAsked: (side: 'a' | 'b', index: number) => boolean): Steps<void> {
    const places = new Map<string, number[]>()
    for (let i = this.a.length - 1; i >= 0; i--) {
      if (i % TOGETHER === 0) yield 'long'
      if (this.isTaken[i] === 1 || !isAsked('a', i)) continue
      const equal = places.get(this.a[i]!)
      if (equal === undefined) places.set(this.a[i]!, [i])
      else equal.push(i)
    }
    for (let j = 0; j < this.b.length; j++) {
      if (j % TOGETHER === 0) yield 'long'
      if (this.matches[j]! >= 0 || !isAsked('b', j)) continue
      const i = places.get(this.b[j]!)?.pop()
      if (i !== undefined) this.match(i, j)
    }
  }

  /** Matches the equal start and the equal end of what has no match in a gap; returns what is left between them. */
  ends(gap: Hunk): { as: number[]; bs: number[] } {
    const { as, bs } = this.unmatchedIn(gap)
    const { start, end } = equalEnds(as.length, bs.length, (x, y) => this.a[as[x]!] === this.b[bs[y]!])
    for (let n = 0; n < start; n++) this.match(as[n]!, bs[n]!)
    for (let n = 1; n <= end; n++) this.match(as.at(-n)!, bs.at(-n)!)
    return { as: as.slice(start, as.length - end), bs: bs.slice(start, bs.length - end) }
  }

  /** Matches the ends of a gap and, if the rests have one length, equal elements at one index. */
  inPlace(gap: Hunk): void {
    const { as, bs } = this.ends(gap)
    if (as.length !== bs.length) return
    for (const [n, i] of as.entries()) if (this.a[i] === this.b[bs[n]!]) this.match(i, bs[n]!)
  }

  /** The elements in a gap that have no match. */
  unmatchedIn({ fromA, toA, fromB, toB }: Hunk): { as: number[]; bs: number[] } {
    const as: number[] = []
    const bs: number[] = []
    for (let i = fromA; i < toA; i++) if (this.isTaken[i] === 0) as.push(i)
    for (let j = fromB; j < toB; j++) if (this.matches[j]! < 0) bs.push(j)
    return { as, bs }
  }

  private match(i: number, j: number): void {
    this.matches[j] = i
    this.isTaken[i] = 1
  }
}
