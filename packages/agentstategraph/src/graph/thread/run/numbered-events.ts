/**
 * The run log between the engine and the journal: it numbers updates and states, and emits them when they are kept.
 *
 * The updates of a task in a fork group are emitted when its result is kept, those of any other task with its step. A
 * result that an earlier run kept has its numbers already, and is not emitted again.
 */

import { eventLoop } from '../../../store/index.ts'
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
  { hub, onStep, isSync }: RunRequest,
  before: readonly NumberedFact[],
): RunLog {
  /** By task, the number of its first update, for tasks whose updates were emitted. */
  const emitted = new Map<string, number>()
  for (const { fact, event } of before) {
    if (fact.kind === 'task' && event !== undefined) emitted.set(fact.task, event)
    // A task that runs again is emitted again.
    else if (isRefused(fact)) invalidateResults(emitted, fact.task)
  }
  return {
    keep(facts) {
      if (journalLog === undefined) return undefined
      const counts = facts.map(fact => (isOwnTask(fact) ? emittedUpdates(fact).length : 0))
      const first = hub.reserve(sumOf(counts))
      let next = first
      const numbered = facts.map((fact, i): NumberedFact => {
        const event = next
        next += counts[i]!
        return counts[i] === 0 ? { fact } : { fact, event }
      })
      const emit = (): void => {
        for (const { fact, event } of numbered) {
          if (event === undefined || fact.kind !== 'task') continue
          emitted.set(fact.task, event)
          emitUpdates(hub, fact, event)
        }
      }
      return emitWhenKept(hub, first, () => journalLog.keep(numbered), emit)
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
      const emit = (): void => {
        for (const [i, task] of step.tasks.entries()) if (tasks[i]! >= first) emitUpdates(hub, task, tasks[i]!)
        emitted.clear()
        onStep?.(step)
        hub.emit({ kind: 'values', state: step.state }, next)
      }
      const kept = emitWhenKept(hub, first, () => journalLog?.step(step, { tasks, state: next }), emit)
      return isSync ? kept : andThen(kept, restOfTurn)
    },
  }
}

/** A graph of synchronous nodes never waits by itself, so a long run lets the event loop turn between its steps. */
function restOfTurn(): MaybePromise<void> {
  return eventLoop.isTurnOver() ? eventLoop.nextTurn() : undefined
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** Emits events when their content is kept, and releases their numbers whether or not it was. No flow: it runs every step. */
function emitWhenKept(
  hub: EventHub,
  first: number,
  keep: () => MaybePromise<void>,
  emit: () => void,
): MaybePromise<void> {
  const release = (): void => hub.release(first)
  let kept: MaybePromise<void>
  try {
    kept = andThen(keep(), emit)
  } catch (error) {
    release()
    throw error
  }
  return isPromise(kept) ? kept.finally(release) : release()
}

/** Whether a fact is the result of a task that is not inside another: those inside are emitted with that one. */
function isOwnTask(fact: Fact): fact is Extract<Fact, { readonly kind: 'task' }> {
  return fact.kind === 'task' && !fact.task.includes('>')
}

/** The updates that are emitted for a task: an empty one when it changed nothing. */
export function emittedUpdates({ updates }: Pick<TaskResult, 'updates'>): TaskResult['updates'] {
  return updates.length === 0 ? [{}] : updates
}

function emitUpdates(hub: EventHub, task: TaskResult, first: number): void {
  emittedUpdates(task).forEach((update, i) => {
    hub.emit({ kind: 'updates', node: task.node, update, cached: task.cached }, first + i)
  })
}

/** The last event number that the journal knows of a thread. */
export function lastNumber({ record, facts }: ThreadResumePoint): number {
  return facts.reduce((last, { fact, event }) => Math.max(last, lastOfFact(fact, event)), record.event)
}

function lastOfFact(fact: Fact, event: number | undefined): number {
  return event === undefined || fact.kind !== 'task' ? 0 : event + emittedUpdates(fact).length - 1
}
