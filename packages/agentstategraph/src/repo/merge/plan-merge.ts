/**
 * Whether plans are still plans after two histories came together.
 *
 * Tasks merge one by one, and each can be right while the plan is not: tasks that wait for each other in a circle, a task
 * that refers to one that is gone, one that is done though it waits, a closed plan with work left. Each becomes a conflict
 * at the places that the sides have differently, to be resolved like any other. Plans that only one side changed are as
 * valid as they were.
 */

import { appendAll, canonicalText, formatPath, parseKnownPath, type Stored, userKey } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import {
  type Child,
  containerOfChild,
  edit,
  entriesOf,
  findEntry,
  isSameContent,
  type Link,
  type Resolution,
  type StoredConflict,
  type TreeContext,
  type Merged as TreeMerge,
  valueOfChild,
} from '../../tree/index.ts'
import { plansKey } from '../state/state.ts'
import { isFinal, planPath } from './plan-record.ts'
import { findCycle, missingIn, type StoredTask, statusOf, tooEarlyIn, waitsOf } from './plan-waits.ts'

interface Sides {
  readonly base: Link
  readonly ours: Link
  readonly theirs: Link
}

/** The merged system root with valid plans, or with what is in the way of that among its conflicts. */
export function* mergedPlans(
  context: TreeContext,
  sides: Sides,
  merged: TreeMerge,
  resolutions: ReadonlyMap<string, Resolution> = new Map(),
): Work<TreeMerge> {
  if (merged.conflicts.length > 0) return merged
  let { root } = merged
  const used = new Set<string>()
  for (;;) {
    const places = yield* faultyPlaces(context, sides, root)
    const next = places.map(formatPath).find(path => resolutions.has(path) && !used.has(path))
    if (next === undefined) {
      const conflicts: StoredConflict[] = []
      for (const place of places) conflicts.push(yield* conflictAt(context, sides, place))
      return { root, conflicts }
    }
    used.add(next)
    root = yield* resolvedAt(context, sides, root, parseKnownPath(next), resolutions.get(next)!)
  }
}

/** The places of all plans that both sides changed at which something must give way. */
function* faultyPlaces(context: TreeContext, { ours, theirs }: Sides, root: Link): Work<(readonly string[])[]> {
  const places: (readonly string[])[] = []
  for (const plan of yield* keysAt(context, root, [plansKey])) {
    if ((yield* isAsIn(context, root, ours, plan)) || (yield* isAsIn(context, root, theirs, plan))) continue
    appendAll(places, yield* faultsOf(context, { ours, theirs }, root, plan))
  }
  return places
}

function* isAsIn(context: TreeContext, root: Link, side: Link, plan: string): Work<boolean> {
  for (const part of ['tasks', 'state']) {
    const merged = yield* childAt(context, root, planPath(plan, part))
    const theirs = yield* childAt(context, side, planPath(plan, part))
    if (merged === undefined || theirs === undefined || !isSameContent(merged, theirs)) return false
  }
  return true
}

function* faultsOf(
  context: TreeContext,
  sides: Pick<Sides, 'ours' | 'theirs'>,
  root: Link,
  plan: string,
): Work<(readonly string[])[]> {
  const tasks = new Map<string, StoredTask>()
  for (const key of yield* keysAt(context, root, planPath(plan, 'tasks'))) {
    tasks.set(key, (yield* valueAt(context, root, planPath(plan, 'tasks', key))) as StoredTask)
  }
  const waits = waitsOf(tasks)
  const missing = missingIn(tasks, waits)
  if (missing.length > 0) return missing.map(({ owner, field }) => planPath(plan, 'tasks', owner, field))
  const cycle = yield* findCycle(waits.keys(), key => waits.get(key) ?? [])
  const suspects = cycle.map(({ owner, field }) => [owner, field])
  for (const { from, to, owner, field } of tooEarlyIn(tasks, waits)) {
    suspects.push([owner, field], [from, 'state'], [to, 'state'])
  }
  const places: (readonly string[])[] = []
  for (const path of new Set(suspects.map(suspect => formatPath(planPath(plan, 'tasks', ...suspect))))) {
    const place = parseKnownPath(path)
    const ours = textOf(yield* valueAt(context, sides.ours, place))
    const theirs = textOf(yield* valueAt(context, sides.theirs, place))
    // A side without the task cannot say where it stands.
    const canDecide = place.at(-1) !== 'state' || (ours !== undefined && theirs !== undefined)
    if (ours !== theirs && canDecide) places.push(place)
  }
  const state = yield* valueAt(context, root, planPath(plan, 'state'))
  const isClosed = statusOf(state) !== 'active'
  if (isClosed && [...tasks.values()].some(task => !isFinal(statusOf(task['state'])))) {
    places.push(planPath(plan, 'state'))
  }
  return places
}

function* conflictAt(context: TreeContext, sides: Sides, place: readonly string[]): Work<StoredConflict> {
  const values: { base?: Stored; ours?: Stored; theirs?: Stored } = {}
  for (const side of ['base', 'ours', 'theirs'] as const) {
    const value = yield* valueAt(context, sides[side], place)
    if (value !== undefined) values[side] = value
  }
  return { path: formatPath(place), ...values }
}

function* resolvedAt(
  context: TreeContext,
  sides: Sides,
  root: Link,
  path: readonly string[],
  resolution: Resolution,
): Work<Link> {
  const taken = typeof resolution === 'string' ? yield* valueAt(context, sides[resolution], path) : resolution.value
  // On a side without the task, nothing blocks it.
  const value = taken ?? (path.at(-1) === 'blockedBy' ? [] : undefined)
  if (value === undefined && path.at(-1) === 'state') return root
  return (yield* edit(context, root, [value === undefined ? { op: 'delete', path } : { op: 'set', path, value }])).root
}

function textOf(value: Stored | undefined): string | undefined {
  return value === undefined ? undefined : canonicalText(value)
}

function* childAt(context: TreeContext, root: Link, path: readonly string[]): Work<Child | undefined> {
  return (yield* findEntry(context, root, path))?.child
}

function* valueAt(context: TreeContext, root: Link, path: readonly string[]): Work<Stored | undefined> {
  const child = yield* childAt(context, root, path)
  return child === undefined ? undefined : yield* valueOfChild(context, child)
}

function* keysAt(context: TreeContext, root: Link, path: readonly string[]): Work<string[]> {
  const child = yield* childAt(context, root, path)
  const container = child === undefined ? undefined : yield* containerOfChild(context, child)
  return container === undefined ? [] : (yield* entriesOf(context, container)).map(({ key }) => userKey(key))
}
