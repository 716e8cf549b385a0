/** A container with some of its entries replaced or left out. It looks at each entry once, and pauses between them where it may. */

import type { TreeContext } from '../nodes/context.ts'
import { type Child, type ContainerNode, countOf, type Entry, entryOf } from '../nodes/node.ts'
import { leafAt, type Splice, spliced } from '../nodes/sequence.ts'
import { pausePoint, type Walk } from '../nodes/walk.ts'

/** What takes the place of an entry's child: that itself, another, or nothing. */
export type Replacing = (entry: Entry, index: number) => Walk<Child | undefined>

/** The container itself when nothing in it is replaced. */
export function* withEntries(
  context: TreeContext,
  container: ContainerNode,
  replacing: Replacing,
): Walk<ContainerNode> {
  const splices: Splice[] = []
  let changed: { from: number; items: Entry[] } | undefined
  let index = 0
  while (index < countOf(container)) {
    for (const entry of (yield* leafAt(context, container, index)).entries) {
      if (context.nodes.isPauseDue?.() === true) yield pausePoint
      const child = yield* replacing(entry, index)
      if (child === entry.child) {
        if (changed !== undefined) splices.push({ ...changed, to: index })
        changed = undefined
      } else {
        changed ??= { from: index, items: [] }
        if (child !== undefined) changed.items.push(entryOf(entry.key, child, entry.writer))
      }
      index++
    }
  }
  if (changed !== undefined) splices.push({ ...changed, to: index })
  return splices.length === 0 ? container : yield* spliced(context, container, splices)
}
