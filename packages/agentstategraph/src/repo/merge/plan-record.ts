/**
 * The stored form of plans in the system root: `/_plans/<name>` holds the plan and its tasks by key.
 *
 * The state of a task or a plan is one value, a Map, so that two branches that changed it differently conflict about it as a
 * whole. Transitions are not known here.
 */

import { plansKey } from '../state/state.ts'

export type TaskStatus = 'pending' | 'in-progress' | 'done' | 'abandoned'
/** Where a plan stands. */
export type PlanStatus = 'active' | 'completed' | 'archived'

/** A task as it is stored. Its key in the map of tasks is its id, with zeros before the number so that it sorts. */
export interface TaskRecord {
  readonly title: string
  readonly priority: string
  readonly parent?: string
  readonly blockedBy: readonly string[]
  readonly assignee?: string
  readonly payload?: unknown
  readonly created: { readonly by: string; readonly at: string }
  readonly state: ReadonlyMap<string, unknown>
}

export function planPath(plan: string, ...below: readonly string[]): readonly string[] {
  return [plansKey, plan, ...below]
}

const DIGITS = 9

/** The key of a task id, or undefined for what is none. */
export function findTaskKey(id: unknown): string | undefined {
  if (typeof id !== 'string') return undefined
  const number = /^t-([1-9]\d{0,8})$/.exec(id)?.[1]
  return number === undefined ? undefined : taskKeyOf(Number(number))
}

export function taskKeyOf(number: number): string {
  return `t-${String(number).padStart(DIGITS, '0')}`
}

export function taskNumberOf(key: string): number {
  return Number(key.slice(2))
}

export function taskIdOf(key: string): string {
  return `t-${taskNumberOf(key)}`
}

export function isFinal(status: unknown): boolean {
  return status === 'done' || status === 'abandoned'
}
