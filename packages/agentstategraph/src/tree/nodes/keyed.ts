/**
 * Maps as sequences ordered by key: where a key is, or would be.
 */

import type { TreeContext } from './context.ts'
import type { BranchNode, Entry, MapNode } from './node.ts'
import { nodeOf, type Walk } from './walk.ts'

export type MapRoot = MapNode | BranchNode

/** The index of a key among a map's entries, and its entry when the map has it. */
export interface KeyPlace {
  readonly index: number
  readonly entry: Entry | undefined
}

export function* placeOfKey(context: TreeContext, root: MapRoot, key: string): Walk<KeyPlace> {
  let node = root
  let start = 0
  while ('items' in node) {
    const at = Math.max(0, firstAfter(node.items.length, i => (node as BranchNode).items[i]!.first > key) - 1)
    for (let i = 0; i < at; i++) start += node.items[i]!.count
    node = (yield* nodeOf(context.nodes, node.items[at]!.link)) as MapRoot
  }
  return placeInLeaf(node, start, key)
}

/** The place of a key in a leaf whose first entry has the index `start`. */
export function placeInLeaf({ entries }: MapNode, start: number, key: string): KeyPlace {
  const after = firstAfter(entries.length, i => entries[i]!.key > key)
  const entry = entries[after - 1]
  return entry?.key === key ? { index: start + after - 1, entry } : { index: start + after, entry: undefined }
}

/** Binary search: the first index for which `isAfter` holds, which is false before it and true from it on. */
function firstAfter(length: number, isAfter: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAfter(middle)) high = middle
    else low = middle + 1
  }
  return low
}
