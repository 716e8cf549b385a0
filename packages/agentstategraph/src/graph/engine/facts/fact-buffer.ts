/**
 * The queue of facts on their way to the run log.
 *
 * Facts of one tick are passed to the run log together. A step contains the facts of its tasks, so those that are queued when it
 * lands are dropped: a group whose tasks end in one tick costs one append, and so does a task outside any group. `keep`
 * resolves when a fact is durable, for facts that the caller relies on, such as an effect that ran.
 */

import { isStateError } from '../../../core/index.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Fact, RunLog, Step } from '../../model/run-protocol.ts'
import { awaited, drive, type Flow } from '../flow/flow.ts'
import { isInvalidated, isRefused } from './invalidate-results.ts'
import { KnownFacts } from './known-facts.ts'

interface Waiting {
  readonly fact: Fact
  readonly kept?: (() => void) | undefined
  readonly refused?: ((error: unknown) => void) | undefined
}

export class FactBuffer {
  readonly known: KnownFacts = new KnownFacts()
  readonly #runLog: RunLog
  readonly #later: (flush: () => void) => void
  readonly #fail: (error: unknown) => void
  #queue: Waiting[] = []
  #underway: Promise<void> | undefined
  #isScheduled = false

  /** `later` calls back at the end of the tick; `fail` is called when a queued fact cannot be kept. */
  constructor(
    runLog: RunLog,
    facts: readonly Fact[],
    later: (flush: () => void) => void,
    fail: (error: unknown) => void,
  ) {
    this.#runLog = runLog
    this.#later = later
    this.#fail = fail
    for (const fact of facts) this.known.add(fact)
  }

  /** Adds a fact, and queues it for the run log. */
  note(fact: Fact): void {
    this.known.add(fact)
    if (isRefused(fact)) {
      this.#queue = this.#queue.filter(({ fact: one }) => one.kind !== 'task' || !isInvalidated(fact.task, one.task))
    }
    this.#enqueue({ fact })
  }

  /** Queues a fact, and adds it when it is durable. */
  keep(fact: Fact): Promise<void> {
    return new Promise((resolve, reject) => {
      const kept = (): void => {
        this.known.add(fact)
        resolve()
      }
      this.#enqueue({ fact, kept, refused: reject })
    })
  }

  /** Passes the queue to the run log. */
  flush(): MaybePromise<void> {
    if (this.#underway !== undefined) return this.#underway.then(() => this.flush())
    if (this.#queue.length === 0) return
    const batch = this.#queue
    this.#queue = []
    const passed = drive(passOn(this.#runLog, batch))
    if (!isPromise(passed)) return
    this.#underway = passed.finally(() => {
      this.#underway = undefined
    })
    return this.#underway
  }

  /** Lands a step, and forgets the facts before it. */
  *step(step: Step): Flow<void> {
    // A batch that is under way lands before the step.
    while (this.#underway !== undefined) yield this.#underway
    const dropped = this.#queue
    this.#queue = []
    try {
      const answers = this.known.answered()
      const kept = this.#runLog.step(answers.length === 0 ? step : { ...step, answers })
      if (isPromise(kept)) yield kept
    } catch (error) {
      this.#queue = [...dropped, ...this.#queue]
      throw error
    }
    this.known.clear()
    for (const { kept } of dropped) kept?.()
  }

  #enqueue(waiting: Waiting): void {
    this.#queue.push(waiting)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#later(() => {
      this.#isScheduled = false
      try {
        const flushed = this.flush()
        if (isPromise(flushed)) flushed.then(undefined, this.#fail)
      } catch (error) {
        this.#fail(error)
      }
    })
  }
}

/** Passes a batch to the run log. When a value in it cannot be stored, the facts are passed one by one. */
function* passOn(runLog: RunLog, batch: readonly Waiting[]): Flow<void> {
  try {
    yield* awaited(runLog.keep(batch.map(({ fact }) => fact)))
  } catch (error) {
    if (batch.length === 1 || !isStateError(error, 'value-refused')) return refuse(batch, error)
    for (const one of batch) yield* passOn(runLog, [one])
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
