/**
 * The pending interrupts and failures of a thread, from the facts since its last step.
 *
 * An interrupt is pending until it is answered, or until its task has a result: an update can be made as the task.
 */

import type { Fact, InterruptFact, TaskKey, TaskResult } from '../../model/run-protocol.ts'
import { invalidateResults, isRefused } from './invalidate-results.ts'
import { inAddressOrder, isPauseAfter, taskOfInterrupt } from './task-address.ts'

/** In the order of the addresses of their tasks, which does not depend on time. */
export function pendingInterrupts(facts: readonly Fact[]): readonly InterruptFact[] {
  const results = resultsOf(facts)
  const pending = new Map<string, InterruptFact>()
  for (const fact of facts) {
    if (fact.kind === 'interrupt') pending.set(fact.id, fact)
    else if (fact.kind === 'answer') pending.delete(fact.id)
  }
  return [...pending.values()]
    .filter(({ task }) => isPauseAfter(task) || !isFinished(results, taskOfInterrupt(task)))
    .sort((a, b) => inAddressOrder(a.task, b.task))
}

/** The valid results, by task: those of refused steps are left out. */
export function resultsOf(facts: readonly Fact[]): ReadonlyMap<TaskKey, TaskResult> {
  const results = new Map<TaskKey, TaskResult>()
  for (const fact of facts) {
    if (fact.kind === 'task') results.set(fact.task, fact)
    else if (isRefused(fact)) invalidateResults(results, fact.task)
  }
  return results
}

/** The failures whose tasks have no later result. */
export function pendingFailures(facts: readonly Fact[]): readonly Failure[] {
  const pending = new Map<Fact, Failure>()
  for (const fact of facts) {
    if (fact.kind === 'failure') pending.set(fact, fact)
    else if (fact.kind === 'task') {
      for (const failure of pending.values()) if (failure.task === fact.task) pending.delete(failure)
    }
  }
  return [...pending.values()]
}

type Failure = Extract<Fact, { readonly kind: 'failure' }>

/** Whether a task, or a task that it is inside of, has a result. */
export function isFinished(results: ReadonlyMap<TaskKey, unknown>, task: TaskKey): boolean {
  for (let key = task; ; key = key.slice(0, key.lastIndexOf('>'))) {
    if (results.has(key)) return true
    if (!key.includes('>')) return false
  }
}
