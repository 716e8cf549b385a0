/**
 * What becomes of a task whose attempts have all failed.
 *
 * `onError` may supply another result or none, and a `settled` join takes the failure as it is. Otherwise the task halts
 * its chain, and the run fails when the sibling chains have ended.
 */

import { asError } from '../../errors.ts'
import type { PlannedNode, State } from '../../model/compiled-plan.ts'
import type { TaskKey, TaskResult } from '../../model/run-protocol.ts'
import type { Applied } from '../../model/state-fields.ts'
import type { Flow } from '../flow/flow.ts'
import { type Halted, haltedBy } from '../flow/halted.ts'
import { findSettledJoin } from '../joins/join-rule.ts'
import { applyOwn } from './apply.ts'
import { type EngineScope, waitIn } from './engine-scope.ts'
import { type NodeResult, nodeResultFrom } from './node-result.ts'
import type { Task } from './task.ts'

export interface Fallback {
  readonly nodeResult: NodeResult
  readonly applied: Applied
  readonly more: Partial<TaskResult>
}

/** The result that the node's `onError`, or the join ahead of it, gives in place of a failure. */
export function* fallbackFor(task: Task, view: State, error: unknown): Flow<Fallback | undefined> {
  const { scope, node, name, state, target } = task
  const { onError = 'fail' } = node.options
  if (typeof onError === 'function') {
    const answer: unknown = onError(error, view)
    const returned = yield* waitIn(scope, answer, `onError of ${name} returned a promise`)
    const nodeResult = nodeResultFrom(scope, name, returned)
    const applied = yield* applyOwn(scope, state, nodeResult, name)
    return { nodeResult, applied, more: {} }
  }
  const isTaken =
    onError === 'collect' ||
    (scope.fork !== undefined && findSettledJoin(scope.fork, scope.member?.target ?? target, node.name) !== undefined)
  if (!isTaken) return undefined
  return {
    nodeResult: { updates: [], isForParent: false },
    applied: { state, changes: [] },
    more: { collected: asError(error) },
  }
}

/** Halts a chain by a failed task. A failure inside a nested graph is recorded by the task that the graph is part of. */
export function failed(scope: EngineScope, node: PlannedNode, key: TaskKey, attempt: number, error: unknown): Halted {
  if (!scope.isNested) scope.run.facts.note({ kind: 'failure', task: key, node: node.name, attempt, error })
  return haltedBy({ failures: [{ node: node.name, error }] })
}
