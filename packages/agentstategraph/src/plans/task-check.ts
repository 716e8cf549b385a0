/** Checks of what callers give for tasks: texts, priorities, payloads, leases, and references to other tasks. */

import { encode, lastMoment } from '../core/index.ts'
import { checkedText, findCycle, findTaskKey, type Handle, planPath, taskIdOf } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { planError } from './errors.ts'
import { childrenOf, type IndexedPlan } from './plan-index.ts'
import { findTask, type PlanRoot } from './plan-root.ts'
import { type NewTask, priorities, stateOf } from './task.ts'
import { getTask } from './task-reading.ts'

const MAX_TITLE_BYTES = 512
const MAX_AGENT_BYTES = 256
/** The last millisecond of the year 9999: ISO texts sort only with four-digit years. */
const DEFAULT_LEASE_MS = 15 * 60_000

export function checkTask(handle: Handle, plan: string, task: NewTask): void {
  const { title, priority, blockedBy, assignee, payload } = task ?? ({} as NewTask)
  if (title === undefined) throw planError('task-invalid', { plan, field: 'title', reason: 'it is missing' })
  checkedText('title', title, MAX_TITLE_BYTES)
  checkPriority(plan, priority)
  checkIds(plan, blockedBy)
  checkedText('assignee', assignee, MAX_AGENT_BYTES)
  const { shared, journal } = handle
  const at = planPath(plan, 'tasks', 'payload')
  if (payload !== undefined) encode(payload, { at, limits: shared.limits, classes: journal.context.classes })
}

export function checkAssignee(assignee: string | null | undefined): void {
  if (assignee !== null) checkedText('assignee', assignee, MAX_AGENT_BYTES)
}

export function checkPriority(plan: string, priority: string | undefined): void {
  if (priority === undefined || (priorities as readonly string[]).includes(priority)) return
  const reason = `"${priority}" is none of ${priorities.join(', ')}`
  throw planError('task-invalid', { plan, field: 'priority', reason })
}

export function checkIds(plan: string, blockedBy: readonly string[] | undefined): void {
  if (blockedBy === undefined || Array.isArray(blockedBy)) return
  throw planError('task-invalid', { plan, field: 'blockedBy', reason: 'it is not a list of ids' })
}

/** Throws when a blocker does not exist or was abandoned. */
export function* checkBlockers(root: PlanRoot, blockedBy: readonly string[]): Work<void> {
  for (const id of blockedBy) {
    const { record } = yield* getTask(root, id)
    if (stateOf(record).status !== 'abandoned') continue
    const reason = `${id} was abandoned and will never be done`
    throw planError('task-invalid', { plan: root.plan, field: 'blockedBy', reason })
  }
}

/** Throws when tasks that can be reached from one wait for each other: for blockers, and for children. */
export function* assertNoCycle(root: IndexedPlan, key: string): Work<void> {
  const cycle = yield* findCycle([key], function* (from): Work<readonly { readonly to: string }[]> {
    const { blockedBy = [] } = (yield* findTask(root, from)) ?? {}
    const waits = [...blockedBy.map(id => findTaskKey(id)!), ...(yield* childrenOf(root, from))]
    return waits.map(to => ({ to }))
  })
  const last = cycle.at(-1)
  if (last === undefined) return
  throw planError('task-cycle', { plan: root.plan, tasks: [last, ...cycle].map(({ to }) => taskIdOf(to)) })
}

/** The length of a lease: 15 minutes unless given. */
export function checkedLease(plan: string, leaseMs: number = DEFAULT_LEASE_MS): number {
  if (typeof leaseMs === 'number' && leaseMs > 0) return leaseMs
  throw planError('task-invalid', { plan, field: 'leaseMs', reason: `${leaseMs} is no time above 0` })
}

/** When a lease ends; undefined for one without an end. */
export function leaseEnd(now: number, leaseMs: number): string | undefined {
  const end = Math.ceil(now + leaseMs)
  return end > lastMoment ? undefined : new Date(end).toISOString()
}
