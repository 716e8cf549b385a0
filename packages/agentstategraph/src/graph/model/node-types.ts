/**
 * What can be a node, in types: a function, an object with `run` or `invoke`, a compiled graph; and what it may return.
 *
 * `Strict` makes the compiler's message name a returned key that is no field.
 */

import type { CompiledGraph, DeepWritable, GraphTypes } from './graph-types.ts'
import type { NodeContext } from './node-context.ts'
import type { NodeOptions } from './node-options.ts'
import type { Command } from './targets.ts'

/** What a node may return: an update, a Command, or nothing. */
export type Returns<Update> = Update | Command<string, Update> | void

/** A node: a function from state to an update, a `Command`, or `Send`s. */
export type NodeFunction<State, Update = Partial<State>, Context = unknown> = (
  state: State,
  ctx: NodeContext<Context>,
) => Returns<Update> | Promise<Returns<Update>>

/** An object that runs, such as an agent. */
export type NodeAgent<State, Update, Context> =
  | { readonly run: NodeFunction<State, Update, Context> }
  | { readonly invoke: NodeFunction<State, Update, Context> }

/** A node with its options beside it. */
export type NodeObject<State, Update, Context> = NodeAgent<State, Update, Context> & NodeOptions<State, Update>

/** All that can be a node of a graph of these types. */
export type NodeOf<G extends GraphTypes, Options = unknown> =
  | NodeFunction<StateFor<G, Options>, G['update'], G['context']>
  | NodeAgent<StateFor<G, Options>, G['update'], G['context']>

/** The state as a node with these options sees it. */
export type StateFor<G extends GraphTypes, Options> = Options extends { readonly mutable: true }
  ? DeepWritable<G['state']>
  : G['state']

/** No constraint, or a message about the keys that the state does not have. */
export type Strict<F, Update> = [UnknownKey<Returned<F>, Update>] extends [never]
  ? unknown
  : { readonly error: `'${UnknownKey<Returned<F>, Update> & string}' is not a field of the state` }

type Returned<F> =
  F extends CompiledGraph<GraphTypes>
    ? never
    : F extends (...args: never) => infer R
      ? Awaited<R>
      : F extends { readonly run: (...args: never) => infer R }
        ? Awaited<R>
        : F extends { readonly invoke: (...args: never) => infer R }
          ? Awaited<R>
          : never

type UnknownKey<R, Update> =
  R extends Command<string, infer U>
    ? Exclude<keyof NonNullable<U>, keyof Update>
    : R extends object
      ? Exclude<keyof R, keyof Update>
      : never
