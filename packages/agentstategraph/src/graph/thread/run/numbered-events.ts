/**
 * Between the engine and whoever keeps: numbers what the journal will hold, and tells it when it is held.
 *
 * A task of a fork group is told when its result is kept, any other with its step. A task that was kept by an earlier run
 * keeps the number it had, and is not told again.
 */

import { invalidateResults, isRefused } from '../../engine/facts/invalidate-results.ts'
import { andThen, isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Fact, RunLog, TaskResult } from '../../model/run-protocol.ts'
import type { NumberedFact } from '../records/facts.ts'
import type { ThreadResumePoint } from '../state/resume-point.ts'
import type { EventHub } from './event-hub.ts'
import type { JournalRunLog } from './journal-run-log.ts'
import type { RunRequest } from './request.ts'

export function numberedRunLog(
  journalLog: JournalRunLog | undefined,
  { hub, onStep }: RunRequest,
  before: readonly NumberedFact[],
): RunLog {
  /** By task, the number of its first update, once that was told. */
  const emitted = new Map<string, number>()
  for (const { fact, event } of before) {
    if (fact.kind === 'task' && event !== undefined) emitted.set(fact.task, event)
    // What runs again is told again.
    else if (isRefused(fact)) invalidateResults(emitted, fact.task)
  }
  return {
    keep(facts) {
      if (journalLog === undefined) return undefined
      const counts = facts.map(fact => (isOwnTask(fact) ? emittedUpdates(fact).length : 0))
      const first = hub.reserve(sumOf(counts))
      let next = first
      const numbered = facts.map((fact, place): NumberedFact => {
        if (counts[place] === 0) return { fact }
        next += counts[place]!
        return { fact, event: next - counts[place]! }
      })
      return whenKept(
        () => journalLog.keep(numbered),
        () => {
          for (const { fact, event } of numbered) {
            if (event === undefined || fact.kind !== 'task') continue
            emitted.set(fact.task, event)
            emitUpdates(hub, fact, event)
          }
        },
        () => hub.release(first),
      )
    },
    step(step) {
      const unnumbered = step.tasks.filter(task => !emitted.has(task.task))
      const first = hub.reserve(sumOf(unnumbered.map(task => emittedUpdates(task).length)) + 1)
      let next = first
      const tasks = step.tasks.map(task => {
        const known = emitted.get(task.task)
        if (known !== undefined) return known
        next += emittedUpdates(task).length
        return next - emittedUpdates(task).length
      })
      return whenKept(
        () => journalLog?.step(step, { tasks, state: next }),
        () => {
          step.tasks.forEach((task, place) => {
            if (tasks[place]! >= first) emitUpdates(hub, task, tasks[place]!)
          })
          emitted.clear()
          onStep?.(step)
          hub.emit({ kind: 'values', state: step.state }, next)
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
export function emittedUpdates({ updates }: Pick<TaskResult, 'updates'>): TaskResult['updates'] {
  return updates.length === 0 ? [{}] : updates
}

function emitUpdates(hub: EventHub, task: TaskResult, first: number): void {
  emittedUpdates(task).forEach((update, i) => {
    hub.emit({ kind: 'updates', node: task.node, update, cached: task.cached }, first + i)
  })
}

/** The last number that the journal knows of a thread. */
export function lastNumber({ record, facts }: ThreadResumePoint): number {
  return facts.reduce((last, { fact, event }) => Math.max(last, lastOfFact(fact, event)), record.event)
}

function lastOfFact(fact: Fact, event: number | undefined): number {
  return event === undefined || fact.kind !== 'task' ? 0 : event + emittedUpdates(fact).length - 1
}
