/**
 * How many node functions run at the same time.
 *
 * A slot is held by a function while it works, never while it waits for a graph below it or for its next attempt: so
 * graphs in graphs cannot starve each other, whatever the number. Who waits longest is served first.
 */

export interface Slots {
  /** Undefined when there was a free one. */
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
