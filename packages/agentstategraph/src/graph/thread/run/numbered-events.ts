/**
 * Between the engine and whoever keeps: numbers what the journal will hold, and tells it when it is held.
 *
 * A task of a fork group is told when its result is kept, any other with its step. A task that was kept by an earlier run
 * keeps the number it had, and is not told again.
 */

import { isRefused, takeBack } from '../../engine/facts/invalidate-results.ts'
import { andThen, isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Fact, RunLog, TaskResult } from '../../model/run-protocol.ts'
import type { NumberedFact } from '../records/facts.ts'
import type { ThreadStanding } from '../state/resume-point.ts'
import type { EventHub } from './event-hub.ts'
import type { ThreadKeeper } from './journal-run-log.ts'
import type { RunRequest } from './request.ts'

export function tellingKeeper(
  keeper: ThreadKeeper | undefined,
  { hub, onStep }: RunRequest,
  before: readonly NumberedFact[],
): RunLog {
  /** By task, the number of its first update, once that was told. */
  const told = new Map<string, number>()
  for (const { fact, event } of before) {
    if (fact.kind === 'task' && event !== undefined) told.set(fact.task, event)
    // What runs again is told again.
    else if (isRefused(fact)) takeBack(told, fact.task)
  }
  return {
    keep(facts) {
      if (keeper === undefined) return undefined
      const counts = facts.map(fact => (isOwnTask(fact) ? toldUpdates(fact).length : 0))
      const first = hub.reserve(sumOf(counts))
      let next = first
      const numbered = facts.map((fact, place): NumberedFact => {
        if (counts[place] === 0) return { fact }
        next += counts[place]!
        return { fact, event: next - counts[place]! }
      })
      return whenKept(
        () => keeper.keep(numbered),
        () => {
          for (const { fact, event } of numbered) {
            if (event === undefined || fact.kind !== 'task') continue
            told.set(fact.task, event)
            tellUpdates(hub, fact, event)
          }
        },
        () => hub.release(first),
      )
    },
    step(step) {
      const untold = step.tasks.filter(task => !told.has(task.task))
      const first = hub.reserve(sumOf(untold.map(task => toldUpdates(task).length)) + 1)
      let next = first
      const tasks = step.tasks.map(task => {
        const known = told.get(task.task)
        if (known !== undefined) return known
        next += toldUpdates(task).length
        return next - toldUpdates(task).length
      })
      return whenKept(
        () => keeper?.step(step, { tasks, state: next }),
        () => {
          step.tasks.forEach((task, place) => {
            if (tasks[place]! >= first) tellUpdates(hub, task, tasks[place]!)
          })
          told.clear()
          onStep?.(step)
          hub.tell({ kind: 'values', state: step.state }, next)
        },
        () => hub.release(first),
      )
    },
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** Tells when something was kept, and lets go of its numbers whether or not it was. */
function whenKept(keep: () => MaybePromise<void>, tell: () => void, release: () => void): MaybePromise<void> {
  let kept: MaybePromise<void>
  try {
    kept = andThen(keep(), tell)
  } catch (error) {
    release()
    throw error
  }
  if (!isPromise(kept)) return release()
  return kept.finally(release) as Promise<void>
}

/** Tasks of graphs inside a task have addresses below it, and are told as part of it. */
function isOwnTask(fact: Fact): fact is Extract<Fact, { readonly kind: 'task' }> {
  return fact.kind === 'task' && !fact.task.includes('>')
}

/** Every task is told, one that changed nothing with an empty update. */
export function toldUpdates({ updates }: Pick<TaskResult, 'updates'>): TaskResult['updates'] {
  return updates.length === 0 ? [{}] : updates
}

function tellUpdates(hub: EventHub, task: TaskResult, first: number): void {
  toldUpdates(task).forEach((update, i) => {
    hub.tell({ kind: 'updates', node: task.node, update, cached: task.cached }, first + i)
  })
}

/** The last number that the journal knows of a thread. */
export function lastNumber({ record, facts }: ThreadStanding): number {
  return facts.reduce((last, { fact, event }) => Math.max(last, lastOfFact(fact, event)), record.event)
}

function lastOfFact(fact: Fact, event: number | undefined): number {
  return event === undefined || fact.kind !== 'task' ? 0 : event + toldUpdates(fact).length - 1
}
