/**
 * A run as its caller holds it: a promise of the result, and the events as they happen.
 *
 * It begins by itself a moment after it was asked for, so that whoever loops over it at once misses nothing. Whoever leaves
 * the loop of a run that is theirs stops it; who only joined it just leaves.
 */

import type { Run } from '../../model/run-types.ts'
import type { AnyEvent } from './event-hub.ts'

/** What a run does, seen from here. */
export interface Running<Result> {
  readonly result: Promise<Result>
  /** The events of the run, from its beginning or from where the caller wants to join. */
  events(): AsyncIterator<AnyEvent, void, undefined>
  cancel(reason: unknown): void
  /** The caller does not want the rest: whose run it is decides whether it goes on. One that stops has stopped then. */
  leave(): void | Promise<void>
}

/** Stops a run whose loop was left, and waits until it has: the next line may go on with its thread. */
export function stopping(result: Promise<unknown>, cancel: (reason: unknown) => void): () => Promise<void> {
  return () => {
    cancel('the loop over its events was left')
    return result.then(
      () => {},
      () => {},
    )
  }
}

export function runOf<Result, Event>(running: Running<Result>): Run<Result, Event> {
  return new HeldRun(running) as unknown as Run<Result, Event>
}

class HeldRun<Result> implements Run<Result, AnyEvent> {
  readonly [Symbol.toStringTag] = 'Run'
  readonly #running: Running<Result>

  constructor(running: Running<Result>) {
    this.#running = running
  }

  then<A = Result, B = never>(
    onFulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#running.result.then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Result | B> {
    return this.#running.result.catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return this.#running.result.finally(onFinally)
  }

  cancel(reason: unknown = 'it was cancelled'): void {
    this.#running.cancel(reason)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AnyEvent, void, undefined> {
    const { result } = this.#running
    // The loop throws what goes wrong; it need not be awaited a second time.
    result.catch(() => {})
    const events = this.#running.events()
    let isLeft = true
    try {
      for (;;) {
        const next = await events.next()
        if (next.done === true) break
        yield next.value
      }
      isLeft = false
    } catch (error) {
      isLeft = false
      throw error
    } finally {
      if (isLeft) {
        await events.return?.()
        await this.#running.leave()
      }
    }
  }
}
