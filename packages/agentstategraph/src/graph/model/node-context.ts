/** What a node is given beside the state. The engine makes one for each attempt. */

import type { StandardSchema } from '../../core/index.ts'
import type { CompiledGraph, GraphTypes } from './graph-types.ts'

/** What a node receives beside the state: signal, attempt, `interrupt`, `once`. */
export interface NodeContext<Context = unknown> {
  readonly context: Context
  /** Aborts when the run is cancelled or this attempt times out. */
  readonly signal: AbortSignal
  readonly node: string
  /** From 1. */
  readonly attempt: number
  readonly thread?: string | undefined
  /** Pauses here until there is an answer. With a schema the answer is checked before the run goes on. */
  interrupt<A = unknown>(payload: unknown, answer?: StandardSchema<unknown, A>): Promise<A>
  /** Runs an effect once: after a pause or a crash its recorded result is used. */
  once<T>(name: string, effect: () => T | Promise<T>): Promise<T>
  /** Runs another graph as part of this one: its pauses, events and state belong to this run. */
  run<H extends GraphTypes>(app: CompiledGraph<H>, input: H['input']): Promise<H['output']>
  /** Emits an event of kind `custom`. */
  emit(data: unknown): void
  /** Emits an event of kind `messages`: a chunk of a message from a model. */
  message(chunk: unknown): void
}
