/**
 * One plan in a system root: read by path, and changed in memory until it lands.
 *
 * A read costs what it asks for, whatever the size of the plan. The meaning of the parts is not known here.
 */

import { encode, userKey } from '../core/index.ts'
import { decodeValue, planPath, type TaskRecord } from '../repo/index.ts'
import type { Journal, Work } from '../store/index.ts'
import {
  type ContainerNode,
  containerOfChild,
  type Edit,
  edit,
  entriesOf,
  findEntry,
  type Link,
  type TreeContext,
  valueOfChild,
} from '../tree/index.ts'

export interface PlanRoot {
  readonly journal: Journal
  readonly context: TreeContext
  readonly plan: string
  system: Link
}

export function planRoot(journal: Journal, plan: string, system: Link): PlanRoot {
  return { journal, context: journal.context, plan, system }
}

/** Applies edits to the plan. */
export function* amend(root: PlanRoot, edits: readonly Edit[]): Work<void> {
  if (edits.length === 0) return
  root.system = (yield* edit(root.context, root.system, edits)).root
}

export function setAt({ context, plan }: PlanRoot, below: readonly string[], value: unknown): Edit {
  const path = planPath(plan, ...below)
  return { op: 'set', path, value: encode(value, { at: path, classes: context.classes }) }
}

export function deleteAt({ plan }: PlanRoot, below: readonly string[]): Edit {
  return { op: 'delete', path: planPath(plan, ...below) }
}

/** The value below the plan, or undefined. */
export function* findBelow({ context, plan, system }: PlanRoot, below: readonly string[]): Work<unknown> {
  const path = planPath(plan, ...below)
  const entry = yield* findEntry(context, system, path)
  return entry === undefined ? undefined : decodeValue(context, yield* valueOfChild(context, entry.child), path)
}

export function* findTask(root: PlanRoot, key: string): Work<TaskRecord | undefined> {
  return (yield* findBelow(root, ['tasks', key])) as TaskRecord | undefined
}

/** The container below the plan; undefined when there is none. */
export function* containerBelow(
  { context, plan, system }: PlanRoot,
  below: readonly string[],
): Work<ContainerNode | undefined> {
  const entry = yield* findEntry(context, system, planPath(plan, ...below))
  return entry === undefined ? undefined : yield* containerOfChild(context, entry.child)
}

export function* keysBelow(root: PlanRoot, below: readonly string[]): Work<string[]> {
  const map = yield* containerBelow(root, below)
  return map === undefined ? [] : (yield* entriesOf(root.context, map)).map(({ key }) => userKey(key))
}
