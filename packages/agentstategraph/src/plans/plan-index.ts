/**
 * The index of a plan: ready tasks by priority, leased tasks by the end of their lease, which task waits for which, and the
 * number of open tasks. With it a claim reads one key.
 *
 * The index is derived from the tasks and never stored. It is an immutable tree in memory, so concurrent decisions on different
 * heads do not interfere.
 */

import { appendAll, userKey } from '../core/index.ts'
import { findTaskKey, isFinal, type TaskRecord } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import {
  type ContainerNode,
  containerOfChild,
  type Edit,
  edit,
  entriesOf,
  entryAt,
  findEntry,
  type Link,
  valueOfChild,
} from '../tree/index.ts'
import { findBelow, findTask, type PlanRoot } from './plan-root.ts'
import { priorities } from './task.ts'

/** A plan and the index of its tasks. */
export interface IndexedPlan extends PlanRoot {
  index: Link
}

/** Unassigned tasks, and those assigned to one agent. */
function queueOf(assignee: string | undefined): readonly string[] {
  return assignee === undefined ? ['anyone'] : ['assigned', assignee]
}

const ready = (assignee: string | undefined): readonly string[] => ['ready', ...queueOf(assignee)]
const leased = (assignee: string | undefined): readonly string[] => ['leased', ...queueOf(assignee)]

/** Index keys begin with the sort key and end with the task's key. */
function readyKey(key: string, { priority }: IndexedFields): string {
  return `${(priorities as readonly string[]).indexOf(priority)} ${key}`
}
function taskIn(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1)
}

/** The fields of a task that the index depends on. */
export interface IndexedFields {
  readonly state: ReadonlyMap<string, unknown>
  readonly priority: string
  readonly assignee?: string | undefined
  readonly blockedBy: readonly string[]
  readonly parent?: string | undefined
}

/** The path of a task in the index; undefined when it is neither ready nor leased. */
export function placeIn(key: string, task: IndexedFields, isWaiting: boolean): readonly string[] | undefined {
  const { state, assignee } = task
  const leaseEnds = state.get('leaseEnds') as string | undefined
  if (state.get('status') === 'in-progress' && leaseEnds !== undefined) {
    return [...leased(assignee), `${leaseEnds} ${key}`]
  }
  return state.get('status') !== 'pending' || isWaiting ? undefined : [...ready(assignee), readyKey(key, task)]
}

function* placeOf(root: IndexedPlan, key: string, record: TaskRecord | undefined): Work<readonly string[] | undefined> {
  if (record === undefined) return undefined
  const isPending = record.state.get('status') === 'pending'
  return placeIn(key, record, isPending && (yield* openWaits(root, key, record, 1)).length > 0)
}

/** The tasks that a task still waits for, up to a limit: blockers until they are done, children until they have ended. */
export function* openWaits(
  root: IndexedPlan,
  key: string,
  { blockedBy }: TaskRecord,
  limit: number = Number.POSITIVE_INFINITY,
): Work<string[]> {
  const waits: string[] = []
  for (const id of blockedBy) {
    if (waits.length >= limit) return waits
    const blocker = findTaskKey(id)!
    if ((yield* statusOf(root, blocker)) !== 'done') waits.push(blocker)
  }
  for (const child of yield* childrenOf(root, key)) {
    if (waits.length >= limit) return waits
    if (!isFinal(yield* statusOf(root, child)) && !waits.includes(child)) waits.push(child)
  }
  return waits
}

function* statusOf(root: PlanRoot, key: string): Work<unknown> {
  return ((yield* findBelow(root, ['tasks', key, 'state'])) as TaskRecord['state'] | undefined)?.get('status')
}

export function* childrenOf(plan: IndexedPlan, key: string): Work<string[]> {
  return yield* keysIn(plan, ['children', key])
}

/** The next task that an agent may claim. */
export function* firstReady(root: IndexedPlan, agent: string): Work<string | undefined> {
  let first: string | undefined
  for (const queue of [ready(undefined), ready(agent)]) {
    const key = yield* firstKey(root, queue)
    if (key !== undefined && (first === undefined || key < first)) first = key
  }
  return first === undefined ? undefined : taskIn(first)
}

/** The tasks that an agent may claim whose lease has run out. */
export function* runOut(root: IndexedPlan, agent: string, now: number): Work<string[]> {
  const moment = new Date(now).toISOString()
  const keys: string[] = []
  for (const queue of [leased(undefined), leased(agent)]) {
    appendAll(keys, yield* keysWhile(root, queue, key => key.slice(0, moment.length) <= moment))
  }
  return keys.map(taskIn)
}

export function* openCount({ context, index }: IndexedPlan): Work<number> {
  return (yield* valueOfChild(context, (yield* findEntry(context, index, ['open']))!.child)) as number
}

function* mapIn({ context, index }: IndexedPlan, path: readonly string[]): Work<ContainerNode | undefined> {
  const entry = yield* findEntry(context, index, path)
  return entry === undefined ? undefined : yield* containerOfChild(context, entry.child)
}

function* keysIn(plan: IndexedPlan, path: readonly string[]): Work<string[]> {
  const map = yield* mapIn(plan, path)
  return map === undefined ? [] : (yield* entriesOf(plan.context, map)).map(({ key }) => userKey(key))
}

/** The first key of a map of the index. */
function* firstKey(plan: IndexedPlan, path: readonly string[]): Work<string | undefined> {
  const map = yield* mapIn(plan, path)
  const entry = map === undefined ? undefined : yield* entryAt(plan.context, map, 0)
  return entry === undefined ? undefined : userKey(entry.key)
}

/** The first keys of a map of the index, in order, as long as a test holds. */
function* keysWhile(plan: IndexedPlan, path: readonly string[], isWanted: (key: string) => boolean): Work<string[]> {
  const keys: string[] = []
  const map = yield* mapIn(plan, path)
  for (;;) {
    const entry = map && (yield* entryAt(plan.context, map, keys.length))
    if (entry === undefined || !isWanted(userKey(entry.key))) return keys
    keys.push(userKey(entry.key))
  }
}

/** The index of a plan, from the index before and the tasks that differ. */
export function* indexAfter(before: IndexedPlan, now: PlanRoot, keys: readonly string[]): Work<Link> {
  const places = new Map<string, readonly string[] | undefined>()
  const edits: Edit[] = []
  let open = yield* openCount(before)
  for (const key of keys) {
    const was = yield* findTask(before, key)
    const is = yield* findTask(now, key)
    open += Number(isOpen(is)) - Number(isOpen(was))
    appendAll(edits, waitEdits(key, was, is))
    for (const near of yield* affectedBy(before, key, was, is)) {
      if (!places.has(near)) places.set(near, yield* placeOf(before, near, yield* findTask(before, near)))
    }
  }
  edits.push({ op: 'set', path: ['open'], value: open })
  const index = yield* editedIndex(now, before.index, edits)
  const moves: Edit[] = []
  for (const [key, from] of places) {
    const to = yield* placeOf({ ...now, index }, key, yield* findTask(now, key))
    if (from?.join(' ') === to?.join(' ')) continue
    if (from !== undefined) moves.push({ op: 'delete', path: from })
    if (to !== undefined) moves.push({ op: 'set', path: to, value: 1 })
  }
  return yield* editedIndex(now, index, moves)
}

function* editedIndex({ context }: PlanRoot, index: Link, edits: readonly Edit[]): Work<Link> {
  return (yield* edit({ ...context, encryption: undefined }, index, edits)).root
}

function isOpen(record: TaskRecord | undefined): boolean {
  return record !== undefined && !isFinal(record.state.get('status'))
}

/** The tasks whose index path depends on this one: itself, and the tasks that wait for it when it is added, removed or ends. */
function* affectedBy(
  before: IndexedPlan,
  key: string,
  was: TaskRecord | undefined,
  is: TaskRecord | undefined,
): Work<string[]> {
  const [from, to] = [was?.state.get('status'), is?.state.get('status')]
  if (was !== undefined && is !== undefined && (from === to || !(isFinal(from) || isFinal(to)))) return [key]
  const parents = [was?.parent, is?.parent].filter(parent => parent !== undefined)
  return [key, ...parents.map(parent => findTaskKey(parent)!), ...(yield* keysIn(before, ['blocks', key]))]
}

/** The edits of the wait-for edges. */
function waitEdits(key: string, was: TaskRecord | undefined, is: TaskRecord | undefined): Edit[] {
  const edgesOf = (record: TaskRecord | undefined): string[][] => [
    ...(record?.blockedBy ?? []).map(id => ['blocks', findTaskKey(id)!, key]),
    ...(record?.parent === undefined ? [] : [['children', findTaskKey(record.parent)!, key]]),
  ]
  const [old, now] = [edgesOf(was), edgesOf(is)]
  const isIn = (edges: string[][], edge: string[]): boolean => edges.some(one => one.join() === edge.join())
  return [
    ...old.filter(edge => !isIn(now, edge)).map((path): Edit => ({ op: 'delete', path })),
    ...now.filter(edge => !isIn(old, edge)).map((path): Edit => ({ op: 'set', path, value: 1 })),
  ]
}
