/** Errors of plans and tasks. */

import { type ErrorMaker, errorsOf } from '../core/index.ts'
import type {} from '../repository/errors.ts'

/** What each error code of plans carries. */
export interface PlanErrors {
  'plan-not-found': { readonly plan: string; readonly branch: string; readonly known: readonly string[] }
  'plan-exists': { readonly plan: string; readonly branch: string }
  'plan-name-invalid': { readonly plan: string; readonly reason: string }
  'plan-closed': { readonly plan: string; readonly status: string; readonly operation: string }
  'plan-active': { readonly plan: string }
  /** `open` is how many tasks are left, `tasks` the first of them. */
  'plan-unfinished': { readonly plan: string; readonly open: number; readonly tasks: readonly string[] }
  'task-not-found': { readonly plan: string; readonly task: string }
  'task-invalid': { readonly plan: string; readonly field: string; readonly reason: string }
  'task-taken': {
    readonly plan: string
    readonly task: string
    readonly owner: string
    readonly leaseEnds: string | undefined
  }
  'task-assigned': {
    readonly plan: string
    readonly task: string
    readonly assignee: string
    readonly agent: string
  }
  'task-blocked': { readonly plan: string; readonly task: string; readonly by: readonly string[] }
  'task-cycle': { readonly plan: string; readonly tasks: readonly string[] }
  'transition-refused': {
    readonly plan: string
    readonly task: string
    readonly action: string
    readonly status: string
    /** Who took it there. */
    readonly by: string | undefined
    readonly agent: string
  }
  /** `agent` held the task; `owner` holds it now, if another agent does. */
  'lease-lost': {
    readonly plan: string
    readonly task: string
    readonly agent: string
    readonly owner: string | undefined
  }
  'proof-invalid': { readonly plan: string; readonly task: string; readonly kind: string; readonly reason: string }
}

declare module '../repository/errors.ts' {
  interface StateErrorData extends PlanErrors {}
}

/** Makes the errors of this layer. */
export const planError: ErrorMaker<PlanErrors> = errorsOf<PlanErrors>({
  'plan-not-found': ({ plan, branch, known }) => [
    `There is no plan "${plan}" on ${branch}.`,
    known.length > 0
      ? `Known there: ${known.join(', ')}`
      : 'The branch has no plans: create it, or use the branch that it is on.',
  ],
  'plan-exists': ({ plan, branch }) => [
    `There is a plan "${plan}" on ${branch} already.`,
    'Get it by its name, or choose another.',
  ],
  'plan-name-invalid': ({ plan, reason }) => [
    `${JSON.stringify(plan)} is not a name for a plan: ${reason}.`,
    'Use a short name such as migrate-db.',
  ],
  'plan-closed': ({ plan, status, operation }) => [
    `${operation} was refused: the plan "${plan}" is ${status}.`,
    'Create a new plan for further tasks.',
  ],
  'plan-active': ({ plan }) => [
    `The plan "${plan}" is active and cannot be archived.`,
    'Close it first, with a summary.',
  ],
  'plan-unfinished': ({ plan, open, tasks }) => [
    `The plan "${plan}" has ${open === 1 ? 'a task' : `${open} tasks`} left: ${tasks.join(', ')}${open > tasks.length ? ' and more' : ''}`,
    'Complete them, or abandon each with a reason.',
  ],
  'task-not-found': ({ plan, task }) => [
    `There is no task "${task}" in the plan "${plan}".`,
    'Ids are t-1, t-2 and so on; tasks() lists them.',
  ],
  'task-invalid': ({ plan, field, reason }) => [
    `The ${field} of a task in "${plan}" is refused: ${reason}.`,
    'Nothing was changed.',
  ],
  'task-taken': ({ plan, task, owner, leaseEnds }) => [
    `${task} of "${plan}" is claimed by ${owner}${leaseEnds === undefined ? '' : ` until ${leaseEnds}`}.`,
    'Claim without an id to get an available task.',
  ],
  'task-assigned': ({ plan, task, assignee, agent }) => [
    `${task} of "${plan}" is assigned to ${assignee}, so ${agent} cannot claim it.`,
    'Change its assignee first, to another or to null.',
  ],
  'task-blocked': ({ plan, task, by }) => [
    `${task} of "${plan}" waits for ${by.join(', ')}.`,
    'A task waits until all its blockers are done and all its children are done or abandoned.',
  ],
  'task-cycle': ({ plan, tasks }) => [
    `These tasks of "${plan}" would wait for each other: ${tasks.join(' → ')}`,
    'A task waits for its blockers and for its children. Leave one of these out.',
  ],
  'transition-refused': ({ plan, task, action, status, by, agent }) => [
    `${agent} cannot ${action} ${task} of "${plan}": it is ${status}${by === undefined ? '' : `, by ${by}`}.`,
    'Nothing was changed. A task that is done or abandoned does not change: add a new one.',
  ],
  'lease-lost': ({ plan, task, agent, owner }) => [
    `${agent} no longer holds ${task} of "${plan}": ${owner === undefined ? 'its lease has expired' : `${owner} holds it`}.`,
    'Stop working on it. Renew in time, or claim with a longer leaseMs; claim it again to go on.',
  ],
  'proof-invalid': ({ plan, task, kind, reason }) => [
    `${task} of "${plan}" is not done: its proof of kind ${kind} is refused: ${reason}.`,
    'A proof is a commit that a branch or tag leads to, a file with the hash of its content, a test, or a text.',
  ],
})
