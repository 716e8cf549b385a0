/**
 * How many reads of a page are under way at once.
 *
 * To one server a browser has six connections; through a proxy with HTTP/2 it has no such limit. A table would then ask for all its
 * cells together, and the server refuses more than 32 requests of one key.
 */

/** Waits for a turn and does the work. Throws the reason of the signal when it aborts before. */
export type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

export function turnsOf(most: number): InTurn {
  let underWay = 0
  const waiting = new Set<() => void>()

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.add(resolve)
      signal?.addEventListener('abort', () => waiting.delete(resolve) && reject(signal.reason), { once: true })
    })
  }

  return async (work, signal) => {
    signal?.throwIfAborted()
    if (underWay < most) underWay += 1
    else await turn(signal)
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next === undefined) underWay -= 1
      else {
        waiting.delete(next)
        next()
      }
    }
  }
}
