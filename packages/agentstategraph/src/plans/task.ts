/** Tasks as the API returns them, and how one is made from its record. */

import { type PlanStatus, type TaskRecord, type TaskStatus, taskIdOf } from '../repo/index.ts'
import type { Proof } from './proof.ts'

export type { PlanStatus, TaskStatus }

/** How urgent a task is. */
export type Priority = 'low' | 'medium' | 'high' | 'critical'

/** The most urgent first. */
export const priorities: readonly Priority[] = ['critical', 'high', 'medium', 'low']

/** A task to add to a plan. */
export interface NewTask {
  title: string
  /** `medium` unless given. */
  priority?: Priority | undefined
  /** The task that this is a part of. A parent waits for its children. */
  parent?: string | undefined
  /** The tasks that must be done first. */
  blockedBy?: readonly string[] | undefined
  /** The only agent that may claim it. */
  assignee?: string | undefined
  payload?: unknown
}

/** What can be changed in a task. */
export interface TaskChanges {
  priority?: Priority | undefined
  /** `null`: every agent may claim it. */
  assignee?: string | null | undefined
  blockedBy?: readonly string[] | undefined
}

interface TaskFields {
  readonly id: string
  readonly title: string
  readonly priority: Priority
  readonly parent?: string
  readonly blockedBy: readonly string[]
  readonly assignee?: string
  readonly payload?: unknown
  /** The combined status of its children, when it has some. */
  readonly derived?: TaskStatus
}

/** A task of a plan, with where it stands. */
export type PlanTask = TaskFields & TaskState

/** Where a task stands. */
export type TaskState =
  | { readonly status: 'pending' }
  | { readonly status: 'in-progress'; readonly owner: string; readonly leaseEnds?: string }
  | { readonly status: 'done'; readonly owner: string; readonly proof: Proof }
  | { readonly status: 'abandoned'; readonly reason: string }

/** The stored state: with who set it, and by which claim. */
export type StoredState = TaskState & { readonly by?: string; readonly claim?: string }

export function stateOf({ state }: TaskRecord): StoredState {
  return Object.fromEntries(state) as unknown as StoredState
}

export function stateMap(state: StoredState): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(state).filter(([, value]) => value !== undefined))
}

/** The state at a time: with an expired lease the task is pending. */
export function stateAt(record: TaskRecord, now: number): StoredState {
  const state = stateOf(record)
  const hasRunOut =
    state.status === 'in-progress' && state.leaseEnds !== undefined && Date.parse(state.leaseEnds) <= now
  return hasRunOut ? { status: 'pending' } : state
}

export function taskFrom(key: string, record: TaskRecord, now: number, derived: TaskStatus | undefined): PlanTask {
  const { state: _state, created: _created, priority, ...fields } = record
  const { by: _by, claim: _claim, ...state } = stateAt(record, now)
  const shown = { id: taskIdOf(key), ...fields, priority: priority as Priority, ...state }
  return (derived === undefined ? shown : { ...shown, derived }) as PlanTask
}

/** The combined status of tasks. Abandoned tasks count only when there are no others. */
export function rolledUp(statuses: readonly TaskStatus[]): TaskStatus {
  const kept = statuses.filter(status => status !== 'abandoned')
  const [first = 'abandoned'] = kept
  return kept.every(status => status === first) ? first : 'in-progress'
}
