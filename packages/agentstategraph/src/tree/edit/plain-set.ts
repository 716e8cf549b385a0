/**
 * The fast path for the most frequent edit: one scalar in maps becomes another, and all nodes on the way are in memory.
 *
 * It gives what `edit` gives, or undefined, and then `edit` walks. Nearly every write runs this, so it uses no generator.
 */

import { storedKey } from '../../core/index.ts'
import { childOf, placeInLeaf, settled } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import {
  type Child,
  entryOf,
  isSameContent,
  type Link,
  type MapNode,
  mapNode,
  type Node,
  writerOf,
} from '../nodes/node.ts'
import { findPatch, freshLink } from '../nodes/node-text.ts'
import type { Edit } from './edits.ts'

/** The root after an edit; the same root when nothing changes. */
export function findPlainSet(context: TreeContext, root: Link, edit: Edit): Link | undefined {
  // Work that may have to pause before it reads a node walks.
  if (edit.op !== 'set' || edit.path.length === 0 || context.nodes.isPauseDue !== undefined) return undefined
  const child = setBelow(context, root, edit, 0, root.fresh === undefined)
  if (child === undefined || child.kind === 'link') return child
  return child.kind === 'held' ? freshLink(child.node) : undefined
}

type SetEdit = Extract<Edit, { readonly op: 'set' | 'insert' }>

/** `isStored` says that the root is stored, and so is everything below it. */
function setBelow(
  context: TreeContext,
  child: Child,
  edit: SetEdit,
  depth: number,
  isStored: boolean,
): Child | undefined {
  const map = mapInMemory(context, child)
  if (map === undefined) return undefined
  const { index, entry } = placeInLeaf(map, 0, storedKey(edit.path[depth]!))
  if (entry === undefined) return undefined
  const before = entry.child
  const after =
    depth === edit.path.length - 1
      ? scalarAfter(context, before, edit)
      : setBelow(context, before, edit, depth + 1, isStored)
  if (after === undefined) return undefined
  if (after === before) return child
  const changed = entryOf(entry.key, after, writerOf(0, edit.draft ?? 0))
  const patch = isStored && child.kind === 'link' ? findPatch(map, index, changed) : undefined
  return settled(context, mapNode(map.entries.with(index, changed)), undefined, patch)
}

function mapInMemory({ nodes }: TreeContext, child: Child): MapNode | undefined {
  if (child.kind === 'leaf') return undefined
  const node: Node | undefined = child.kind === 'held' ? child.node : (child.fresh?.node ?? nodes.find(child))
  return node?.kind === 'map' ? node : undefined
}

function scalarAfter(context: TreeContext, before: Child, { value, draft = 0 }: SetEdit): Child | undefined {
  if (before.kind !== 'leaf') return undefined
  const after = childOf(context, value, writerOf(0, draft))
  return isSameContent(before, after) ? before : after
}
