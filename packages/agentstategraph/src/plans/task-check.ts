/** What callers say about tasks, checked: texts, choices, payloads, and the ids of other tasks. */

import { encode } from '../core/index.ts'
import { checkedText, type Handle, planPath } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { planError } from './errors.ts'
import type { PlanRoot } from './plan-root.ts'
import { type NewTask, priorities, stateOf } from './task.ts'
import { getTask } from './task-reading.ts'

const MAX_TITLE_BYTES = 512
const MAX_AGENT_BYTES = 256
/** The last moment that dates of four-digit years reach. */
const LAST_MOMENT = 253_402_300_799_999
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

/** Those that block a task are there, and can still be done. */
export function* checkBlockers(root: PlanRoot, blockedBy: readonly string[]): Work<void> {
  for (const id of blockedBy) {
    const { record } = yield* getTask(root, id)
    if (stateOf(record).status !== 'abandoned') continue
    const reason = `${id} was abandoned and will never be done`
    throw planError('task-invalid', { plan: root.plan, field: 'blockedBy', reason })
  }
}

/** How long a claim holds: what was asked for, or a quarter of an hour. */
export function checkedLease(plan: string, leaseMs: number = DEFAULT_LEASE_MS): number {
  if (typeof leaseMs === 'number' && leaseMs > 0) return leaseMs
  throw planError('task-invalid', { plan, field: 'leaseMs', reason: `${leaseMs} is no time above 0` })
}

/** When a lease ends; undefined for one that does not. */
export function leaseEnd(now: number, leaseMs: number): string | undefined {
  const end = Math.ceil(now + leaseMs)
  return end > LAST_MOMENT ? undefined : new Date(end).toISOString()
}
