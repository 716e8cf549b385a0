/**
 * How store functions call the backend.
 *
 * A store function is written once, as a generator that yields its requests: nodes, as tree functions do, or calls on the
 * log. `workSync` drives it on a synchronous backend without a promise; `work` awaits each answer.
 */

import { isHint, type Loader, type Need, type Node, type SyncLoader } from '../../tree/index.ts'
import type { Log, SyncLog } from './backend.ts'

/** A call on the log, for both of its forms. */
export interface Call {
  readonly call: (log: Log | SyncLog) => unknown
}

export type Work<T> = Generator<Need | Call, T, never>

/** Calls the log. */
export function* ask<T>(call: (log: Log | SyncLog) => T | Promise<T>): Work<T> {
  return (yield { call }) as T
}

function isCall(need: Need | Call): need is Call {
  return 'call' in need
}

/** Runs work on a synchronous backend. Its errors are thrown inside the generator, where they can be caught. */
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

/** Runs work on a backend that answers with promises. */
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
