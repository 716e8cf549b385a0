/**
 * Work on a backend that answers at once, in slices: it lets the event loop turn where it may pause, and where another process
 * has locked the store.
 */

import type { SyncLoader } from '../../tree/index.ts'
import type { Seen, SyncLog } from '../contract/backend.ts'
import { eventLoop } from '../contract/event-loop.ts'
import { type Lock, StoreLocked } from '../contract/lock.ts'
import { isPausePoint, type Unanswered, type Work, workSlice } from '../contract/work.ts'
import { assertNotReplaced, checkEnd, checkedError, type SeenJournal } from './seen-journal.ts'

export interface SlicedLog {
  readonly log: SyncLog
  readonly loader: SyncLoader
  readonly lock: Lock | undefined
}

type Step<T> = IteratorResult<Unanswered, T>

/** Makes what runs work in slices. Work that neither pauses nor finds the store locked is done when it is called. */
export function slicedRunner(journal: SeenJournal, sliced: SlicedLog): <T>(steps: Work<T>) => Promise<T> {
  return async steps => {
    assertNotReplaced(journal)
    eventLoop.begin()
    try {
      const run = new SlicedRun(journal, sliced, steps)
      return await run.rest(run.slice(eventLoop.isTurnOver))
    } finally {
      // Without this, a loop that awaits one short call after the other would never let a timer run.
      if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
    }
  }
}

/** Makes what runs work without pauses, and returns a promise only where the store is locked. */
export function unpausedRunner(journal: SeenJournal, sliced: SlicedLog): <T>(steps: Work<T>) => T | Promise<T> {
  return steps => {
    assertNotReplaced(journal)
    const run = new SlicedRun(journal, sliced, steps)
    const step = run.slice(isNeverOver)
    return step.done === true ? run.end(step.value) : run.rest(step)
  }
}

function isNeverOver(): boolean {
  return false
}

class SlicedRun<T> {
  readonly #journal: SeenJournal
  readonly #sliced: SlicedLog
  readonly #steps: Work<T>
  #seen: Seen | undefined
  /** The call that found the store locked. */
  #unanswered: Unanswered | undefined

  constructor(journal: SeenJournal, sliced: SlicedLog, steps: Work<T>) {
    this.#journal = journal
    this.#sliced = sliced
    this.#steps = steps
  }

  /** Runs until the end, until a pause that is due, or until the store is locked. */
  slice(isTurnOver: () => boolean): Step<T> {
    const { lock } = this.#sliced
    return lock === undefined ? this.#run(isTurnOver) : lock.tryNow(() => this.#run(isTurnOver))
  }

  /** Runs from the end of a slice to the end of the work. */
  async rest(from: Step<T>): Promise<T> {
    let step = from
    while (step.done !== true) {
      if (this.#unanswered === undefined) {
        await eventLoop.nextTurn()
        step = this.slice(eventLoop.isTurnOver)
      } else step = await this.#sliced.lock!.whenFree(() => this.#runUnlocked())
    }
    return this.end(step.value)
  }

  end(result: T): T {
    // An append has compared what was seen of the journal; work without one has not.
    if (this.#journal.seen === this.#seen) checkEnd(this.#journal, this.#sliced.log)
    return result
  }

  #run(isTurnOver: () => boolean): Step<T> {
    const { log, loader } = this.#sliced
    // Others may have appended meanwhile, which says nothing about what this work reads from now on.
    this.#seen = this.#journal.seen
    try {
      const step = workSlice(this.#steps, log, loader, isTurnOver, this.#unanswered)
      this.#unanswered = step.done === true || isPausePoint(step.value) ? undefined : step.value
      return step
    } catch (error) {
      throw checkedError(this.#journal, log, error)
    }
  }

  #runUnlocked(): Step<T> {
    const step = this.#run(eventLoop.isTurnOver)
    if (this.#unanswered !== undefined) throw new StoreLocked()
    return step
  }
}
