/** Reading tasks of a plan, one or many. */

import { optionsOf, storedKey } from '../core/index.ts'
import { findTaskKey, type Handle, isFinal, type TaskRecord, type TaskStatus } from '../repo/index.ts'
import { badCursor, type Listing, listing, type Start } from '../repository/listing.ts'
import type { Work } from '../store/index.ts'
import { entryAt } from '../tree/index.ts'
import { type MapRoot, placeOfKey } from '../tree/nodes/child.ts'
import { planError } from './errors.ts'
import { assertOpen, getView, type PlanView } from './land-plan.ts'
import { childrenOf } from './plan-index.ts'
import { containerBelow, findTask, type PlanRoot } from './plan-root.ts'
import { type PlanTask, rolledUp, stateAt, taskFrom } from './task.ts'

/** Options of `tasks`. */
export interface TaskFilter {
  status?: TaskStatus | undefined
  assignee?: string | undefined
  limit?: number | undefined
}

const tasksOptions = optionsOf<TaskFilter>('tasks', { status: true, assignee: true, limit: true })

/** The record of a task. Throws when there is none. */
export function* getTask(root: PlanRoot, id: string): Work<{ readonly key: string; readonly record: TaskRecord }> {
  const key = findTaskKey(id)
  const record = key === undefined ? undefined : yield* findTask(root, key)
  if (key === undefined || record === undefined) {
    throw planError('task-not-found', { plan: root.plan, task: String(id) })
  }
  return { key, record }
}

export function* readTask({ root, now }: PlanView, key: string): Work<PlanTask> {
  const record = (yield* findTask(root, key))!
  return taskFrom(key, record, now, yield* derivedStatus({ root, now }, key))
}

/** The combined status of the children of a task; undefined when it has none. */
function* derivedStatus({ root, now }: PlanView, key: string): Work<TaskStatus | undefined> {
  const statuses: TaskStatus[] = []
  for (const child of yield* childrenOf(root, key)) {
    const { status } = stateAt((yield* findTask(root, child))!, now)
    statuses.push(isFinal(status) ? status : ((yield* derivedStatus({ root, now }, child)) ?? status))
  }
  return statuses.length === 0 ? undefined : rolledUp(statuses)
}

/** The tasks that match a filter, by number, as of the start of the walk. */
export function listTasks(handle: Handle, plan: string, filter: TaskFilter): Listing<PlanTask> {
  const { status, assignee } = filter
  const { journal } = handle
  const start: Start<PlanTask> = async after => {
    assertOpen(handle)
    const view = await journal.run(getView(handle, plan))
    const tasks = (await journal.run(containerBelow(view.root, ['tasks'])))!
    let at = after === undefined ? 0 : await journal.run(indexAfter(view.root, tasks as MapRoot, after))
    let last = after ?? ''
    const step = function* (): Work<PlanTask | undefined> {
      for (;;) {
        const entry = yield* entryAt(view.root.context, tasks, at)
        if (entry === undefined) return undefined
        at++
        const task = yield* readTask(view, entry.key)
        if (status !== undefined && task.status !== status) continue
        if (assignee !== undefined && task.assignee !== assignee) continue
        return task
      }
    }
    return {
      async next() {
        const task = await journal.run(step())
        if (task !== undefined) last = task.id
        return task
      },
      cursor: () => last,
    }
  }
  return listing(start, tasksOptions, filter)
}

function* indexAfter(root: PlanRoot, tasks: MapRoot, cursor: string): Work<number> {
  const key = findTaskKey(cursor)
  if (key === undefined) throw badCursor(cursor)
  const { index, entry } = yield* placeOfKey(root.context, tasks, storedKey(key))
  return entry === undefined ? index : index + 1
}
