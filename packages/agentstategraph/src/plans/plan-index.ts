/**
 * The index of a plan: its ready tasks in the order they are to be done, its leased ones in the order they run out, who
 * waits for whom, and how many are open. It is written in the same commit as each transition, so a claim reads one key.
 *
 * It says of which tasks it was made, by the hash of their map. Tasks that came here by a merge or by going back have
 * another, and then the index is made anew from the tasks.
 */

import { appendAll, formatPath } from '../core/index.ts'
import { findTaskKey, isFinal, planPath, type TaskRecord } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { contentOf, type Edit, findEntry } from '../tree/index.ts'
import {
  amend,
  deleteAt,
  findBelow,
  findTask,
  firstKey,
  keysBelow,
  keysWhile,
  type PlanRoot,
  setAt,
} from './plan-root.ts'
import { priorities, stateOf } from './task.ts'

/** Tasks for anybody, and tasks for one agent. */
function queueOf(assignee: string | undefined): readonly string[] {
  return assignee === undefined ? ['anyone'] : ['assigned', assignee]
}

const ready = (assignee: string | undefined): readonly string[] => ['index', 'ready', ...queueOf(assignee)]
const leased = (assignee: string | undefined): readonly string[] => ['index', 'leased', ...queueOf(assignee)]

/** Keys begin with what they are ordered by and end with the task's key. */
function readyKey(key: string, { priority }: TaskRecord): string {
  return `${(priorities as readonly string[]).indexOf(priority)} ${key}`
}
function leaseKey(key: string, leaseEnds: string): string {
  return `${leaseEnds} ${key}`
}
function taskIn(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1)
}

/** Where a task is in the index; undefined when nobody waits for it to be taken or to run out. */
function* placeOf(root: PlanRoot, key: string, record: TaskRecord | undefined): Work<readonly string[] | undefined> {
  if (record === undefined) return undefined
  const state = stateOf(record)
  if (state.status === 'in-progress' && state.leaseEnds !== undefined) {
    return [...leased(record.assignee), leaseKey(key, state.leaseEnds)]
  }
  if (state.status !== 'pending' || (yield* openWaits(root, key, record, 1)).length > 0) return undefined
  return [...ready(record.assignee), readyKey(key, record)]
}

/** What a task still waits for, up to so many: those that block it until they are done, its children until they end. */
export function* openWaits(
  root: PlanRoot,
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

export function* childrenOf(root: PlanRoot, key: string): Work<string[]> {
  return yield* keysBelow(root, ['index', 'children', key])
}

/** The next task that an agent may take. */
export function* firstReady(root: PlanRoot, agent: string): Work<string | undefined> {
  let first: string | undefined
  for (const queue of [ready(undefined), ready(agent)]) {
    const key = yield* firstKey(root, queue)
    if (key !== undefined && (first === undefined || key < first)) first = key
  }
  return first === undefined ? undefined : taskIn(first)
}

/** The tasks that an agent may take whose lease has run out. */
export function* runOut(root: PlanRoot, agent: string, now: number): Work<string[]> {
  const moment = new Date(now).toISOString()
  const keys: string[] = []
  for (const queue of [leased(undefined), leased(agent)]) {
    appendAll(keys, yield* keysWhile(root, queue, key => key.slice(0, moment.length) <= moment))
  }
  return keys.map(taskIn)
}

export function* openCount(root: PlanRoot): Work<number> {
  return (yield* findBelow(root, ['index', 'open'])) as number
}

/** A task's new fields; a field that is undefined goes. All of them for a task that is not there yet. */
export interface TaskChange {
  readonly key: string
  readonly fields: { readonly [F in keyof TaskRecord]?: TaskRecord[F] | undefined }
}

/** Changes tasks, and the index with them. */
export function* changeTasks(root: PlanRoot, changes: readonly TaskChange[]): Work<void> {
  const befores = new Map<string, TaskRecord | undefined>()
  const places = new Map<string, readonly string[] | undefined>()
  for (const { key, fields } of changes) {
    const before = yield* findTask(root, key)
    befores.set(key, before)
    for (const near of yield* affectedBy(root, key, before, fields)) {
      if (!places.has(near)) places.set(near, yield* placeOf(root, near, yield* findTask(root, near)))
    }
  }
  yield* amend(
    root,
    changes.flatMap(change => taskEdits(root, change, befores.get(change.key))),
  )
  yield* amendIndex(
    root,
    changes.flatMap(change => waitEdits(root, change, befores.get(change.key))),
  )
  const edits: Edit[] = []
  for (const [key, before] of places) {
    const after = yield* placeOf(root, key, yield* findTask(root, key))
    if (isSamePlace(before, after)) continue
    if (before !== undefined) edits.push(deleteAt(root, before))
    if (after !== undefined) edits.push(setAt(root, after, 1))
  }
  const opened = changes.reduce((sum, { key, fields }) => sum + openedBy(befores.get(key), fields), 0)
  if (opened !== 0) edits.push(setAt(root, ['index', 'open'], (yield* openCount(root)) + opened))
  edits.push(setAt(root, ['index', 'of'], yield* tasksHash(root)))
  yield* amendIndex(root, edits)
}

/** Sets what comes into a map that is not there yet as one map: many edits of nothing would each copy the last. */
function* amendIndex(root: PlanRoot, edits: readonly Edit[]): Work<void> {
  const groups = new Map<string, Edit[]>()
  for (const one of edits) {
    const parent = formatPath(one.path.slice(0, -1))
    const group = groups.get(parent)
    if (group === undefined) groups.set(parent, [one])
    else group.push(one)
  }
  const together: Edit[] = []
  for (const group of groups.values()) {
    const path = group[0]!.path.slice(0, -1)
    const isNew = group.length > 1 && (yield* findEntry(root.context, root.system, path)) === undefined
    if (!isNew) appendAll(together, group)
    else together.push({ op: 'set', path, value: Object.fromEntries(group.map(one => [one.path.at(-1)!, 1])) })
  }
  yield* amend(root, together)
}

function isSamePlace(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.length === b.length && a.every((segment, i) => segment === b[i])
}

/** The tasks whose place can change with this one: itself, and when it comes or ends those that wait for it. */
function* affectedBy(
  root: PlanRoot,
  key: string,
  before: TaskRecord | undefined,
  fields: TaskChange['fields'],
): Work<string[]> {
  const parent = before === undefined ? fields.parent : before.parent
  if (openedBy(before, fields) === 0) return [key]
  const blocked = before === undefined ? [] : yield* keysBelow(root, ['index', 'blocks', key])
  return parent === undefined ? [key, ...blocked] : [key, findTaskKey(parent)!, ...blocked]
}

/** How many more tasks are open by a change: 1, 0 or -1. */
function openedBy(before: TaskRecord | undefined, { state }: TaskChange['fields']): number {
  if (before === undefined) return 1
  return state !== undefined && isFinal(state.get('status')) ? -1 : 0
}

function taskEdits(root: PlanRoot, { key, fields }: TaskChange, before: TaskRecord | undefined): Edit[] {
  if (before === undefined) return [setAt(root, ['tasks', key], fields)]
  return Object.entries(fields).map(([field, value]) => {
    const at = ['tasks', key, field]
    return value === undefined ? deleteAt(root, at) : setAt(root, at, value)
  })
}

function waitEdits(root: PlanRoot, { key, fields }: TaskChange, before: TaskRecord | undefined): Edit[] {
  const edits: Edit[] = []
  if (before === undefined && fields.parent !== undefined)
    edits.push(setAt(root, ['index', 'children', findTaskKey(fields.parent)!, key], 1))
  if (fields.blockedBy === undefined) return edits
  const was = before?.blockedBy ?? []
  for (const id of was) {
    if (!fields.blockedBy.includes(id)) edits.push(deleteAt(root, ['index', 'blocks', findTaskKey(id)!, key]))
  }
  for (const id of fields.blockedBy) {
    if (!was.includes(id)) edits.push(setAt(root, ['index', 'blocks', findTaskKey(id)!, key], 1))
  }
  return edits
}

/** Says in the index of which tasks it is. */
export function* sealIndex(root: PlanRoot): Work<void> {
  yield* amend(root, [setAt(root, ['index', 'of'], yield* tasksHash(root))])
}

function* tasksHash({ context, plan, system }: PlanRoot): Work<string> {
  return contentOf((yield* findEntry(context, system, planPath(plan, 'tasks')))!.child)
}

/** Makes the index anew when it is not of the tasks that are there. */
export function* freshenIndex(root: PlanRoot): Work<void> {
  if ((yield* findBelow(root, ['index', 'of'])) === (yield* tasksHash(root))) return
  const records = new Map<string, TaskRecord>()
  for (const key of yield* keysBelow(root, ['tasks'])) records.set(key, (yield* findTask(root, key))!)
  const edits: Edit[] = []
  let open = 0
  for (const [key, { parent, blockedBy, state }] of records) {
    for (const id of blockedBy) edits.push(setAt(root, ['index', 'blocks', findTaskKey(id)!, key], 1))
    if (parent !== undefined) edits.push(setAt(root, ['index', 'children', findTaskKey(parent)!, key], 1))
    if (!isFinal(state.get('status'))) open++
  }
  yield* amend(root, [setAt(root, ['index'], { open })])
  yield* amendIndex(root, edits)
  const places: Edit[] = []
  for (const [key, record] of records) {
    const place = yield* placeOf(root, key, record)
    if (place !== undefined) places.push(setAt(root, place, 1))
  }
  yield* amendIndex(root, places)
  yield* sealIndex(root)
}
