/**
 * What is known since the last step, and what is on its way to whoever keeps it.
 *
 * Facts of one tick are handed over together. A step says all that its tasks' facts say, so those still waiting when it
 * lands are dropped: a group whose tasks end in one tick costs one append, and so does a task outside any group. What a
 * caller has to rely on (an effect that ran) is kept before it hears of it.
 */

import { isStateError } from '../../../core/index.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Amendment, Fact, Interrupt, RunLog, Step, TaskKey, TaskResult } from '../../model/run-protocol.ts'
import type { Flow } from '../flow/flow.ts'
import { invalidateResults, isInvalidated, isRefused } from './invalidate-results.ts'

export interface FactBuffer {
  findResult(task: TaskKey): TaskResult | undefined
  /** What was changed from outside after the result of a task. */
  findAmendments(task: TaskKey): readonly Amendment[] | undefined
  findEffect(task: TaskKey, name: string): { readonly value: unknown } | undefined
  /** What the n-th interrupt of a task was. */
  findInterrupt(task: TaskKey, ordinal: number): Interrupt | undefined
  findAnswer(id: string): { readonly value: unknown } | undefined
  /** Whether a task, or one of a graph inside it, asked somebody. */
  hasAsked(task: TaskKey): boolean
  /** Knows a fact from now on, and keeps it soon. */
  note(fact: Fact): void
  /** Knows a fact when it is kept. */
  keep(fact: Fact): Promise<void>
  /** Hands over what waits. */
  flush(): MaybePromise<void>
  /** Lands a step: the facts before it are history. */
  step(step: Step): Flow<void>
}

interface Waiting {
  readonly fact: Fact
  readonly kept?: (() => void) | undefined
  readonly refused?: ((error: unknown) => void) | undefined
}

/** Calls `fail` when what was noted cannot be kept; `later` says when a tick is over. */
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
    const handed = handOver(runLog, batch)
    if (!isPromise(handed)) return
    underway = (handed as Promise<void>).finally(() => {
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
      // What waited for the keeper may have been handed over when it was free: then that comes first.
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

/** Hands over a batch; when a value in it cannot be stored, what can be is kept all the same. */
function handOver(runLog: RunLog, batch: readonly Waiting[]): MaybePromise<void> {
  try {
    const kept = runLog.keep(batch.map(({ fact }) => fact))
    if (!isPromise(kept)) return tellKept(batch)
    return (kept as Promise<void>).then(
      () => tellKept(batch),
      error => handOverSingly(runLog, batch, error),
    )
  } catch (error) {
    return handOverSingly(runLog, batch, error)
  }
}

function handOverSingly(runLog: RunLog, batch: readonly Waiting[], error: unknown): MaybePromise<void> {
  if (!isStateError(error, 'value-refused')) {
    for (const { refused } of batch) refused?.(error)
    throw error
  }
  if (batch.length > 1) return inTurn(batch, one => handOver(runLog, [one]))
  const { fact, refused } = batch[0]!
  if (refused !== undefined) return refused(error)
  // A task's result is in its step as well, and that tells.
  if (fact.kind !== 'task') throw error
}

function inTurn(batch: readonly Waiting[], handle: (one: Waiting) => MaybePromise<void>): MaybePromise<void> {
  for (let i = 0; i < batch.length; i++) {
    const handled = handle(batch[i]!)
    if (isPromise(handled)) return (handled as Promise<void>).then(() => inTurn(batch.slice(i + 1), handle))
  }
}

function tellKept(batch: readonly Waiting[]): void {
  for (const { kept } of batch) kept?.()
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
