/**
 * A compiled graph, as data: what the engine runs, what pictures are drawn from.
 *
 * The builder makes it and `compile` has found it sound, so nobody who holds a plan checks names again, except those that
 * a route or a node gives at run time. It knows no types of users' states: those end at the builder.
 */

import type { StandardSchema } from '../../core/index.ts'
import type { State, Update } from './graph-state.ts'
import type { NodeContext } from './node-context.ts'
import type { NodeOptions } from './node-options.ts'
import type { StateFields } from './state-fields.ts'
import type { Command, Send, SendBatch } from './targets.ts'

export type RouteTarget = string | Send | SendBatch
export type NodeFunction = (state: State, ctx: NodeContext) => unknown
export type RouteFunction = (state: State, context: unknown) => unknown

export interface PlannedNode {
  readonly name: string
  /** Its place in the order in which nodes were added. Deltas of a group are applied in this order. */
  readonly order: number
  /** The function to call, or the graph that is this node. */
  readonly run: NodeFunction
  readonly subgraph?: CompiledGraphPlan | undefined
  /** With the graph's defaults filled in. */
  readonly options: NodeOptions
}

export interface PlannedRoute {
  readonly route: RouteFunction
  /** Where it may lead as far as somebody said so, with labels for the picture. */
  readonly targets?: ReadonlyMap<string, string | undefined> | undefined
}

export interface CompiledGraphPlan {
  readonly name: string
  readonly fields: StateFields
  readonly nodes: ReadonlyMap<string, PlannedNode>
  /** Static edges by source, START included, in declared order. */
  readonly edges: ReadonlyMap<string, readonly string[]>
  /** Conditional edges by source, START included, in declared order. */
  readonly routes: ReadonlyMap<string, readonly PlannedRoute[]>
  /**
   * The nodes that are drawn as joins, each with the nodes that lead to it by a static edge: those that several edges
   * lead to or that have a rule for it. Where branches wait at run time follows from all ways, not from this list.
   */
  readonly joins: ReadonlyMap<string, readonly string[]>
  readonly interruptBefore: ReadonlySet<string>
  readonly interruptAfter: ReadonlySet<string>
  /** What the context of a run has to fit. */
  readonly context?: StandardSchema | undefined
}

export type { Command, Send, SendBatch, State, Update }
