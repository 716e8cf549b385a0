/**
 * Where two containers differ, found without reading what they share.
 *
 * Both are walked side by side. Subtrees with one id are skipped unread, so the cost follows the difference and not the
 * size.
 */

import type { TreeContext } from '../nodes/context.ts'
import { type ContainerNode, countOf, type Entry, type Item, isSameContent } from '../nodes/node.ts'
import { partsOf } from '../nodes/sequence.ts'
import { nodeOf, type Walk } from '../nodes/walk.ts'

type Part = Entry | Item

/** A key whose entries differ, and its index among the entries of `a`. */
export interface KeyDifference {
  readonly key: string
  readonly index: number
  readonly before: Entry | undefined
  readonly after: Entry | undefined
}

/** The keys at which two maps differ, in order. */
export function* differingKeys(context: TreeContext, a: ContainerNode, b: ContainerNode): Walk<KeyDifference[]> {
  const differences: KeyDifference[] = []
  const left = stackOf(a, false)
  const right = stackOf(b, false)
  let index = 0
  for (;;) {
    const x = left.at(-1)
    const y = right.at(-1)
    if (x === undefined && y === undefined) return differences
    if (x !== undefined && y !== undefined && 'link' in x && 'link' in y && x.link.id === y.link.id) {
      left.pop()
      right.pop()
      index += x.count
      continue
    }
    const order = x === undefined ? 1 : y === undefined ? -1 : compareText(keyOf(x), keyOf(y))
    // The part with the smaller key is opened first; of two with one key, the larger part.
    if (x !== undefined && 'link' in x && (order < 0 || (order === 0 && isAtLeastAsTall(x, y)))) {
      yield* open(context, left, false)
    } else if (y !== undefined && 'link' in y && order >= 0) {
      yield* open(context, right, false)
    } else if (order < 0) {
      left.pop()
      differences.push({ key: keyOf(x!), index, before: x as Entry, after: undefined })
      index++
    } else if (order > 0) {
      right.pop()
      differences.push({ key: keyOf(y!), index, before: undefined, after: y as Entry })
    } else {
      left.pop()
      right.pop()
      const before = x as Entry
      const after = y as Entry
      if (!isSameContent(before.child, after.child)) differences.push({ key: before.key, index, before, after })
      index++
    }
  }
}

/** What two lists do not share: how many elements are equal at the start, and those between the equal start and end. */
export interface ListDifference {
  readonly start: number
  readonly before: readonly Entry[]
  readonly after: readonly Entry[]
}

export function* differingElements(context: TreeContext, a: ContainerNode, b: ContainerNode): Walk<ListDifference> {
  const lengthA = countOf(a)
  const lengthB = countOf(b)
  const shorter = Math.min(lengthA, lengthB)
  const start = yield* sharedRun(context, a, b, shorter, false)
  const end = yield* sharedRun(context, a, b, shorter - start, true)
  return {
    start,
    before: yield* elementsOf(context, a, start, lengthA - end),
    after: yield* elementsOf(context, b, start, lengthB - end),
  }
}

/** How many elements are equal from one end, at most `max`. */
function* sharedRun(
  context: TreeContext,
  a: ContainerNode,
  b: ContainerNode,
  max: number,
  fromEnd: boolean,
): Walk<number> {
  const left = stackOf(a, fromEnd)
  const right = stackOf(b, fromEnd)
  let run = 0
  while (run < max) {
    const x = left.at(-1)!
    const y = right.at(-1)!
    if ('link' in x && 'link' in y && x.link.id === y.link.id && run + x.count <= max) {
      left.pop()
      right.pop()
      run += x.count
    } else if ('link' in x && isAtLeastAsTall(x, y)) {
      yield* open(context, left, fromEnd)
    } else if ('link' in y) {
      yield* open(context, right, fromEnd)
    } else {
      if (!isSameContent((x as Entry).child, (y as Entry).child)) break
      left.pop()
      right.pop()
      run++
    }
  }
  return run
}

/** The elements of a range, reading no leaf outside it. */
export function* elementsOf(context: TreeContext, root: ContainerNode, from: number, to: number): Walk<Entry[]> {
  const elements: Entry[] = []
  let at = 0
  const stack = stackOf(root, false)
  while (stack.length > 0 && at < to) {
    const part = stack.at(-1)!
    const count = 'count' in part ? part.count : 1
    if (at + count <= from) {
      stack.pop()
      at += count
    } else if ('link' in part) {
      yield* open(context, stack, false)
    } else {
      stack.pop()
      elements.push(part as Entry)
      at++
    }
  }
  return elements
}

function stackOf(root: ContainerNode, fromEnd: boolean): Part[] {
  return fromEnd ? [...partsOf(root)] : partsOf(root).toReversed()
}

/** Replaces the part on top of a stack by its own parts. */
function* open(context: TreeContext, stack: Part[], fromEnd: boolean): Walk<void> {
  const item = stack.pop() as Item
  const parts = partsOf((yield* nodeOf(context.nodes, item.link)) as ContainerNode)
  if (fromEnd) for (const part of parts) stack.push(part)
  else for (let i = parts.length - 1; i >= 0; i--) stack.push(parts[i]!)
}

/** Whether a node has as many elements as the part beside it, so that opening it first keeps both in step. */
export function isAtLeastAsTall(x: Item, y: Part | undefined): boolean {
  return y === undefined || !('link' in y) || x.count >= y.count
}

/** The first key of a part. */
export function keyOf(part: Part): string {
  return 'key' in part ? part.key : part.first
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
