/** Adding tasks to a plan: checked, numbered and landed as one commit. */

import { copyGiven } from '../core/index.ts'
import {
  bodyOf,
  findRef,
  type Handle,
  moveRefs,
  planPath,
  type TaskRecord,
  taskIdOf,
  taskKeyOf,
  taskNumberOf,
  taskNumbersPrefix,
} from '../repo/index.ts'
import { readEntry, type Work } from '../store/index.ts'
import { countOf, entryAt } from '../tree/index.ts'
import { planError } from './errors.ts'
import { changeTasks } from './indexed-plan.ts'
import { assertActive, type Decision, type PlanView, transit } from './land-plan.ts'
import { containerBelow, type PlanRoot } from './plan-root.ts'
import { type NewTask, type PlanTask, stateAt, stateMap } from './task.ts'
import { assertNoCycle, checkBlockers, checkTask } from './task-check.ts'
import { getTask, readTask } from './task-reading.ts'
import { assertTransition } from './transitions.ts'

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
      // Only a task that waits and is waited for can close a cycle: a new one needs a parent for that.
      if (fields.parent !== undefined) yield* assertNoCycle(root, key)
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

/** Throws when a task that a new one refers to does not exist or has ended. */
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

const MAX_NUMBER = 999_999_999

/**
 * Reserves keys for new tasks, in order.
 *
 * All branches of a namespace count together, by a ref whose entry holds the last number: so tasks that two branches add to one
 * plan stay different when the branches merge. A number that was reserved and not used is skipped.
 */
function* reserveKeys(handle: Handle, root: PlanRoot, count: number): Work<string[]> {
  const { plan } = root
  const name = taskNumbersPrefix + plan
  for (;;) {
    const at = yield* findRef(name)
    const reserved = at === null ? 0 : (bodyOf((yield* readEntry(at)).record, 'ref').tasks ?? 0)
    // Tasks that came from another store were numbered there.
    const from = Math.max(reserved, yield* lastNumber(root))
    const upTo = from + count
    if (upTo > MAX_NUMBER)
      throw planError('task-invalid', { plan, field: 'number', reason: `${MAX_NUMBER} is the last` })
    const moves = [{ name, expect: at, to: { entry: 0 } }]
    const requests = [{ capability: 'commit' as const, branch: handle.branch, paths: [planPath(plan)] }]
    const outcome = yield* moveRefs({ ...handle, once: undefined }, moves, { plan, tasks: upTo }, requests)
    if ('seq' in outcome) return Array.from({ length: count }, (_, i) => taskKeyOf(from + 1 + i))
  }
}

function* lastNumber(root: PlanRoot): Work<number> {
  const tasks = yield* containerBelow(root, ['tasks'])
  if (tasks === undefined || countOf(tasks) === 0) return 0
  return taskNumberOf((yield* entryAt(root.context, tasks, countOf(tasks) - 1))!.key)
}
