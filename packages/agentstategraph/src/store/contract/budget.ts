/**
 * What the calls of one operation may cost together, for programs that serve others.
 *
 * Only the time counts that work fills the thread, not the time that it waits for a lock or for its turn. It is looked at
 * when a call begins and where it pauses, so that nothing is left half written.
 */

import { coreError } from '../../core/index.ts'

/** What the calls of one operation may cost together. */
export interface Budget {
  /** How long they may fill the thread, in milliseconds. */
  readonly workMs: number
  /** What `too-costly` calls this limit. */
  readonly limit: string
  /** How long they have filled it so far. */
  spentMs: number
  /** Whether one of them has written. Then the others are not refused: their caller has to learn what was done. */
  hasWritten: boolean
}

/** Makes the budget of one operation, for `under` of a repository. */
export function newBudget(workMs: number, limit = 'work'): Budget {
  return { workMs, limit, spentMs: 0, hasWritten: false }
}

/** Whether a call under this budget is refused. */
export function isSpent({ workMs, spentMs, hasWritten }: Budget): boolean {
  return spentMs > workMs && !hasWritten
}

/** What such a call is refused with. */
export function spentError({ workMs, limit }: Budget): Error {
  return coreError('too-costly', { limit, most: workMs, unit: 'ms' })
}

/** The same budget for work on a temporary store: its time counts, and its writes are none of the operation's. */
export function scratchBudget(budget: Budget): Budget {
  const { workMs, limit } = budget
  return {
    workMs,
    limit,
    get spentMs() {
      return budget.spentMs
    },
    set spentMs(ms) {
      budget.spentMs = ms
    },
    get hasWritten() {
      return false
    },
    set hasWritten(_) {},
  }
}
