/**
 * Which results become invalid when the step with the result of a task is refused.
 *
 * The tasks after it in its chain and those of graphs inside it were computed from its result. Addresses identify them: the
 * tasks of a chain are numbered after a dot, the members of a group after a slash, and tasks inside a task follow `>`. In
 * a group the whole member of the task begins again; the other members never saw the result.
 */

import type { Fact, TaskKey } from '../../model/run-protocol.ts'

/** Whether a fact is the refusal of a task's result. */
export function isRefused(fact: Fact): fact is Extract<Fact, { readonly kind: 'failure' }> {
  return fact.kind === 'failure' && fact.isRefused === true
}

/** Whether the refusal of one task invalidates the result of another, or its own. */
export function isInvalidated(refused: TaskKey, task: TaskKey): boolean {
  const whole = /^[^/>]*(\/\d+)?/.exec(refused)![0]
  return task === whole || (task.startsWith(whole) && './>!'.includes(task[whole.length]!))
}

/** Deletes what the refusal of a task invalidates. */
export function invalidateResults(byTask: Map<TaskKey, unknown>, refused: TaskKey): void {
  for (const task of [...byTask.keys()]) if (isInvalidated(refused, task)) byTask.delete(task)
}
