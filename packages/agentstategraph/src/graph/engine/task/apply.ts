/** Applies updates to a state through the fields of the graph, one after the other, with those of amendments. */

import type { State, Update } from '../../model/compiled-plan.ts'
import { isPromise } from '../../model/maybe-promise.ts'
import { type Amendment, type Change, type TaskResult, updateName } from '../../model/run-protocol.ts'
import type { Applied } from '../../model/state-fields.ts'
import type { Flow } from '../flow/flow.ts'
import { type EngineScope, waitIn } from './engine-scope.ts'

/** Applies updates in order. The changes are those of all updates. */
export function* applyAll(scope: EngineScope, state: State, updates: readonly Update[], node: string): Flow<Applied> {
  let applied: Applied = { state, changes: [] }
  for (const update of updates) {
    const made = scope.plan.fields.apply(applied.state, update, node)
    const next = isPromise(made)
      ? yield* waitIn(scope, made, `the schema of the state takes its time over the update of ${node}`)
      : made
    applied = updates.length === 1 ? next : { state: next.state, changes: [...applied.changes, ...next.changes] }
  }
  return applied
}

/** Applies the updates of a result, unless they are for the parent graph. */
export function applyOwn(
  scope: EngineScope,
  state: State,
  result: { readonly updates: readonly Update[]; readonly isForParent?: boolean | undefined },
  node: string,
): Flow<Applied> {
  return applyAll(scope, state, result.isForParent === true ? [] : result.updates, node)
}

/** The state after the amendments to a task. */
export interface Amended {
  readonly state: State
  /** One task for each amendment, because blame and events name tasks. */
  readonly tasks: readonly TaskResult[]
  /** `task` counts from the amended task: 1 is its first amendment. */
  readonly changes: readonly Change[]
  /** Whether the routes of the amended task see the amended state. */
  readonly reroutes: boolean
}

/** Applies amendments to the state after a task, in the order in which they were made. */
export function* applyAmendments(
  scope: EngineScope,
  { task, path, isForParent }: TaskResult,
  after: State,
  amendments: readonly Amendment[],
): Flow<Amended> {
  const tasks = amendments.map(
    ({ update }, i): TaskResult => ({
      task: `${task}!update${i}`,
      node: updateName,
      path,
      attempt: 1,
      updates: [update],
      cached: false,
      ...(isForParent === true ? { isForParent } : {}),
    }),
  )
  const changes: Change[] = []
  let state = after
  for (const [i, one] of tasks.entries()) {
    const applied = yield* applyOwn(scope, state, one, updateName)
    state = applied.state
    for (const change of applied.changes) changes.push({ ...change, task: i + 1 })
  }
  return { state, tasks, changes, reroutes: amendments.some(({ reroutes }) => reroutes) }
}
