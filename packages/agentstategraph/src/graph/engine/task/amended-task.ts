/** What was changed from outside after a task had finished, as tasks of their own: blame and events name them. */

import type { State } from '../../model/compiled-plan.ts'
import type { Amendment, Change, TaskResult } from '../../model/run-protocol.ts'
import { updateName } from '../../model/update-name.ts'
import type { Flow } from '../flow/flow.ts'
import { applyOwn } from './apply.ts'
import type { EngineScope } from './engine-scope.ts'

export interface Amended {
  readonly state: State
  readonly tasks: readonly TaskResult[]
  /** Each names its task by its place behind the one that was amended. */
  readonly changes: readonly Change[]
  /** Whether the routes of the task are to see them. */
  readonly reroutes: boolean
}

/** Applies amendments to the state after a task, in the order in which they were made. */
export function* amendmentsOf(
  place: EngineScope,
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
    const applied = yield* applyOwn(place, state, one, updateName)
    state = applied.state
    for (const change of applied.changes) changes.push({ ...change, task: i + 1 })
  }
  return { state, tasks, changes, reroutes: amendments.some(({ reroutes }) => reroutes) }
}
