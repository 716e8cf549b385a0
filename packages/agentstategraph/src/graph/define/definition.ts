/**
 * A graph as it was told to the builder, in the order of telling, with nothing checked yet.
 *
 * Nodes may be added after the edges that name them, so what is wrong can be said only when all is told: `compile` does.
 */

import type { NodeOptions } from '../model/node-options.ts'

/** What was given to `new StateGraph`. */
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
  /** Told as one of several sources: the target waits for them. */
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

/** What was asked of `compile`. */
export interface UncheckedOptions {
  readonly repo?: unknown
  readonly name?: string | undefined
  readonly interruptBefore?: readonly string[] | undefined
  readonly interruptAfter?: readonly string[] | undefined
}
