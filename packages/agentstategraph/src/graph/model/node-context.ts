/**
 * What a node is given beside the state.
 *
 * Only the type: the engine makes it, one for each attempt.
 */

import type { StandardSchema } from '../../core/index.ts'
import type { CompiledGraph, GraphTypes } from './graph-types.ts'

export interface NodeContext<Context = unknown> {
  readonly context: Context
  /** Aborts when the run is cancelled or this attempt has run out of time. */
  readonly signal: AbortSignal
  readonly node: string
  /** From 1. */
  readonly attempt: number
  readonly thread?: string | undefined
  /** Pauses here until someone answers. With a schema the answer is checked before the run goes on. */
  interrupt<A = unknown>(payload: unknown, answer?: StandardSchema<unknown, A>): Promise<A>
  /** Runs an effect once: after a pause or a crash its recorded result is used. */
  once<T>(name: string, effect: () => T | Promise<T>): Promise<T>
  /** Runs another graph as part of this one: its pauses, events and state belong to this run. */
  run<H extends GraphTypes>(app: CompiledGraph<H>, input: H['input']): Promise<H['output']>
  /** Tells whoever watches the run: an event of kind `custom`. */
  emit(data: unknown): void
  /** A piece of a message as a model gives it: an event of kind `messages`. */
  message(chunk: unknown): void
}
