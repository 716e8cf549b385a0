/**
 * Turns of the event loop, and how long work may fill one.
 *
 * A synchronous backend answers at once, so long work on it would keep timers and sockets waiting. All work of a process
 * shares one budget: when a turn has lasted that long, work waits for another turn before it goes on. A turn resumes one
 * waiter, so several long operations together fill a turn no longer than one of them does.
 */

/** How long, in milliseconds, work fills one turn. */
const BUDGET_MS = 10

export interface EventLoop {
  /** Notes that work begins; the first of a turn starts its budget. */
  begin(): void
  /** Whether work has filled this turn. */
  isTurnOver(): boolean
  /** Resolves in a later turn, in the order of the calls. */
  nextTurn(): Promise<void>
}

/** `now` is monotonic, in milliseconds; `later` calls back in a later turn, after the timers that are due. */
export function newEventLoop(now: () => number, later: (callback: () => void) => void): EventLoop {
  /** When the first work of this turn began; undefined when none did. */
  let began: number | undefined
  const waiting: (() => void)[] = []

  const begin = (): number => {
    if (began !== undefined) return began
    began = now()
    later(endTurn)
    return began
  }
  const endTurn = (): void => {
    began = undefined
    const resume = waiting.shift()
    if (resume === undefined) return
    begin()
    resume()
  }

  return {
    begin,
    isTurnOver: () => now() - begin() >= BUDGET_MS,
    nextTurn() {
      begin()
      return new Promise(resolve => waiting.push(resolve))
    },
  }
}

type Later = (callback: () => void) => void

/** Taken when the module is loaded, so that tests which replace the timers do not stop work. */
const { setImmediate } = globalThis as { readonly setImmediate?: Later }

/** Where there is no `setImmediate`, a message to oneself comes after the timers that are due. */
function byMessage(): Later {
  const { port1, port2 } = new MessageChannel()
  const callbacks: (() => void)[] = []
  port1.onmessage = () => callbacks.shift()?.()
  return callback => {
    callbacks.push(callback)
    port2.postMessage(undefined)
  }
}

/** The event loop of this process. */
export const eventLoop: EventLoop = newEventLoop(() => performance.now(), setImmediate ?? byMessage())
