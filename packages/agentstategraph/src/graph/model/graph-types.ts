/** The types of one graph. How they follow from its definition is in `reducer-types.ts`. */

import type { Whole } from '../../core/index.ts'

/** The types of one graph, carried as one parameter. */
export interface GraphTypes {
  state: unknown
  update: unknown
  input: unknown
  output: unknown
  context: unknown
}

/** The types of a graph: state, update, input, output and context. */
export interface Types<State, Update, Input, Output, Context> extends GraphTypes {
  state: State
  update: Update
  input: Input
  output: Output
  context: Context
}

/** A compiled graph as another graph takes it for a node. */
export interface CompiledGraph<G extends GraphTypes> {
  /** Only for the compiler, as in a Standard Schema. */
  readonly '~types'?: G | undefined
  getMermaid(): string
}

/** A type with every part writable: the state of a node with `mutable: true`. */
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
