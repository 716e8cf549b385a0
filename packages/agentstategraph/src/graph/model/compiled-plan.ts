/**
 * A compiled graph as data: the engine runs it, and pictures are drawn from it.
 *
 * `compile` has checked it, so names are not checked again, except those that a route or a node gives at run time. The
 * types of users' states end at the builder and are not known here.
 */

import type { StandardSchema } from '../../core/index.ts'
import type { NodeContext } from './node-context.ts'
import type { NodeOptions } from './node-options.ts'
import type { State, Update } from './run-protocol.ts'
import type { StateFields } from './state-fields.ts'

/** A node: a function from state to an update, a `Command`, or `Send`s. */
export type NodeFunction = (state: State, ctx: NodeContext) => unknown
export type RouteFunction = (state: State, context: unknown) => unknown

export interface PlannedNode {
  readonly name: string
  /** Its index in the order in which nodes were added. The updates of a group are applied in this order. */
  readonly order: number
  /** Not called when the node is a subgraph. */
  readonly run: NodeFunction
  readonly subgraph?: CompiledGraphPlan | undefined
  /** The node's options over the defaults of the graph. */
  readonly options: NodeOptions
}

export interface PlannedRoute {
  readonly route: RouteFunction
  /** The declared targets, with labels for the picture; undefined when none are declared. */
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
   * The nodes that are drawn as joins, each with the sources of its static edges. Where branches wait at run time follows
   * from all ways, not from this list.
   */
  readonly joins: ReadonlyMap<string, readonly string[]>
  readonly interruptBefore: ReadonlySet<string>
  readonly interruptAfter: ReadonlySet<string>
  /** The schema of the context of a run. */
  readonly context?: StandardSchema | undefined
}

export type { State, Update }

/** The plans of compiled graphs. They are not properties of the app, because its callers have no use for them. */
const plans = new WeakMap<object, CompiledGraphPlan>()

export function setPlan(app: object, plan: CompiledGraphPlan): void {
  plans.set(app, plan)
}

export function findPlan(app: object): CompiledGraphPlan | undefined {
  return plans.get(app)
}
