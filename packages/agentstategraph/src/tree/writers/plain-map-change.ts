/**
 * The fast path for the most frequent change: some scalars in maps, or a value where none was, on one parent whose nodes are in memory.
 *
 * It proves that the writers are right and returns the changed paths, or it returns undefined and the full walk runs. Every
 * commit runs this, so it uses no generator and allocates nothing but the paths.
 */

import { userKey } from '../../core/index.ts'
import {
  type Child,
  type Entry,
  type Item,
  isSameChild,
  isSameContent,
  isSamePlace,
  type MapNode,
  type Node,
  seqOfWriter,
} from '../nodes/node.ts'
import type { Nodes } from '../nodes/walk.ts'

/** How many paths may change where work may pause: this walk does not, and the full one does. */
const MOST_UNPAUSED = 256

/** The changed paths, when only scalars and new values in maps differ from `before` and their writers are right. */
export function findPlainChanges(nodes: Nodes, root: Child, before: Child): (readonly string[])[] | undefined {
  const changed: (readonly string[])[] = []
  return isPlain(nodes, root, before, [], changed) ? changed : undefined
}

function isPlain(
  nodes: Nodes,
  own: Child,
  before: Child,
  path: readonly string[],
  changed: (readonly string[])[],
): boolean {
  if (isSameChild(own, before)) return true
  if (changed.length > MOST_UNPAUSED && nodes.isPauseDue !== undefined) return false
  const mine = newNode(own)
  const theirs = nodeInMemory(nodes, before)
  const patch = own.kind === 'link' ? own.fresh?.patch : undefined
  if (patch !== undefined && patch.base === theirs) {
    const { index } = patch
    return isPlainEntry(nodes, (mine as MapNode).entries[index]!, theirs.entries[index]!, path, changed)
  }
  if (mine?.kind === 'map') return theirs?.kind === 'map' && isPlainLeaf(nodes, mine, theirs, path, changed)
  if (mine?.kind !== 'maps' || theirs?.kind !== 'maps' || mine.level !== theirs.level) return false
  return isPlainBranch(nodes, mine.items, theirs.items, path, changed)
}

/** The node of this commit: one of another state is left to the full walk, because it may not be stored any more. */
function newNode(child: Child): Node | undefined {
  if (child.kind === 'link') return child.fresh?.node
  return child.kind === 'held' ? child.node : undefined
}

function nodeInMemory(nodes: Nodes, child: Child): Node | undefined {
  if (child.kind === 'link') return child.fresh?.node ?? nodes.find(child)
  return child.kind === 'held' ? child.node : undefined
}

function isPlainBranch(
  nodes: Nodes,
  mine: readonly Item[],
  theirs: readonly Item[],
  path: readonly string[],
  changed: (readonly string[])[],
): boolean {
  if (mine.length !== theirs.length) return false
  for (let i = 0; i < mine.length; i++) {
    const x = mine[i]!
    const y = theirs[i]!
    if (x === y || isSamePlace(x.link, y.link)) continue
    if (x.first !== y.first || !isPlain(nodes, x.link, y.link, path, changed)) return false
  }
  return true
}

function isPlainLeaf(
  nodes: Nodes,
  { entries: mine }: MapNode,
  { entries: theirs }: MapNode,
  path: readonly string[],
  changed: (readonly string[])[],
): boolean {
  let j = 0
  for (let i = 0; i < mine.length; i++) {
    const own = mine[i]!
    while (j < theirs.length && theirs[j]!.key < own.key) changed.push([...path, userKey(theirs[j++]!.key)])
    const before = theirs[j]?.key === own.key ? theirs[j++] : undefined
    if (own !== before && !isPlainEntry(nodes, own, before, path, changed)) return false
  }
  for (; j < theirs.length; j++) changed.push([...path, userKey(theirs[j]!.key)])
  return true
}

function isPlainEntry(
  nodes: Nodes,
  own: Entry,
  before: Entry | undefined,
  path: readonly string[],
  changed: (readonly string[])[],
): boolean {
  if (before !== undefined && isSameContent(own.child, before.child)) {
    return own.writer === before.writer && isSameChild(own.child, before.child)
  }
  if (seqOfWriter(own.writer) !== 0) return false
  const at = [...path, userKey(own.key)]
  if (own.child.kind !== 'leaf' && !isNewValue(own.child, before))
    return before !== undefined && isPlain(nodes, own.child, before.child, at, changed)
  changed.push(at)
  return true
}

/** Whether one value was written where no container was, so that everything in it is of this commit. */
function isNewValue(child: Child, before: Entry | undefined): boolean {
  const by = child.kind === 'link' ? child.fresh?.by : undefined
  return by !== undefined && seqOfWriter(by) === 0 && (before === undefined || before.child.kind === 'leaf')
}
