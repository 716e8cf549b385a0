/**
 * The types of one graph, and how they follow from what defines it.
 *
 * Everything that a user's state can say about types is said here and in `reducer-types.ts`; at run time none of it is left.
 */

import type { Whole } from '../../core/index.ts'

/** The types of one graph, carried as one parameter. */
export interface GraphTypes {
  state: unknown
  update: unknown
  input: unknown
  output: unknown
  context: unknown
}

export interface Types<State, Update, Input, Output, Context> extends GraphTypes {
  state: State
  update: Update
  input: Input
  output: Output
  context: Context
}

/** A compiled graph without its calls: what another graph needs to know of it. */
export interface CompiledGraph<G extends GraphTypes> {
  /** For the compiler alone, as in a Standard Schema. */
  readonly '~types'?: G | undefined
  getMermaid(): string
}

/** A type with every part writable, as nodes that asked for a copy of their own see states. */
export type DeepWritable<V> = 0 extends 1 & V
  ? V
  : V extends Whole
    ? V
    : V extends ReadonlyMap<infer K, infer E>
      ? Map<DeepWritable<K>, DeepWritable<E>>
      : V extends ReadonlySet<infer E>
        ? Set<DeepWritable<E>>
        : V extends object
          ? { -readonly [K in keyof V]: DeepWritable<V[K]> }
          : V
