/** Finds the origin of a list element in parents after the first. docs/format.md has the rule, under "Writers". */

import type { ListAlignment, Piece } from '../diff/align-lists.ts'
import type { TreeContext } from '../nodes/context.ts'
import type { ContainerNode, Entry, Item } from '../nodes/node.ts'
import { entryAt } from '../nodes/sequence.ts'
import { nodeOf, type Walk } from '../nodes/walk.ts'
import type { Befores } from './own-writers.ts'

export interface ElementOrigin {
  /** The equal element of the first parent that has one. */
  readonly equal: Entry | undefined
  /** Without an equal element: for each parent, the element that was changed into this one. */
  readonly replaced: Befores<Entry>
}

/** Finds the origin of the element at an index, from the alignments of its list with those of later parents. */
export function* elementOrigin(
  context: TreeContext,
  later: Befores<ListAlignment>,
  index: number,
): Walk<ElementOrigin> {
  const replaced: (Entry | undefined)[] = []
  for (const aligned of later) {
    const j = aligned === undefined ? -1 : pieceAt(aligned.b, index)
    const same = aligned?.a[aligned.matches[j]!]
    const equal = same && (yield* elementIn(context, same.part, index - aligned!.b[j]!.at))
    if (equal !== undefined) return { equal, replaced: [] }
    replaced.push(aligned?.a[aligned.replaces[j]!]?.part as Entry | undefined)
  }
  return { equal: undefined, replaced }
}

/** The piece that holds an element. */
function pieceAt(pieces: readonly Piece[], index: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (pieces[middle]!.at <= index) low = middle + 1
    else high = middle
  }
  return low - 1
}

function* elementIn(context: TreeContext, part: Entry | Item, index: number): Walk<Entry | undefined> {
  if (!('link' in part)) return part
  return yield* entryAt(context, (yield* nodeOf(context.nodes, part.link)) as ContainerNode, index)
}
