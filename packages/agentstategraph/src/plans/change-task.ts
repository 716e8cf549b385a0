/** Changing and abandoning a task. Neither needs a lease, only the right to write the plan. */

import { checkedText, type Handle } from '../repo/index.ts'
import { planError } from './errors.ts'
import { changeTasks, type TaskChange } from './indexed-plan.ts'
import { assertActive, type Decision, getView, transit } from './land-plan.ts'
import { type PlanTask, stateAt, stateMap, type TaskChanges } from './task.ts'
import { assertNoCycle, checkAssignee, checkBlockers, checkIds, checkPriority } from './task-check.ts'
import { getTask, readTask } from './task-reading.ts'
import { assertTransition } from './transitions.ts'

const MAX_REASON_BYTES = 1024

export async function changeTask(handle: Handle, plan: string, id: string, changes: TaskChanges): Promise<PlanTask> {
  if (changes === undefined || changes === null) {
    throw planError('task-invalid', { plan, field: 'changes', reason: 'they are missing' })
  }
  const { priority, assignee, blockedBy } = changes
  checkPriority(plan, priority)
  checkAssignee(assignee)
  checkIds(plan, blockedBy)
  let key = ''
  const landed = await transit(handle, plan, 'change', function* (view): Decision<undefined> {
    const { root, now } = view
    yield* assertActive(root, 'change')
    const found = yield* getTask(root, id)
    key = found.key
    const { record } = found
    const state = stateAt(record, now)
    assertTransition(plan, id, 'change', state, handle.who.agent)
    const fields: { -readonly [F in keyof TaskChange['fields']]: TaskChange['fields'][F] } = {}
    if (priority !== undefined) fields.priority = priority
    if (assignee !== undefined) fields.assignee = assignee ?? undefined
    if (blockedBy !== undefined) {
      if (state.status !== 'pending') {
        const reason = `${id} is ${state.status}, and only a pending task can get other blockers`
        throw planError('task-invalid', { plan, field: 'blockedBy', reason })
      }
      yield* checkBlockers(root, blockedBy)
      fields.blockedBy = [...new Set(blockedBy)]
      // Its lease ran out: a waiting task must not look leased.
      if (record.state.get('status') !== 'pending') fields.state = stateMap({ status: 'pending' })
    }
    const before = root.system
    yield* changeTasks(root, [{ key, fields }])
    if (root.system === before) return undefined
    if (blockedBy !== undefined) yield* assertNoCycle(root, key)
    return { description: `Change ${id} of ${plan}: ${record.title}`, result: undefined }
  })
  const { journal } = handle
  return journal.run(readTask(landed?.view ?? (await journal.run(getView(handle, plan))), key))
}

/** Ends a task that will not be done. */
export async function abandonTask(handle: Handle, plan: string, id: string, reason: string): Promise<PlanTask> {
  if (reason === undefined) throw planError('task-invalid', { plan, field: 'reason', reason: 'it is missing' })
  checkedText('reason', reason, MAX_REASON_BYTES)
  const { agent } = handle.who
  const landed = await transit(handle, plan, 'abandon', function* ({ root, now }): Decision<string> {
    yield* assertActive(root, 'abandon')
    const { key, record } = yield* getTask(root, id)
    assertTransition(plan, id, 'abandon', stateAt(record, now), agent)
    yield* changeTasks(root, [{ key, fields: { state: stateMap({ status: 'abandoned', by: agent, reason }) } }])
    return { description: `Abandon ${id} of ${plan}: ${record.title}`, reasoning: reason, result: key }
  })
  return handle.journal.run(readTask(landed!.view, landed!.result))
}
