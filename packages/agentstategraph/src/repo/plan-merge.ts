/**
 * Whether plans are still plans after two histories came together.
 *
 * Tasks merge one by one, and each can be right while the plan is not: tasks that wait for each other in a circle, a task
 * that refers to one that is gone, a closed plan with work left. Each becomes a conflict at the place that one side
 * changed, to be resolved like any other. Plans that only one side changed are as valid as they were.
 */

import { canonicalText, formatPath, parseKnownPath, type Stored, userKey } from '../core/index.ts'
import type { Work } from '../store/index.ts'
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
} from '../tree/index.ts'
import { findTaskKey, isFinal, planPath, plansKey } from './plan-record.ts'

interface Sides {
  readonly base: Link
  readonly ours: Link
  readonly theirs: Link
}

type StoredTask = { readonly [field: string]: Stored }

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
    places.push(...(yield* faultsOf(context, { ours, theirs }, root, plan)))
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
  const places: (readonly string[])[] = []
  for (const { owner, field } of missingOf(tasks)) places.push(planPath(plan, 'tasks', owner, field))
  if (places.length > 0) return places
  for (const { owner, field } of circleIn(tasks)) {
    const place = planPath(plan, 'tasks', owner, field)
    if (textOf(yield* valueAt(context, sides.ours, place)) !== textOf(yield* valueAt(context, sides.theirs, place)))
      places.push(place)
  }
  const state = yield* valueAt(context, root, planPath(plan, 'state'))
  const isClosed = statusOf(state) !== 'active'
  if (isClosed && [...tasks.values()].some(task => !isFinal(statusOf(task['state'])))) {
    places.push(planPath(plan, 'state'))
  }
  return places
}

/** That one task waits for another: which, and by which field of whose record. */
interface Wait {
  readonly to: string
  readonly owner: string
  readonly field: 'blockedBy' | 'parent'
}

function missingOf(tasks: ReadonlyMap<string, StoredTask>): Wait[] {
  return [...waitsOf(tasks)].flatMap(([from, waits]) => waits.filter(({ to }) => !tasks.has(to) || !tasks.has(from)))
}

/** Whom each task waits for: those that block it, and its children. */
function waitsOf(tasks: ReadonlyMap<string, StoredTask>): Map<string, Wait[]> {
  const waits = new Map<string, Wait[]>()
  const add = (from: string, wait: Wait): void => {
    const known = waits.get(from)
    if (known === undefined) waits.set(from, [wait])
    else known.push(wait)
  }
  for (const [key, task] of tasks) {
    for (const id of task['blockedBy'] as readonly string[]) {
      add(key, { to: findTaskKey(id) ?? id, owner: key, field: 'blockedBy' })
    }
    const parent = task['parent'] as string | undefined
    if (parent !== undefined) add(findTaskKey(parent) ?? parent, { to: key, owner: key, field: 'parent' })
  }
  return waits
}

/** The waits of one circle, when there is one. Without recursion: chains of tasks can be long. */
function circleIn(tasks: ReadonlyMap<string, StoredTask>): Wait[] {
  const waits = waitsOf(tasks)
  const done = new Set<string>()
  for (const start of waits.keys()) {
    const trail: { readonly key: string; readonly by: Wait | undefined; next: number }[] = []
    const onTrail = new Set<string>()
    const enter = (key: string, by: Wait | undefined): void => {
      trail.push({ key, by, next: 0 })
      onTrail.add(key)
    }
    if (!done.has(start)) enter(start, undefined)
    while (trail.length > 0) {
      const at = trail.at(-1)!
      const wait = waits.get(at.key)?.[at.next++]
      if (wait === undefined) {
        done.add(at.key)
        onTrail.delete(at.key)
        trail.pop()
      } else if (onTrail.has(wait.to)) {
        const from = trail.findIndex(({ key }) => key === wait.to)
        return [...trail.slice(from + 1).map(({ by }) => by!), wait]
      } else if (!done.has(wait.to)) {
        enter(wait.to, wait)
      }
    }
  }
  return []
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
  const value = typeof resolution === 'string' ? yield* valueAt(context, sides[resolution], path) : resolution.value
  return (yield* edit(context, root, [value === undefined ? { op: 'delete', path } : { op: 'set', path, value }])).root
}

/** Where a plan or a task stands, from the stored form of a Map. */
function statusOf(state: Stored | undefined): Stored | undefined {
  const { $map: entries = [] } = (state ?? {}) as { readonly $map?: readonly (readonly [Stored, Stored])[] }
  return entries.find(([key]) => key === 'status')?.[1]
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
