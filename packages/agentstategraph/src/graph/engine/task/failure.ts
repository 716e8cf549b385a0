/**
 * What becomes of a task whose attempts have all failed.
 *
 * Its node may go on without a result or with another, a join may take it as it is, or it stops the run when its siblings
 * have come to their ends.
 */

import type { PlannedNode, State } from '../../model/compiled-plan.ts'
import type { MaybePromise } from '../../model/maybe-promise.ts'
import type { Target, TaskResult } from '../../model/run-protocol.ts'
import type { Applied } from '../../model/state-fields.ts'
import { asError } from '../flow/as-error.ts'
import type { Flow } from '../flow/flow.ts'
import { type Halted, stuckBy } from '../flow/halted.ts'
import { findSettledJoin } from '../joins/fork.ts'
import { applyOwn } from './apply.ts'
import { type EngineScope, waitAt } from './engine-scope.ts'
import { type NodeResult, nodeResultFrom } from './node-result.ts'

export interface Instead {
  readonly said: NodeResult
  readonly applied: Applied
  readonly more: Partial<TaskResult>
}

/** What the node's options, or the join ahead of it, make of a failure. */
export function* insteadOfFailing(
  place: EngineScope,
  node: PlannedNode,
  target: Target,
  state: State,
  view: State,
  error: unknown,
): Flow<Instead | undefined> {
  const { onError = 'fail' } = node.options
  const name = place.path + node.name
  if (typeof onError === 'function') {
    const answer = onError(error, view) as MaybePromise<unknown>
    const returned = yield* waitAt(place, answer, `onError of ${name} returned a promise`)
    const said = nodeResultFrom(place, name, returned)
    const applied = yield* applyOwn(place, state, said, name)
    return { said, applied, more: {} }
  }
  const isTaken =
    onError === 'collect' ||
    (place.fork !== undefined && findSettledJoin(place.fork, place.member?.target ?? target, node.name) !== undefined)
  if (!isTaken) return undefined
  return {
    said: { updates: [], isForParent: false },
    applied: { state, changes: [] },
    more: { collected: asError(error) },
  }
}

/** A task that failed. What failed inside a graph is told by the task that the graph is part of. */
export function failed(place: EngineScope, node: PlannedNode, key: string, attempt: number, error: unknown): Halted {
  if (!place.isNested) place.run.facts.note({ kind: 'failure', task: key, node: node.name, attempt, error })
  return stuckBy({ failures: [{ node: node.name, error }] })
}
