/**
 * The plan of a three-way merge of sequences: which element comes next, and from which side.
 *
 * It compares contents only, so lists and the lines of a text are planned alike. Swapping the sides swaps only the names
 * in the plan.
 */

import type { Alignment } from '../alignment/align.ts'
import { alignInOrder } from '../alignment/align-in-order.ts'

export type Step =
  /** An element of the base that both sides have: in place, unchanged or changed, or moved by theirs. */
  | { readonly kind: 'both'; readonly base: number; readonly ours: number; readonly theirs: number }
  | { readonly kind: 'ours'; readonly index: number }
  | { readonly kind: 'theirs'; readonly index: number }

/** What happens where both sides put different elements in one gap. */
export type OnGap = 'conflict' | 'ours-first' | 'theirs-first'

/** What one side did with each base element, and what it inserted. Gap `i + 1` follows base element `i`. */
interface View {
  readonly contents: readonly string[]
  /** By base index: its index in the side, or -1 when it is not in place. */
  readonly inPlace: Int32Array
  /** By base index: the gap it was moved to, else -1. */
  readonly movedTo: Int32Array
  /** By base index: the index in the side that it was moved to, else -1. */
  readonly movedAt: Int32Array
  /** By the side's index: the base element that was moved there, else -1. */
  readonly movedFrom: Int32Array
  /** By base index: 1 when the element may be removed rather than changed, because its gap lost more than it gained. */
  readonly isDoubtful: Uint8Array
  /** By gap: the indexes of the side's elements in it. */
  readonly inserted: readonly (readonly number[])[]
}

/** Returns undefined when the sides conflict. */
export function planMerge(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  onGap: OnGap,
): Step[] | undefined {
  const a = viewOf(base.length, ours, alignInOrder(base, ours))
  const b = viewOf(base.length, theirs, alignInOrder(base, theirs))
  if (isMovedApart(a, b)) return undefined
  const steps: Step[] = []
  for (let i = -1; i < base.length; i++) {
    if (i >= 0 && !planElement(i, base[i]!, a, b, steps)) return undefined
    const gap = planGap(i + 1, a, b, onGap)
    if (gap === undefined) return undefined
    for (const step of gap) steps.push(step)
  }
  return steps
}

/** Plans one base element; false when one side removed it, or may have, and the other changed or moved it. */
function planElement(i: number, content: string, a: View, b: View, steps: Step[]): boolean {
  const j = a.inPlace[i]!
  const k = b.inPlace[i]!
  if (j >= 0 && k >= 0) {
    const [mine, yours] = [a.contents[j], b.contents[k]]
    const isDoubtful = (a.isDoubtful[i] === 1 && yours !== content) || (b.isDoubtful[i] === 1 && mine !== content)
    if (isDoubtful && mine !== yours) return false
    steps.push({ kind: 'both', base: i, ours: j, theirs: k })
    return true
  }
  if (j < 0 && k < 0) return a.movedTo[i]! >= 0 === b.movedTo[i]! >= 0
  // One side has it in place: the other may remove or move it only if it is unchanged there.
  return j >= 0 ? a.contents[j] === content : b.contents[k] === content
}

/** Plans one gap; undefined when it is a conflict. */
function planGap(gap: number, a: View, b: View, onGap: OnGap): Step[] | undefined {
  const [mine, yours] = [a.inserted[gap]!, b.inserted[gap]!]
  const isSame = (j: number, k: number): boolean => a.contents[j] === b.contents[k] && a.movedFrom[j] === b.movedFrom[k]
  const isEqual = mine.length === yours.length && mine.every((j, n) => isSame(j, yours[n]!))
  if (!isEqual && onGap === 'conflict' && mine.length > 0 && yours.length > 0) return undefined
  if (isEqual) return mine.map(ourStep)
  return woven(mine, yours, a, b, onGap)
}

/**
 * Both sides' elements of a gap, one side's before the other's. An element that both moved there appears once, between
 * the elements that either side has before and after it. Undefined when the sides have such elements in different orders.
 */
function woven(mine: readonly number[], yours: readonly number[], a: View, b: View, onGap: OnGap): Step[] | undefined {
  const isMovedByBoth = (from: number): boolean => from >= 0 && a.movedTo[from]! >= 0 && b.movedTo[from]! >= 0
  const [left, right] = [
    [...mine, END],
    [...yours, END],
  ]
  const steps: Step[] = []
  let [m, n] = [0, 0]
  for (;;) {
    const [before, beside]: [Step[], Step[]] = [[], []]
    while (left[m] !== END && !isMovedByBoth(a.movedFrom[left[m]!]!)) before.push(ourStep(left[m++]!))
    while (right[n] !== END && !isMovedByBoth(b.movedFrom[right[n]!]!)) beside.push(theirStep(right[n++]!, a, b))
    const [first, second] = onGap === 'theirs-first' ? [beside, before] : [before, beside]
    for (const step of first) steps.push(step)
    for (const step of second) steps.push(step)
    const [j, k] = [left[m++]!, right[n++]!]
    if (j === END && k === END) return steps
    if (j === END || k === END || a.movedFrom[j] !== b.movedFrom[k]) return undefined
    steps.push(ourStep(j))
  }
}

const END = -1

function ourStep(index: number): Step {
  return { kind: 'ours', index }
}

/** An element of theirs in a gap; a moved one is merged with the element that ours has elsewhere. */
function theirStep(index: number, a: View, b: View): Step {
  const base = b.movedFrom[index]!
  const still = base < 0 ? -1 : Math.max(a.inPlace[base]!, a.movedAt[base]!)
  return still < 0 ? { kind: 'theirs', index } : { kind: 'both', base, ours: still, theirs: index }
}

/** Whether both sides moved one element to different places. */
function isMovedApart(a: View, b: View): boolean {
  return a.movedTo.some((gap, i) => gap >= 0 && b.movedTo[i]! >= 0 && gap !== b.movedTo[i])
}

function viewOf(
  length: number,
  contents: readonly string[],
  { matches, kept, replaces, gaps, removed }: Alignment,
): View {
  const inPlace = new Int32Array(length).fill(-1)
  const movedTo = new Int32Array(length).fill(-1)
  const movedAt = new Int32Array(length).fill(-1)
  const movedFrom = new Int32Array(matches.length).fill(-1)
  const inserted: number[][] = Array.from({ length: length + 1 }, () => [])
  let last = -1
  for (let j = 0; j < matches.length; j++) {
    const from = kept[j] === 1 ? matches[j]! : replaces[j]!
    if (from >= 0) {
      inPlace[from] = j
      last = from
    } else {
      if (matches[j]! >= 0) {
        movedTo[matches[j]!] = last + 1
        movedAt[matches[j]!] = j
        movedFrom[j] = matches[j]!
      }
      inserted[last + 1]!.push(j)
    }
  }
  const isDoubtful = new Uint8Array(length)
  let next = 0
  for (const { fromA, toA } of gaps) {
    if (removed[next] === undefined || removed[next]! >= toA) continue
    isDoubtful.fill(1, fromA, toA)
    while (next < removed.length && removed[next]! < toA) next++
  }
  return { contents, inPlace, movedTo, movedAt, movedFrom, isDoubtful, inserted }
}
