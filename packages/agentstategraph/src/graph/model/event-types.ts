/** The events of a run, as its callers see them. */

import type { GraphTypes } from './graph-types.ts'
import type { Interrupt } from './run-protocol.ts'

/** How many of the known tasks of the open fork groups have ended. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** Something that happened in a run. */
export type GraphEvent<G extends GraphTypes, N extends string = string> = {
  readonly seq: number
  readonly thread?: string | undefined
} & (
  | { readonly kind: 'values'; readonly state: G['state'] }
  | { readonly kind: 'updates'; readonly node: N; readonly update: G['update']; readonly cached: boolean }
  | {
      readonly kind: 'tasks'
      readonly node: N
      readonly phase: 'start' | 'retry' | 'end' | 'fail' | 'pause'
      readonly attempt: number
      readonly progress: Progress
      readonly error?: Error | undefined
      readonly interrupt?: Interrupt | undefined
    }
  | { readonly kind: 'messages'; readonly node: N; readonly chunk: unknown }
  | { readonly kind: 'custom'; readonly node: N; readonly data: unknown }
  | { readonly kind: 'debug'; readonly detail: unknown }
)

/** The kinds of events that a run can tell. */
export type EventKind = GraphEvent<GraphTypes>['kind']

/** The events of these kinds. */
export type EventOf<G extends GraphTypes, N extends string, E extends EventKind> = Extract<
  GraphEvent<G, N>,
  { readonly kind: E }
>
