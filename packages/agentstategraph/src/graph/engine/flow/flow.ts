/**
 * A flow: a generator that yields the promises it has to wait for, and nothing else.
 *
 * A flow without promises has ended when `drive` returns, so a graph of synchronous nodes runs without a microtask; the
 * same code waits for asynchronous nodes and run logs. A `MaybePromise` is how one call answers, a flow is how work of
 * several such calls is written. This module knows no tasks and no graph.
 */

import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'

export type Flow<T> = Generator<PromiseLike<unknown>, T, unknown>

/** The value, or what its promise resolves to. */
export function* awaited<T>(value: MaybePromise<T>): Flow<T> {
  return isPromise(value) ? ((yield value) as T) : value
}

/** Runs a flow to its end. The result is a promise only if the flow yields one. */
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
