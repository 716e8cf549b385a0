/**
 * Three-way merge of sequences by regions.
 *
 * S. Khanna, K. Kunal and B. C. Pierce, "A Formal Investigation of Diff3" (2007): where neither side differs from the base
 * the base is stable. Between stable stretches are regions that one side changed, which are taken, and regions that both
 * changed, which are taken when both results are equal. Changes that touch are one region.
 */

import { type Hunk, hunksBetween, hunksFromEnd, numbered } from '../alignment/hunks.ts'

/** A stretch of the result: elements `from` to `to` (not included) of one of the three sequences. */
interface Stretch {
  readonly of: 'base' | 'ours' | 'theirs'
  readonly from: number
  readonly to: number
}

/**
 * The merged sequence; undefined when both sides changed one region differently, or when two equally short edit scripts of
 * a side lead to different results.
 */
export function diff3(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] | undefined {
  const [was, mine, yours] = numbered(base, ours, theirs) as [Int32Array, Int32Array, Int32Array]
  const sides = { base, ours, theirs }
  let merged: string[] | undefined
  for (const a of readings(was, mine)) {
    for (const b of readings(was, yours)) {
      const result = joined(sides, mergedBy(was, mine, yours, a, b))
      if (result === undefined || (merged !== undefined && !isSame(merged, result))) return undefined
      merged = result
    }
  }
  return merged
}

/** The edit scripts of a side: the one found from the start, and the one found from the end if it differs. */
function readings(base: Int32Array, side: Int32Array): readonly (readonly Hunk[])[] {
  const [first, second] = [hunksBetween(base, side), hunksFromEnd(base, side)]
  const isOne = first.length === second.length && first.every((hunk, n) => isSameHunk(hunk, second[n]!))
  return isOne ? [first] : [first, second]
}

function isSameHunk(a: Hunk, b: Hunk): boolean {
  return a.fromA === b.fromA && a.toA === b.toA && a.fromB === b.fromB && a.toB === b.toB
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((element, n) => element === b[n])
}

function joined(
  sides: Record<Stretch['of'], readonly string[]>,
  stretches: readonly Stretch[] | undefined,
): string[] | undefined {
  if (stretches === undefined) return undefined
  const elements: string[] = []
  for (const { of, from, to } of stretches) for (let n = from; n < to; n++) elements.push(sides[of][n]!)
  return elements
}

function mergedBy(
  base: Int32Array,
  mine: Int32Array,
  yours: Int32Array,
  ourHunks: readonly Hunk[],
  theirHunks: readonly Hunk[],
): readonly Stretch[] | undefined {
  const a = new Side(ourHunks)
  const b = new Side(theirHunks)
  const merged: Stretch[] = []
  let done = 0
  for (let from = nextFrom(a, b); from < Number.POSITIVE_INFINITY; from = nextFrom(a, b)) {
    if (from > done) merged.push({ of: 'base', from: done, to: from })
    const region = regionFrom(from, a, b)
    if (!region.isOurs) merged.push({ of: 'theirs', ...region.theirs })
    else if (!region.isTheirs || isEqual(mine, region.ours, yours, region.theirs)) {
      merged.push({ of: 'ours', ...region.ours })
    } else return undefined
    done = region.to
  }
  if (base.length > done) merged.push({ of: 'base', from: done, to: base.length })
  return merged
}

/** The hunks of one side that are not merged yet. */
class Side {
  readonly #hunks: readonly Hunk[]
  #next = 0
  /** How much longer the side is than the base, up to the next hunk. */
  growth = 0

  constructor(hunks: readonly Hunk[]) {
    this.#hunks = hunks
  }

  get from(): number {
    return this.#hunks[this.#next]?.fromA ?? Number.POSITIVE_INFINITY
  }

  /** Takes the next hunk; returns where it ends in the base. */
  take(): number {
    const { toA, toB } = this.#hunks[this.#next++]!
    this.growth = toB - toA
    return toA
  }
}

function nextFrom(a: Side, b: Side): number {
  return Math.min(a.from, b.from)
}

interface Range {
  readonly from: number
  readonly to: number
}

interface Region {
  /** Where it ends in the base. */
  readonly to: number
  readonly isOurs: boolean
  readonly isTheirs: boolean
  readonly ours: Range
  readonly theirs: Range
}

/** The region that begins at an index of the base: hunks of both sides that overlap or touch. */
function regionFrom(from: number, a: Side, b: Side): Region {
  const [startA, startB] = [from + a.growth, from + b.growth]
  let to = from
  let isOurs = false
  let isTheirs = false
  for (;;) {
    if (a.from <= to) {
      to = Math.max(to, a.take())
      isOurs = true
    } else if (b.from <= to) {
      to = Math.max(to, b.take())
      isTheirs = true
    } else break
  }
  return {
    to,
    isOurs,
    isTheirs,
    ours: { from: startA, to: to + a.growth },
    theirs: { from: startB, to: to + b.growth },
  }
}

function isEqual(a: Int32Array, inA: Range, b: Int32Array, inB: Range): boolean {
  if (inA.to - inA.from !== inB.to - inB.from) return false
  for (let n = 0; n < inA.to - inA.from; n++) if (a[inA.from + n] !== b[inB.from + n]) return false
  return true
}
