/**
 * Work that waits only where it must.
 *
 * A flow is a generator that yields the promises it has to wait for and nothing else. One that meets no promise is over
 * when the call that drives it returns, so a graph of synchronous nodes runs without a single tick; the same code serves
 * nodes and keepers that take their time. A flow knows no tasks and no graph.
 */

import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'

export type Flow<T> = Generator<PromiseLike<unknown>, T, unknown>

/** The value itself, after a wait when it is a promise. */
export function* awaited<T>(value: MaybePromise<T>): Flow<T> {
  return isPromise(value) ? ((yield value) as T) : (value as T)
}

/** Runs a flow to its end: at once if it never waits. */
export function drive<T>(flow: Flow<T>): MaybePromise<T> {
  const first = flow.next()
  return first.done === true ? first.value : driveOn(flow, first.value)
}

async function driveOn<T>(flow: Flow<T>, awaiting: PromiseLike<unknown>): Promise<T> {
  let waiting = awaiting
  for (;;) {
    const arrived = await outcomeOf(waiting)
    const next = 'error' in arrived ? flow.throw(arrived.error) : flow.next(arrived.value)
    if (next.done === true) return next.value
    waiting = next.value
  }
}

function outcomeOf(
  promise: PromiseLike<unknown>,
): PromiseLike<{ readonly value: unknown } | { readonly error: unknown }> {
  return promise.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  )
}
