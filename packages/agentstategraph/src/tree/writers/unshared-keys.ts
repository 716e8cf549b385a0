/**
 * Finds the keys whose entries two maps do not share, without reading shared nodes.
 *
 * Unlike `differingKeys` this compares pointers, not contents: an equal entry that is stored elsewhere may have other
 * writers, so it is included.
 */

import type { OnLink } from '../diff/align-lists.ts'
import { compareText, isAtLeastAsTall, keyOf } from '../diff/compare.ts'
import type { TreeContext } from '../nodes/context.ts'
import { type ContainerNode, type Entry, type Item, isSameChild, isSamePlace, type Link } from '../nodes/node.ts'
import { partsOf } from '../nodes/sequence.ts'
import { nodeOf, type Walk } from '../nodes/walk.ts'

type Part = Entry | Item

/** A key whose entry is not shared, and its index among the entries of `own`. */
export interface UnsharedKey {
  readonly key: string
  readonly index: number
  readonly own: Entry | undefined
  readonly before: Entry | undefined
}

/** The keys, in order, whose entries two maps do not share. */
export function* unsharedKeys(
  context: TreeContext,
  own: ContainerNode,
  before: ContainerNode | undefined,
  onLink: OnLink | undefined,
): Walk<readonly UnsharedKey[]> {
  const found: UnsharedKey[] = []
  const mine = partsOf(own).toReversed()
  const theirs = before === undefined ? [] : partsOf(before).toReversed()
  let index = 0
  for (;;) {
    const x = mine.at(-1)
    const y = theirs.at(-1)
    if (x === undefined && y === undefined) return found
    if (x !== undefined && y !== undefined && isSamePart(x, y)) {
      mine.pop()
      theirs.pop()
      index += 'count' in x ? x.count : 1
      continue
    }
    const order = x === undefined ? 1 : y === undefined ? -1 : compareText(keyOf(x), keyOf(y))
    // The part with the smaller key is opened first; of two with one key, the larger part.
    if (x !== undefined && 'link' in x && (order < 0 || (order === 0 && isAtLeastAsTall(x, y)))) {
      yield* open(context, mine, onLink?.own)
    } else if (y !== undefined && 'link' in y && order >= 0) {
      yield* open(context, theirs, onLink?.before)
    } else {
      const entry = order <= 0 ? (mine.pop() as Entry) : undefined
      const older = order >= 0 ? (theirs.pop() as Entry) : undefined
      if (entry?.child.kind === 'link') onLink?.own(entry.child)
      if (older?.child.kind === 'link') onLink?.before(older.child)
      found.push({ key: (entry ?? older)!.key, index, own: entry, before: older })
      if (entry !== undefined) index++
    }
  }
}

function isSamePart(x: Part, y: Part): boolean {
  if (x === y) return true
  if ('link' in x) return 'link' in y && isSamePlace(x.link, y.link)
  return !('link' in y) && x.key === y.key && x.writer === y.writer && isSameChild(x.child, y.child)
}

function* open(context: TreeContext, stack: Part[], onLink: ((link: Link) => void) | undefined): Walk<void> {
  const { link } = stack.pop() as Item
  onLink?.(link)
  const parts = partsOf((yield* nodeOf(context.nodes, link)) as ContainerNode)
  for (let i = parts.length - 1; i >= 0; i--) stack.push(parts[i]!)
}
