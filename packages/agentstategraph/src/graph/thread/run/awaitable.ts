/**
 * A run as its caller holds it: a promise of the result, and an iterable of the events.
 *
 * A run begins asynchronously, so that a caller who loops over it at once misses nothing. Leaving the loop stops a run,
 * but not one that was only joined.
 */

import type { Run } from '../../model/run-types.ts'
import type { AnyEvent } from './event-hub.ts'

/** A run that has been started or joined. */
export interface Running<Result> {
  readonly result: Promise<Result>
  /** The events of the run, from its beginning or from where the caller joins. */
  events(): AsyncIterator<AnyEvent, void, undefined>
  cancel(reason: unknown): void
  /** The caller has left the loop. The promise resolves when a run that stops for this has stopped. */
  leave(): void | Promise<void>
}

/** Stops a run whose loop was left, and waits for its end, so that the caller can use the thread again. */
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
    // The loop throws the error, so the result need not be awaited as well.
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
