/**
 * How store functions call the backend.
 *
 * A store function is written once, as a generator that yields its requests: nodes, as tree functions do, or calls on the
 * log. `workSync` drives it on a synchronous backend without a promise; `work` awaits each answer.
 *
 * Long work yields `pausePoint` where other work may run. A driver that can wait then lets the event loop turn when this
 * work has filled its turn. What a backend does in one call, such as an append, is never interrupted.
 */

import { isHint, isPausePoint, type Loader, type Need, type Node, type SyncLoader } from '../../tree/index.ts'
import type { Log, SyncLog } from './backend.ts'
import { StoreLocked } from './lock.ts'

/** A call on the log, for both of its forms. */
export interface Call {
  readonly call: (log: Log | SyncLog) => unknown
}

/** A promise that work waits for, and that never fails. What was read before may be out of date after it. */
export interface Wait {
  readonly until: Promise<void>
}

/** What work yields and a driver answers. */
export type Unanswered = Need | Call | Wait

export type Work<T> = Generator<Unanswered, T, never>

/** Calls the log. */
export function* ask<T>(call: (log: Log | SyncLog) => T | Promise<T>): Work<T> {
  return (yield { call }) as T
}

function isCall(need: Unanswered): need is Call {
  return 'call' in need
}

export function isWait(need: Unanswered): need is Wait {
  return 'until' in need
}

/** Runs work on a synchronous backend. Its errors are thrown inside the generator, where they can be caught. */
export function workSync<T>(steps: Work<T>, log: SyncLog, loader: SyncLoader): T {
  for (;;) {
    const step = workSlice(steps, log, loader, isNeverDue)
    if (step.done === true) return step.value
  }
}

function isNeverDue(): boolean {
  return false
}

/**
 * Runs work on a synchronous backend to its end, to a point where it may pause and `isDue` says that it has to, to a promise, or to a
 * call that finds the store locked: that call is to be given as `unanswered` to go on.
 */
export function workSlice<T>(
  steps: Work<T>,
  log: SyncLog,
  loader: SyncLoader,
  isDue: () => boolean,
  unanswered?: Unanswered,
): IteratorResult<Unanswered, T> {
  let step = unanswered === undefined ? steps.next() : { done: false as const, value: unanswered }
  while (step.done !== true) {
    const need = step.value
    let answer: unknown
    try {
      if (isCall(need)) answer = need.call(log)
      else if (isPausePoint(need)) {
        if (isDue()) return step
      } else if (isHint(need)) answer = loader.loadAll(need)
      else if (isWait(need)) return step
      else answer = loader.load(need) satisfies Node
    } catch (e) {
      if (e instanceof StoreLocked) return step
      step = steps.throw(e)
      continue
    }
    step = steps.next(answer as never)
  }
  return step
}

/** Runs work on a backend that answers with promises. */
export async function work<T>(steps: Work<T>, log: Log, loader: Loader): Promise<T> {
  let step = steps.next()
  while (step.done !== true) {
    const need = step.value
    let answer: unknown
    try {
      if (isPausePoint(need)) {
        if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
      } else if (isCall(need)) answer = await need.call(log)
      else if (isHint(need)) answer = await loader.loadAll(need)
      else if (isWait(need)) await need.until
      else answer = await loader.load(need)
    } catch (e) {
      step = steps.throw(e)
      continue
    }
    step = steps.next(answer as never)
  }
  return step.value
}

/** How long, in milliseconds, work fills one turn. */
const BUDGET_MS = 10

/**
 * Turns of the event loop, and how long work may fill one.
 *
 * A synchronous backend answers at once, so long work on it would keep timers and sockets waiting. All work of a process
 * shares one budget: when a turn has lasted that long, work waits for another turn before it goes on. A turn resumes one
 * waiter, so several long operations together fill a turn no longer than one of them does.
 */
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
