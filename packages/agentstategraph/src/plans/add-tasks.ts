/** Adding tasks to a plan: what is asked for, checked, numbered and landed as one commit. */

import { copyGiven } from '../core/index.ts'
import { findTaskKey, type Handle, type TaskRecord, taskIdOf } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { changeTasks } from './indexed-plan.ts'
import { assertActive, type Decision, type PlanView, transit } from './land-plan.ts'
import { type NewTask, type PlanTask, stateAt, stateMap } from './task.ts'
import { checkBlockers, checkTask } from './task-check.ts'
import { reserveKeys } from './task-ids.ts'
import { getTask, readTask } from './task-reading.ts'
import { assertTransition } from './transitions.ts'
import { assertNoCycle } from './waits.ts'

export async function addTasks(handle: Handle, plan: string, given: readonly NewTask[]): Promise<readonly PlanTask[]> {
  const tasks = copyGiven(given)
  for (const task of tasks) checkTask(handle, plan, task)
  if (tasks.length === 0) return []
  let keys: readonly string[] | undefined
  const landed = await transit(handle, plan, 'add', function* (view): Decision<undefined> {
    const { root } = view
    yield* assertActive(root, 'add')
    for (const task of tasks) yield* checkNeighbours(handle, view, task)
    keys ??= yield* reserveKeys(handle, root, tasks.length)
    const changes = keys.map((key, i) => ({ key, fields: recordOf(handle, tasks[i]!, view.now) }))
    yield* changeTasks(root, changes)
    for (const { key, fields } of changes) {
      // A new task closes a circle only by waiting itself and being waited for.
      if (fields.parent !== undefined)
        yield* assertNoCycle(
          root,
          key,
          fields.blockedBy.map(id => findTaskKey(id)!),
        )
    }
    return { description: descriptionOf(plan, keys, tasks), result: undefined }
  })
  return handle.journal.run(readTasks(landed!.view, keys!))
}

function* readTasks(view: PlanView, keys: readonly string[]): Work<readonly PlanTask[]> {
  const tasks: PlanTask[] = []
  for (const key of keys) tasks.push(yield* readTask(view, key))
  return tasks
}

/** The tasks that a new one refers to are there, and can be referred to. */
function* checkNeighbours(handle: Handle, { root, now }: PlanView, { parent, blockedBy = [] }: NewTask): Work<void> {
  yield* checkBlockers(root, blockedBy)
  if (parent === undefined) return
  const { record } = yield* getTask(root, parent)
  assertTransition(root.plan, parent, 'add a child to', stateAt(record, now), handle.who.agent)
}

function recordOf({ who }: Handle, task: NewTask, now: number): TaskRecord {
  const { title, priority = 'medium', parent, blockedBy = [], assignee, payload } = task
  return {
    title,
    priority,
    ...(parent === undefined ? {} : { parent }),
    blockedBy: [...new Set(blockedBy)],
    ...(assignee === undefined ? {} : { assignee }),
    ...(payload === undefined ? {} : { payload }),
    created: { by: who.agent, at: new Date(now).toISOString() },
    state: stateMap({ status: 'pending' }),
  }
}

function descriptionOf(plan: string, keys: readonly string[], tasks: readonly NewTask[]): string {
  const [first, last] = [taskIdOf(keys[0]!), taskIdOf(keys.at(-1)!)]
  return keys.length === 1
    ? `Add ${first} to ${plan}: ${tasks[0]!.title}`
    : `Add ${keys.length} tasks to ${plan}: ${first} to ${last}`
}
