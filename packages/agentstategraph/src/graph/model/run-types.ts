/** A run as its caller holds it, and its options. */

import type { EventKind } from './event-types.ts'
import type { GraphTypes } from './graph-types.ts'

/** `await` it for the result; `for await` it for the events as they happen. Leaving the loop stops the run. */
export interface Run<Result, Event> extends Promise<Result>, AsyncIterable<Event> {
  cancel(reason?: unknown): void
}

/** Options of `run` and `resume`. */
export interface RunOptions<G extends GraphTypes, E extends EventKind = 'updates'> {
  readonly context?: G['context'] | undefined
  readonly signal?: AbortSignal | undefined
  readonly maxSteps?: number | undefined
  readonly maxConcurrency?: number | undefined
  /** `sync`: each step is kept before the next begins. `exit`: all is kept when the run stops. Default: `sync`. */
  readonly durability?: 'sync' | 'exit' | undefined
  /** The kinds of events that the loop yields. Default: `updates`. */
  readonly events?: readonly E[] | undefined
  /** The last sequence number seen, to join a run that is under way. */
  readonly after?: number | undefined
}
