/** Appends that wait while one is under way: they are taken in groups, and each gets an answer of its own. */
import type { Append, Appended } from '../store/contract/backend.ts'

export interface WaitingAppend {
  readonly batch: Append
  resolve(appended: Appended): void
  reject(error: unknown): void
}

/** What became of one append of a group; undefined when it had no room. */
export type AppendOutcome = { readonly appended: Appended } | { readonly error: unknown } | undefined

export interface AppendQueue {
  readonly length: number
  add(batch: Append): Promise<Appended>
  /** The first of those that wait, at most so many. They do not wait any more. */
  take(most: number): WaitingAppend[]
  /** Answers a group. Those that had no room go back to the head of the queue. */
  settle(group: readonly WaitingAppend[], outcomes: readonly AppendOutcome[]): void
}

export function appendQueue(): AppendQueue {
  let waiting: WaitingAppend[] = []
  return {
    get length() {
      return waiting.length
    },
    add: batch => new Promise((resolve, reject) => waiting.push({ batch, resolve, reject })),
    take(most) {
      const taken = waiting.slice(0, most)
      waiting = waiting.slice(taken.length)
      return taken
    },
    settle(group, outcomes) {
      const left: WaitingAppend[] = []
      for (const [i, one] of group.entries()) {
        const outcome = outcomes[i]
        if (outcome === undefined) left.push(one)
        else if ('error' in outcome) one.reject(outcome.error)
        else one.resolve(outcome.appended)
      }
      waiting = left.concat(waiting)
    },
  }
}
