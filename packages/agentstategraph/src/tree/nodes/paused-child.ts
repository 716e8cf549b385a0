/** Children built from values of any size, with pauses where work may pause. */

import { isTagged, type Stored } from '../../core/index.ts'
import { childOf, settled } from './child.ts'
import type { TreeContext } from './context.ts'
import { type Child, type Entry, listFamily, mapFamily, type Writer } from './node.ts'
import { raised } from './sequence.ts'
import { pausePoint, type Walk } from './walk.ts'

/** The same as `childOf`. */
export function* pausedChildOf(context: TreeContext, value: Stored, writer: Writer): Walk<Child> {
  const { nodes } = context
  const isPlain = typeof value !== 'object' || value === null || isTagged(value)
  if (nodes.isPauseDue === undefined || isPlain) return childOf(context, value, writer)
  const entries: Entry[] = []
  for (const [key, inner] of keyed(value)) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    entries.push({ key, child: yield* pausedChildOf(context, inner, writer), writer })
  }
  const family = Array.isArray(value) ? listFamily : mapFamily
  return settled(context, yield* raised(context, family, 0, entries), writer)
}

/** The elements of a list, which have no keys, or the values of a map in the order of its keys. */
function* keyed(value: Stored & object): Iterable<readonly [key: string, value: Stored]> {
  if (Array.isArray(value)) {
    for (const element of value as readonly Stored[]) yield ['', element]
    return
  }
  const map = value as { readonly [key: string]: Stored }
  for (const key of Object.keys(map).sort()) yield [key, map[key]!]
}
