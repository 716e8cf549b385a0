/**
 * How many node functions run at the same time.
 *
 * A slot is held by a function while it works, never while it waits for a graph below it or for its next attempt: so
 * graphs in graphs cannot starve each other, whatever the number. Who waits longest is served first.
 */

import type { Flow } from './flow.ts'

export interface Slots {
  take(): Flow<void>
  release(): void
}

export function newSlots(count: number): Slots {
  let free = count
  let waiting: (() => void)[] = []
  let served = 0
  return {
    *take() {
      if (free > 0) free--
      else yield new Promise<void>(resolve => waiting.push(resolve))
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
