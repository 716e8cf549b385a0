/**
 * The difference of two states as a list of changes with full values.
 *
 * Equal subtrees are skipped unread. Paths are those of the state after; only the last segment of a removed path, and of
 * the path that an element moved from, is an index in the state before. So the changes of one list can be applied in any
 * order, which `apply.ts` does.
 */

import { formatPath, type Stored, userKey } from '../../core/index.ts'
import { alignSteps } from '../alignment/align.ts'
import { containerOfChild } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import { type Child, type ContainerNode, contentOf, familyOf, isSameContent } from '../nodes/node.ts'
import { pausedSteps, pausePoint, type Walk } from '../nodes/walk.ts'
import { valueOfChild } from '../nodes/whole-value.ts'
import { differingElements, differingKeys } from './compare.ts'

export type StoredChange =
  | { readonly op: 'add'; readonly path: string; readonly after: Stored }
  | { readonly op: 'remove'; readonly path: string; readonly before: Stored }
  | { readonly op: 'change'; readonly path: string; readonly before: Stored; readonly after: Stored }
  | { readonly op: 'move'; readonly path: string; readonly from: string; readonly after: Stored }

/** The changes from one child to another, both at `path`; either may be absent. */
export function* diff(
  context: TreeContext,
  a: Child | undefined,
  b: Child | undefined,
  path: readonly string[] = [],
): Walk<StoredChange[]> {
  const changes: StoredChange[] = []
  yield* compare(context, a, b, path, changes)
  return changes
}

function* compare(
  context: TreeContext,
  a: Child | undefined,
  b: Child | undefined,
  path: readonly string[],
  into: StoredChange[],
): Walk<void> {
  if (a === undefined && b === undefined) return
  // A container may hold its parts without links, so that no node is read for them.
  if (context.nodes.isPauseDue?.() === true) yield pausePoint
  if (a === undefined) {
    into.push({ op: 'add', path: formatPath(path), after: yield* valueOfChild(context, b!) })
  } else if (b === undefined) {
    into.push({ op: 'remove', path: formatPath(path), before: yield* valueOfChild(context, a) })
  } else if (!isSameContent(a, b)) {
    const before = yield* containerOfChild(context, a)
    const after = yield* containerOfChild(context, b)
    if (before === undefined || after === undefined || familyOf(before) !== familyOf(after)) {
      const change = { before: yield* valueOfChild(context, a), after: yield* valueOfChild(context, b) }
      into.push({ op: 'change', path: formatPath(path), ...change })
    } else if (familyOf(before).leaf === 'map') {
      yield* compareMaps(context, before, after, path, into)
    } else {
      yield* compareLists(context, before, after, path, into)
    }
  }
}

function* compareMaps(
  context: TreeContext,
  a: ContainerNode,
  b: ContainerNode,
  path: readonly string[],
  into: StoredChange[],
): Walk<void> {
  for (const { key, before, after } of yield* differingKeys(context, a, b)) {
    yield* compare(context, before?.child, after?.child, [...path, userKey(key)], into)
  }
}

function* compareLists(
  context: TreeContext,
  a: ContainerNode,
  b: ContainerNode,
  path: readonly string[],
  into: StoredChange[],
): Walk<void> {
  const { start, before, after } = yield* differingElements(context, a, b)
  const steps = alignSteps(
    before.map(entry => contentOf(entry.child)),
    after.map(entry => contentOf(entry.child)),
  )
  const { matches, kept, replaces, removed } = yield* pausedSteps(context.nodes, steps)
  const at = (index: number): string[] => [...path, String(start + index)]
  for (const i of removed) yield* compare(context, before[i]!.child, undefined, at(i), into)
  for (let j = 0; j < after.length; j++) {
    if (kept[j] === 1) continue
    const { child } = after[j]!
    const same = matches[j]!
    if (same >= 0) {
      const moved = { from: formatPath(at(same)), after: yield* valueOfChild(context, child) }
      into.push({ op: 'move', path: formatPath(at(j)), ...moved })
    } else {
      const replaced = replaces[j]!
      yield* compare(context, replaced >= 0 ? before[replaced]!.child : undefined, child, at(j), into)
    }
  }
}
