/** The state machine of tasks: which action is possible in which status, and where it leads. */

import type { TaskStatus } from '../repo/index.ts'
import { planError } from './errors.ts'
import type { StoredState } from './task.ts'

export type Action = 'claim' | 'renew' | 'complete' | 'release' | 'abandon' | 'change' | 'add a child to'

/** The next status by action and status. A status that is absent refuses the action. */
export const transitions: Readonly<Record<Action, Partial<Readonly<Record<TaskStatus, TaskStatus>>>>> = {
  claim: { pending: 'in-progress' },
  renew: { 'in-progress': 'in-progress' },
  complete: { 'in-progress': 'done' },
  release: { 'in-progress': 'pending' },
  abandon: { pending: 'abandoned', 'in-progress': 'abandoned' },
  change: { pending: 'pending', 'in-progress': 'in-progress' },
  'add a child to': { pending: 'pending', 'in-progress': 'in-progress' },
}

/** Throws when the status of a task refuses an action. */
export function assertTransition(plan: string, task: string, action: Action, state: StoredState, agent: string): void {
  if (transitions[action][state.status] !== undefined) return
  const by = state.by ?? ('owner' in state ? state.owner : undefined)
  throw planError('transition-refused', { plan, task, action, status: state.status, by, agent })
}
