/**
 * The facts since the last step, and the queue of those that are on their way to the run log.
 *
 * Facts of one tick are handed over together. A step contains the facts of its tasks, so those that are queued when it
 * lands are dropped: a group whose tasks end in one tick costs one append, and so does a task outside any group. `keep`
 * resolves when a fact is durable, for facts that the caller relies on, such as an effect that ran.
 */

import { isStateError } from '../../../core/index.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Amendment, Fact, Interrupt, RunLog, Step, TaskKey, TaskResult } from '../../model/run-protocol.ts'
import { awaited, drive, type Flow } from '../flow/flow.ts'
import { invalidateResults, isInvalidated, isRefused } from './invalidate-results.ts'

export interface FactBuffer {
  findResult(task: TaskKey): TaskResult | undefined
  /** The amendments to the result of a task. */
  findAmendments(task: TaskKey): readonly Amendment[] | undefined
  findEffect(task: TaskKey, name: string): { readonly value: unknown } | undefined
  /** The n-th interrupt of a task, from 0. */
  findInterrupt(task: TaskKey, ordinal: number): Interrupt | undefined
  findAnswer(id: string): { readonly value: unknown } | undefined
  /** Whether a task, or a task of a graph inside it, has an interrupt. */
  hasAsked(task: TaskKey): boolean
  /** Adds a fact, and queues it for the run log. */
  note(fact: Fact): void
  /** Queues a fact, and adds it when it is durable. */
  keep(fact: Fact): Promise<void>
  /** Hands the queue over. */
  flush(): MaybePromise<void>
  /** Lands a step, and forgets the facts before it. */
  step(step: Step): Flow<void>
}

interface Waiting {
  readonly fact: Fact
  readonly kept?: (() => void) | undefined
  readonly refused?: ((error: unknown) => void) | undefined
}

/** `later` calls back at the end of the tick; `fail` is called when a queued fact cannot be kept. */
export function newFactBuffer(
  runLog: RunLog,
  facts: readonly Fact[],
  later: (flush: () => void) => void,
  fail: (error: unknown) => void,
): FactBuffer {
  const known = newKnownFacts()
  for (const fact of facts) known.add(fact)
  let queue: Waiting[] = []
  let underway: Promise<void> | undefined
  let isScheduled = false

  const flush = (): MaybePromise<void> => {
    if (underway !== undefined) return underway.then(flush)
    if (queue.length === 0) return
    const batch = queue
    queue = []
    const handed = drive(handOver(runLog, batch))
    if (!isPromise(handed)) return
    underway = handed.finally(() => {
      underway = undefined
    })
    return underway
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    later(() => {
      isScheduled = false
      try {
        const flushed = flush()
        if (isPromise(flushed)) flushed.then(undefined, fail)
      } catch (error) {
        fail(error)
      }
    })
  }
  return {
    ...known,
    note(fact) {
      known.add(fact)
      if (isRefused(fact))
        queue = queue.filter(({ fact: one }) => one.kind !== 'task' || !isInvalidated(fact.task, one.task))
      queue.push({ fact })
      schedule()
    },
    keep(fact) {
      return new Promise((resolve, reject) => {
        const kept = (): void => {
          known.add(fact)
          resolve()
        }
        queue.push({ fact, kept, refused: reject })
        schedule()
      })
    },
    flush,
    *step(step) {
      // A batch that is under way lands before the step.
      while (underway !== undefined) yield underway
      const dropped = queue
      queue = []
      try {
        const kept = runLog.step(step)
        if (isPromise(kept)) yield kept
      } catch (error) {
        queue = [...dropped, ...queue]
        throw error
      }
      known.clear()
      for (const { kept } of dropped) kept?.()
    },
  }
}

/** Hands a batch over. When a value in it cannot be stored, the facts are handed over one by one. */
function* handOver(runLog: RunLog, batch: readonly Waiting[]): Flow<void> {
  try {
    yield* awaited(runLog.keep(batch.map(({ fact }) => fact)))
  } catch (error) {
    if (batch.length === 1 || !isStateError(error, 'value-refused')) return refuse(batch, error)
    for (const one of batch) yield* handOver(runLog, [one])
    return
  }
  for (const { kept } of batch) kept?.()
}

/** Rejects what was to be kept. Throws when the facts were only queued, or the run log itself failed. */
function refuse(batch: readonly Waiting[], error: unknown): void {
  for (const { refused } of batch) refused?.(error)
  if (!isStateError(error, 'value-refused')) throw error
  // The result of a task is in its step as well, which reports the refusal.
  if (batch.some(({ fact, refused }) => refused === undefined && fact.kind !== 'task')) throw error
}

type Found = 'findResult' | 'findAmendments' | 'findEffect' | 'findInterrupt' | 'findAnswer' | 'hasAsked'

interface KnownFacts extends Pick<FactBuffer, Found> {
  add(fact: Fact): void
  clear(): void
}

function newKnownFacts(): KnownFacts {
  const results = new Map<TaskKey, TaskResult>()
  const amendments = new Map<TaskKey, Amendment[]>()
  const effects = new Map<TaskKey, Map<string, { readonly value: unknown }>>()
  const interrupts = new Map<TaskKey, Interrupt[]>()
  const answers = new Map<string, { readonly value: unknown }>()
  return {
    add(fact) {
      if (fact.kind === 'task') results.set(fact.task, fact)
      else if (fact.kind === 'amend') listed(amendments, fact.task, () => []).push(fact)
      else if (fact.kind === 'once') listed(effects, fact.task, () => new Map()).set(fact.name, { value: fact.value })
      else if (fact.kind === 'interrupt') listed(interrupts, fact.task, () => []).push(fact)
      else if (fact.kind === 'answer') answers.set(fact.id, { value: fact.value })
      else if (isRefused(fact)) invalidateResults(results, fact.task)
    },
    clear() {
      for (const map of [results, amendments, effects, interrupts, answers]) if (map.size > 0) map.clear()
    },
    findResult: task => results.get(task),
    findAmendments: task => amendments.get(task),
    findEffect: (task, name) => effects.get(task)?.get(name),
    findInterrupt: (task, ordinal) => interrupts.get(task)?.[ordinal],
    findAnswer: id => answers.get(id),
    hasAsked: task => [...interrupts.keys()].some(asker => asker === task || asker.startsWith(`${task}>`)),
  }
}

function listed<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key)
  if (found === undefined) {
    found = make()
    map.set(key, found)
  }
  return found
}
