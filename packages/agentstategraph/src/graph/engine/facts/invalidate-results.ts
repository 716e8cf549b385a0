/**
 * Which results are taken back when what a task gave was refused with its step.
 *
 * What came after it in its chain was made of it, and so was what graphs inside it did. Addresses say which: a chain's tasks are
 * numbered after a dot, the members of a group after a slash, and what is inside a task stands after `>`. In a group all of the
 * task's member begins again; the other members never saw it.
 */

import type { Fact, TaskKey } from '../../model/run-protocol.ts'

/** Whether a fact says that a task's result was refused. */
export function isRefused(fact: Fact): fact is Extract<Fact, { readonly kind: 'failure' }> {
  return fact.kind === 'failure' && fact.isRefused === true
}

/** Whether the refusal of one task takes back the result of another, or its own. */
export function isInvalidated(refused: TaskKey, task: TaskKey): boolean {
  const whole = /^[^/>]*(\/\d+)?/.exec(refused)![0]
  return task === whole || (task.startsWith(whole) && './>!'.includes(task[whole.length]!))
}

/** Leaves out what the refusal of a task takes back. */
export function invalidateResults(byTask: Map<TaskKey, unknown>, refused: TaskKey): void {
  for (const task of [...byTask.keys()]) if (isInvalidated(refused, task)) byTask.delete(task)
}
