/**
 * How store functions ask the backend.
 *
 * A store function is written once, as a generator that yields what it needs: nodes, as tree functions do, or a call on
 * the log. Driven by `workSync` on a backend that answers at once, it never waits; driven by `work`, it awaits each
 * answer. Nothing above has to be written twice.
 */

import { isHint, type Loader, type Need, type Node, type SyncLoader } from '../../tree/index.ts'
import type { Log, SyncLog } from './backend.ts'

/** A call on the log, whichever of its two forms the driver has. */
export interface Call {
  readonly call: (log: Log | SyncLog) => unknown
}

export type Work<T> = Generator<Need | Call, T, never>

/** Asks the log. */
export function* ask<T>(call: (log: Log | SyncLog) => T | Promise<T>): Work<T> {
  return (yield { call }) as T
}

function isCall(need: Need | Call): need is Call {
  return 'call' in need
}

/** Does work on a store that answers at once. What the store throws is thrown where it was asked, so it can be caught. */
export function workSync<T>(steps: Work<T>, log: SyncLog, loader: SyncLoader): T {
  let step = steps.next()
  while (step.done !== true) {
    const need = step.value
    let answer: unknown
    try {
      if (isCall(need)) answer = need.call(log)
      else if (isHint(need)) answer = loader.loadAll(need)
      else answer = loader.load(need) satisfies Node
    } catch (e) {
      step = steps.throw(e)
      continue
    }
    step = steps.next(answer as never)
  }
  return step.value
}

/** Does work on a store that answers later. */
export async function work<T>(steps: Work<T>, log: Log, loader: Loader): Promise<T> {
  let step = steps.next()
  while (step.done !== true) {
    const need = step.value
    let answer: unknown
    try {
      if (isCall(need)) answer = await need.call(log)
      else if (isHint(need)) answer = await loader.loadAll(need)
      else answer = await loader.load(need)
    } catch (e) {
      step = steps.throw(e)
      continue
    }
    step = steps.next(answer as never)
  }
  return step.value
}
