/** Children built from values of any size, with pauses where work may pause. */

import { isTagged, type Stored } from '../../core/index.ts'
import { childOf, settled } from './child.ts'
import type { TreeContext } from './context.ts'
import { type Child, type Entry, listFamily, mapFamily, type Writer } from './node.ts'
import { raised } from './sequence.ts'
import { pausePoint, type Walk } from './walk.ts'

/** Work pauses after so many keys were listed. */
const MANY = 1000

/** The same as `childOf`. */
export function* pausedChildOf(context: TreeContext, value: Stored, writer: Writer): Walk<Child> {
  const { nodes } = context
  const isPlain = typeof value !== 'object' || value === null || isTagged(value)
  if (nodes.isPauseDue === undefined || isPlain) return childOf(context, value, writer)
  const entries: Entry[] = []
  const isList = Array.isArray(value)
  const places: readonly string[] | readonly number[] = isList ? [...value.keys()] : yield* sortedKeys(value)
  const parts = value as unknown as { readonly [place: string | number]: Stored }
  for (const place of places) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    const child = yield* pausedChildOf(context, parts[place]!, writer)
    entries.push({ key: isList ? '' : (place as string), child, writer })
  }
  return settled(context, yield* raised(context, isList ? listFamily : mapFamily, 0, entries), writer)
}

/** The keys of a map. To list many and to sort them takes long each. */
function* sortedKeys(map: object): Walk<string[]> {
  const keys = Object.keys(map)
  if (keys.length > MANY) yield pausePoint
  keys.sort()
  if (keys.length > MANY) yield pausePoint
  return keys
}
