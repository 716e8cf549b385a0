/**
 * The builder of graphs, typed by the state.
 *
 * It only collects the definition. Types check the fields and, in a chain of calls, the names of nodes; `compile` checks
 * the rest.
 */

import type { DeepReadonly, InputFrom, StandardSchema, StateFrom, StateSource } from '../../core/index.ts'
import { compile } from '../define/compile.ts'
import type { DefinedEdge, DefinedNode, DefinedRoute, GraphDefinition } from '../define/definition.ts'
import type { InputFor, OnlyFields, Reducers, UpdateFor } from '../define/reducer-types.ts'
import type { GraphTypes, Types } from '../model/graph-types.ts'
import type { MaybePromise } from '../model/maybe-promise.ts'
import { type DefaultOptions, type NodeOptions, optionNames } from '../model/node-options.ts'
import type { NodeFunction, NodeObject, NodeOf, StateFor, Strict } from '../model/node-types.ts'
import type { END, Send, SendBatch, START } from '../model/targets.ts'
import { appOf } from './app.ts'
import type { App, CompileOptions } from './public-types.ts'

/** Where a route may lead. */
export type RouteTarget<N extends string> = N | END | Send<N> | SendBatch<N>

/** Chooses the targets, from the state after the node. */
export type Route<State, N extends string, Context> = (
  state: State,
  context: Context,
) => MaybePromise<RouteTarget<N> | readonly RouteTarget<N>[]>

/** Any name while no node is known: a graph that is built in several statements is checked by `compile`. */
type Known<N extends string> = [N] extends [never] ? string : N

type Nodes<G extends GraphTypes> = {
  readonly [name: string]:
    | NodeFunction<G['state'], G['update'], G['context']>
    | NodeObject<G['state'], G['update'], G['context']>
}

export interface StateGraph<G extends GraphTypes, N extends string = never> {
  /** Only for the compiler, as in a Standard Schema. */
  readonly '~types'?: G | undefined
  /** A node is a function, a compiled graph, or something that has `run` or `invoke`, such as an agent. */
  addNode<
    const K extends string,
    F extends NodeOf<G, O>,
    const O extends NodeOptions<StateFor<G, O>, G['update']> = NodeOptions<G['state'], G['update']>,
  >(name: K, node: F & Strict<F, G['update']>, options?: O): StateGraph<G, N | K>
  /** Adds all nodes at once, so that every name is known to the edges that follow. Options are properties beside `run`. */
  addNodes<Ns extends Nodes<G>>(
    nodes: Ns & { readonly [K in keyof Ns]: Strict<Ns[K], G['update']> },
  ): StateGraph<G, N | (keyof Ns & string)>
  /** `to` runs after `from`. With several sources it waits for those that run at the same time. */
  addEdge(from: Known<N> | START | readonly Known<N>[], to: Known<N> | END): this
  addConditionalEdges(
    from: Known<N> | START,
    route: Route<G['state'], Known<N>, G['context']>,
    /** Where it may lead, with labels for the picture. */
    targets?: readonly (Known<N> | END)[] | { readonly [T in Known<N> | END]?: string },
  ): this
  /** Checks the graph and reports every fault at once. */
  compile(options?: CompileOptions<Known<N>>): App<G, N>
}

/** The constructor of `StateGraph`, by the ways a state can be defined. */
export interface StateGraphConstructor {
  new <
    S extends StateSource,
    const R extends Reducers<StateFrom<S>> = Record<never, never>,
    I extends StateSource = S,
    O extends StateSource = S,
    C = unknown,
  >(definition: {
    /** A Standard Schema, or the initial values. */
    readonly state: S
    readonly reducers?: R & Reducers<StateFrom<S>> & OnlyFields<R, StateFrom<S>>
    /** The input of a run, when it is not the state itself. */
    readonly input?: I | undefined
    /** The output of a run, when it is not the state itself. */
    readonly output?: O | undefined
    readonly context?: StandardSchema<unknown, C> | undefined
    /** Options for all nodes; an option of a node replaces its default. */
    readonly defaults?: DefaultOptions<DeepReadonly<StateFrom<S>>> | undefined
  }): StateGraph<
    Types<
      DeepReadonly<StateFrom<S>>,
      UpdateFor<StateFrom<S>, R>,
      InputFor<InputFrom<I>, R>,
      DeepReadonly<StateFrom<O>>,
      C
    >
  >
}

class Builder {
  readonly #definition: GraphDefinition
  readonly #nodes: DefinedNode[] = []
  readonly #edges: DefinedEdge[] = []
  readonly #routes: DefinedRoute[] = []

  constructor(definition: GraphDefinition) {
    this.#definition = { ...definition }
  }

  addNode(name: string, node: unknown, options: NodeOptions = {}): this {
    this.#nodes.push({ name, node, options: { ...options } })
    return this
  }

  addNodes(nodes: Readonly<Record<string, unknown>>): this {
    for (const [name, node] of Object.entries(nodes)) this.addNode(name, node, optionsBeside(node))
    return this
  }

  addEdge(from: string | readonly string[], to: string): this {
    const sources = typeof from === 'string' ? [from] : from
    for (const source of sources) this.#edges.push({ from: source, to, isJoin: typeof from !== 'string' })
    return this
  }

  addConditionalEdges(
    from: string,
    route: unknown,
    targets?: readonly string[] | Readonly<Record<string, string | undefined>>,
  ): this {
    this.#routes.push({ from, route, targets: targets && labelsOf(targets) })
    return this
  }

  compile(options: CompileOptions<string> = {}): unknown {
    const graph = { definition: this.#definition, nodes: this.#nodes, edges: this.#edges, routes: this.#routes }
    return appOf(compile(graph, options), options)
  }
}

/**
 * Builds a graph of typed control flow.
 *
 * @example
 * ```ts
 * import { END, START, StateGraph } from 'agentstategraph/graph'
 *
 * const app = new StateGraph({ state: { count: 0 } })
 *   .addNode('add', state => ({ count: state.count + 1 }))
 *   .addEdge(START, 'add')
 *   .addEdge('add', END)
 *   .compile()
 * await app.run({ count: 1 }) // { count: 2 }
 * ```
 */
export const StateGraph: StateGraphConstructor = Builder as unknown as StateGraphConstructor

/** The options beside `run` in a plain object. Properties of a class instance are its own. */
function optionsBeside(node: unknown): NodeOptions {
  if (typeof node !== 'object' || node === null || Object.getPrototypeOf(node) !== Object.prototype) return {}
  return Object.fromEntries(Object.entries(node).filter(([name]) => optionNames.includes(name)))
}

function labelsOf(
  targets: readonly string[] | Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string | undefined> {
  if (!Array.isArray(targets)) return new Map(Object.entries(targets))
  return new Map((targets as readonly string[]).map(name => [name, undefined]))
}

/** The state of a graph as its nodes see it. */
export type StateOf<X> = X extends { readonly '~types'?: infer G } ? (NonNullable<G> & GraphTypes)['state'] : never
/** What the nodes of a graph may return. */
export type UpdateOf<X> = X extends { readonly '~types'?: infer G } ? (NonNullable<G> & GraphTypes)['update'] : never
