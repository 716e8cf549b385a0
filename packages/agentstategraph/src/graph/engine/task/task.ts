/** A graph task as its attempts share it, and how an attempt ends. Attempts, contexts and subgraphs all use these types. */

import type { PlannedNode, State } from '../../model/compiled-plan.ts'
import type { Interrupt, Target, TaskKey } from '../../model/run-protocol.ts'
import type { Applied } from '../../model/state-fields.ts'
import type { Effects } from './effects.ts'
import type { EngineScope } from './engine-scope.ts'
import type { NodeResult } from './node-result.ts'

export interface Task {
  readonly scope: EngineScope
  readonly node: PlannedNode
  readonly target: Target
  readonly key: TaskKey
  /** The name of the node, with those of the graphs that it is in. */
  readonly name: string
  /** The state that its update is applied to. */
  readonly state: State
  readonly depth: number
  readonly effects: Effects
  /** Whether an attempt read the context of the run. */
  readonly contextUse: { isRead: boolean }
}

export type AttemptEnd =
  | {
      readonly kind: 'done'
      readonly nodeResult: NodeResult
      readonly applied: Applied
      readonly depth: number
      readonly reads: readonly string[] | undefined
    }
  | { readonly kind: 'paused'; readonly interrupts: readonly Interrupt[]; readonly stops: readonly unknown[] }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What an attempt reports beside its result. */
export interface AttemptReport {
  /** Interrupts without an answer. */
  readonly interrupts: Interrupt[]
  /** Errors that end the run: answers that an interrupt refused. */
  readonly stops: unknown[]
  /** How many tasks ran one after the other so far, those of called graphs included. */
  depth: number
}
