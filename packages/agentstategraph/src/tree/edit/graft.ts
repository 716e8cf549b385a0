/**
 * Grafts a new value onto an old one: parts that are equal keep the nodes, pointers and writers of the old one.
 *
 * A path's writer changes only where its value does. A merge result grafted onto `theirs` and then onto `ours` gets the
 * writers that the definition asks for: those of the first parent with an equal value.
 */

import { userKey } from '../../core/index.ts'
import { alignSteps } from '../alignment/align.ts'
import { differingElements, differingKeys } from '../diff/compare.ts'
import { settled } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import { reusePieces } from '../nodes/long.ts'
import {
  type BranchNode,
  type Child,
  type ContainerNode,
  contentOf,
  type Entry,
  entryOf,
  familyOf,
  isContainer,
  isSameContent,
  type Node,
} from '../nodes/node.ts'
import { type Splice, spliced } from '../nodes/sequence.ts'
import { nodeOf, pausedSteps, pausePoint, type Walk } from '../nodes/walk.ts'

/** Called with each changed path: the deepest at which old and new differ as a whole. */
export type OnChanged = (path: readonly string[]) => void

/** A child with the value of `fresh` and the nodes of `old` wherever they are equal; `old` itself when all is equal. */
export function* graft(
  context: TreeContext,
  old: Child,
  fresh: Child,
  path: readonly string[],
  onChanged: OnChanged,
): Walk<Child> {
  if (isSameContent(old, fresh)) return old
  const before = yield* nodeOfChild(context, old)
  const after = yield* nodeOfChild(context, fresh)
  if (before === undefined || after === undefined || !isSameKind(before, after)) {
    onChanged(path)
    return fresh
  }
  if (!isContainer(before) || !isContainer(after)) {
    if ('items' in before && 'items' in after) yield* reusePieces(context, before as BranchNode, after as BranchNode)
    onChanged(path)
    return fresh
  }
  return settled(context, yield* graftContainer(context, before, after, path, onChanged))
}

/** Grafts a container onto another of the same kind. */
function* graftContainer(
  context: TreeContext,
  before: ContainerNode,
  after: ContainerNode,
  path: readonly string[],
  onChanged: OnChanged,
): Walk<ContainerNode> {
  return familyOf(before).leaf === 'map'
    ? yield* graftMap(context, before, after, path, onChanged)
    : yield* graftList(context, before, after, path, onChanged)
}

function* graftMap(
  context: TreeContext,
  old: ContainerNode,
  fresh: ContainerNode,
  path: readonly string[],
  onChanged: OnChanged,
): Walk<ContainerNode> {
  const splices: Splice[] = []
  for (const { key, index, before, after } of yield* differingKeys(context, old, fresh)) {
    if (context.nodes.isPauseDue?.() === true) yield pausePoint
    const at = [...path, userKey(key)]
    if (before === undefined || after === undefined) {
      onChanged(at)
      splices.push({
        from: index,
        to: before === undefined ? index : index + 1,
        items: after === undefined ? [] : [after],
      })
    } else {
      const child = yield* graft(context, before.child, after.child, at, onChanged)
      splices.push({ from: index, to: index + 1, items: [entryOf(key, child, after.writer)] })
    }
  }
  return yield* spliced(context, old, splices)
}

function* graftList(
  context: TreeContext,
  old: ContainerNode,
  fresh: ContainerNode,
  path: readonly string[],
  onChanged: OnChanged,
): Walk<ContainerNode> {
  const { start, before, after } = yield* differingElements(context, old, fresh)
  const steps = alignSteps(before.map(contentOfEntry), after.map(contentOfEntry))
  const { matches, replaces, gaps, removed } = yield* pausedSteps(context.nodes, steps)
  for (const i of removed) onChanged([...path, String(start + i)])
  const splices: Splice[] = []
  for (const { fromA, toA, fromB, toB } of gaps) {
    const items: Entry[] = []
    for (let j = fromB; j < toB; j++) {
      if (context.nodes.isPauseDue?.() === true) yield pausePoint
      const at = [...path, String(start + j)]
      const entry = after[j]!
      const same = matches[j]!
      const replaced = replaces[j]!
      if (same >= 0) {
        onChanged(at)
        items.push(before[same]!)
      } else if (replaced >= 0) {
        const child = yield* graft(context, before[replaced]!.child, entry.child, at, onChanged)
        items.push(entryOf('', child, entry.writer))
      } else {
        onChanged(at)
        items.push(entry)
      }
    }
    splices.push({ from: start + fromA, to: start + toA, items })
  }
  return yield* spliced(context, old, splices)
}

function contentOfEntry(entry: Entry): string {
  return contentOf(entry.child)
}

function* nodeOfChild(context: TreeContext, child: Child): Walk<Node | undefined> {
  if (child.kind === 'leaf') return undefined
  return child.kind === 'held' ? child.node : yield* nodeOf(context.nodes, child)
}

function isSameKind(a: Node, b: Node): boolean {
  if (isContainer(a)) return isContainer(b) && familyOf(a) === familyOf(b)
  return a.kind === b.kind
}
