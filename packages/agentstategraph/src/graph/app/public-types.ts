/** The public types of compiled graphs. */

import type { Listing, Repository } from '../../repository/index.ts'
import type { EventKind, EventOf } from '../model/event-types.ts'
import type { CompiledGraph, GraphTypes } from '../model/graph-types.ts'
import type { NodeContext } from '../model/node-context.ts'
import type { Run, RunOptions } from '../model/run-types.ts'
import type { ThreadFilter } from '../thread/listing.ts'
import type { Thread, ThreadState } from '../thread/state/public-types.ts'

/** Options of `compile`. */
export interface CompileOptions<N extends string> {
  /** Where runs are kept. Without it threads are kept in memory, with the same meaning. */
  readonly repo?: Repository | undefined
  /** Names the graph in its threads' branches. Needed where one repository holds several. Default: `graph`. */
  readonly name?: string | undefined
  /** Pauses before these nodes. */
  readonly interruptBefore?: readonly N[] | undefined
  /** Pauses after these nodes. */
  readonly interruptAfter?: readonly N[] | undefined
}

/** A graph as data, for drawing it. */
export interface GraphPicture<N extends string = string> {
  readonly nodes: readonly PictureNode<N>[]
  readonly edges: readonly PictureEdge[]
}

/** A node of a drawn graph. */
export interface PictureNode<N extends string = string> {
  readonly name: N
  readonly metadata: Readonly<Record<string, unknown>>
  /** It waits for the branches that lead to it. */
  readonly join: boolean
  /** It waits until nothing else is left to run. */
  readonly defer: boolean
  readonly subgraph?: GraphPicture | undefined
}

/** An edge of a drawn graph. */
export interface PictureEdge {
  readonly from: string
  readonly to: string
  readonly conditional: boolean
  readonly label?: string | undefined
}

/** A compiled graph: it runs, has threads, draws itself, and can be a node of another graph. */
export interface App<G extends GraphTypes, N extends string = string> extends CompiledGraph<G> {
  /** As a node of another graph: fields of the same name are shared, and only what changed comes back. */
  (state: G['input'], ctx: NodeContext): Promise<{ readonly [K in keyof G['output']]?: G['output'][K] | undefined }>
  /** Runs to the end. A pause is an error here (`run-paused`): runs that may pause belong to a thread. */
  run<const E extends EventKind = 'updates'>(
    input: G['input'],
    options?: RunOptions<G, E>,
  ): Run<G['output'], EventOf<G, N, E>>
  runSync(input: G['input'], options?: Pick<RunOptions<G>, 'context' | 'maxSteps'>): G['output']
  /** A conversation, a case, a job: its state outlives the run. The same id is the same thread, in any process. */
  thread(id: string): Thread<G, N>
  threads(
    filter?: ThreadFilter<ThreadState<G, N>['status']>,
  ): Listing<{ readonly id: string; readonly status: ThreadState<G, N>['status'] }>
  getGraph(): GraphPicture<N>
  getMermaid(): string
}
