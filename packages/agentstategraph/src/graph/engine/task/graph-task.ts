/** A task as its attempts see it, and how an attempt ends. */

import type { PlannedNode, State } from '../../model/compiled-plan.ts'
import type { Interrupt } from '../../model/run-protocol.ts'
import type { Applied } from '../../model/state-fields.ts'
import type { Effects } from './effects.ts'
import type { EngineScope } from './engine-scope.ts'
import type { NodeResult } from './node-result.ts'

export interface Task {
  readonly place: EngineScope
  readonly node: PlannedNode
  readonly key: string
  /** The name of the node, with those of the graphs it is in. */
  readonly name: string
  /** The state that its update is applied to. */
  readonly state: State
  readonly depth: number
  readonly effects: Effects
  /** Whether an attempt looked at the context of the run. */
  readonly looked: { isAtContext: boolean }
  /** The state as the node sees it, once for each attempt. What is read counts for all attempts: an effect that one ran, the next is given. */
  view(): { readonly state: State; reads?: (() => readonly string[]) | undefined }
}

export type AttemptEnd =
  | {
      readonly kind: 'done'
      readonly said: NodeResult
      readonly applied: Applied
      readonly depth: number
      readonly reads: readonly string[] | undefined
    }
  | { readonly kind: 'paused'; readonly interrupts: readonly Interrupt[]; readonly stops: readonly unknown[] }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What an attempt has to tell beside its result. */
export interface Notices {
  /** What it waits for, and why it cannot go on at all. */
  readonly asks: Interrupt[]
  readonly stops: unknown[]
  /** How many tasks came one after the other so far, those of graphs it ran included. */
  depth: number
}

/** Ends an attempt that takes too long. It is started when the attempt has its turn. */
export interface Timer {
  start(): void
  stop(): void
}
