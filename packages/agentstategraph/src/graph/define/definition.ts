/**
 * A graph as the builder has collected it, in the order of the calls and unchecked.
 *
 * Nodes may be added after the edges that name them, so only `compile` can check it.
 */

import type { NodeOptions } from '../model/node-options.ts'

/** The argument of `new StateGraph`. */
export interface GraphDefinition {
  readonly state: unknown
  readonly reducers?: Readonly<Record<string, unknown>> | undefined
  readonly input?: unknown
  readonly output?: unknown
  readonly context?: unknown
  readonly defaults?: NodeOptions | undefined
}

export interface DefinedNode {
  readonly name: string
  /** A function, a compiled graph, or something with `run` or `invoke`. */
  readonly node: unknown
  readonly options: NodeOptions
}

export interface DefinedEdge {
  readonly from: string
  readonly to: string
  /** One of several sources of one `addEdge`: the target waits for all of them. */
  readonly isJoin: boolean
}

export interface DefinedRoute {
  readonly from: string
  readonly route: unknown
  readonly targets?: ReadonlyMap<string, string | undefined> | undefined
}

export interface DefinedGraph {
  readonly definition: GraphDefinition
  readonly nodes: readonly DefinedNode[]
  readonly edges: readonly DefinedEdge[]
  readonly routes: readonly DefinedRoute[]
}

/** The options of `compile`. */
export interface UncheckedOptions {
  readonly repo?: unknown
  readonly name?: string | undefined
  readonly interruptBefore?: readonly string[] | undefined
  readonly interruptAfter?: readonly string[] | undefined
}
