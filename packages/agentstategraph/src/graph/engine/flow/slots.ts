/**
 * The limit on node functions that run at the same time.
 *
 * A function holds a slot while it works, and not while it waits for a graph that it runs or for its next attempt. So
 * nested graphs cannot deadlock, whatever the limit. Slots are given out in the order of the requests.
 */

export interface Slots {
  /** Undefined when a slot was free. */
  take(): Promise<void> | undefined
  release(): void
}

export function newSlots(count: number): Slots {
  let free = count
  let waiting: (() => void)[] = []
  let served = 0
  return {
    take() {
      if (free === 0) return new Promise<void>(resolve => waiting.push(resolve))
      free--
      return undefined
    },
    release() {
      const next = waiting[served]
      if (next === undefined) {
        waiting = []
        served = 0
        free++
        return
      }
      served++
      next()
    },
  }
}

/** The slot of one attempt. */
export interface AttemptSlot {
  /** Undefined when a slot was free. */
  take(): Promise<void> | undefined
  release(): void
  /** Gives the slot back while the work runs, because the work takes slots of its own. */
  without<T>(work: () => Promise<T>): Promise<T>
}

export function newAttemptSlot(slots: Slots): AttemptSlot {
  let isHeld = false
  let isOver = false
  let inside = 0
  return {
    take() {
      const turn = slots.take()
      if (turn === undefined) {
        isHeld = true
        return undefined
      }
      return turn.then(() => {
        isHeld = true
      })
    },
    release() {
      isOver = true
      if (isHeld) slots.release()
      isHeld = false
    },
    async without(work) {
      if (inside++ === 0 && isHeld) {
        isHeld = false
        slots.release()
      }
      try {
        return await work()
      } finally {
        if (--inside === 0 && !isOver) {
          await slots.take()
          if (isOver || inside > 0) slots.release()
          else isHeld = true
        }
      }
    },
  }
}
