/**
 * The scope of a chain of tasks: the run, the graph, the fork group and the cancel scope that it belongs to.
 *
 * Every function of the engine below its entry is given one.
 */

import { graphError } from '../../errors.ts'
import type { CompiledGraphPlan, State, Update } from '../../model/compiled-plan.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Position, Target } from '../../model/run-protocol.ts'
import type { Answers } from '../facts/answers.ts'
import type { Events, Tally } from '../facts/events.ts'
import type { FactBuffer } from '../facts/fact-buffer.ts'
import type { NodeCache } from '../facts/node-cache.ts'
import { type CancelScope, within } from '../flow/cancel-scope.ts'
import type { Flow } from '../flow/flow.ts'
import type { Halted } from '../flow/halted.ts'
import type { Slots } from '../flow/slots.ts'
import type { Fork } from '../joins/fork.ts'

export interface Run {
  readonly context: unknown
  readonly thread: string | undefined
  readonly maxSteps: number
  readonly cache: NodeCache | undefined
  readonly facts: FactBuffer
  readonly answers: Answers
  readonly events: Events
  readonly slots: Slots
  readonly isSync: boolean
  /** Effects under way: a run that stops waits for them, so that their results are kept. */
  readonly effects: Set<Promise<unknown>>
  /** Runs a graph inside this run. It is a property because chains import tasks and tasks run chains. */
  readonly nest: (nested: Nested) => Flow<NestedEnd>
  /** The state after the last step. */
  head(): State
  now(): number
  random(): number
  newId(): string
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export interface EngineScope {
  readonly run: Run
  readonly plan: CompiledGraphPlan
  /** The names of the nodes that this graph is inside of, each followed by a slash. */
  readonly path: string
  /** The parent graph, when this one is a node of it. */
  readonly around: CompiledGraphPlan | undefined
  readonly isNested: boolean
  readonly cancelScope: CancelScope
  /** The branch of the innermost fork group that this chain is, and the target that it started with. */
  readonly fork?: Fork | undefined
  readonly member?: { readonly target: Target; readonly tally: Tally } | undefined
}

/** A graph that a task runs. */
export interface Nested {
  readonly scope: EngineScope
  readonly state: State
  readonly position: Position | undefined
  /** The beginning of the addresses of its tasks. */
  readonly key: string
  readonly depth: number
}

export type NestedEnd =
  | {
      readonly kind: 'closed'
      readonly state: State
      readonly updates: readonly Update[]
      readonly depth: number
      /** Its Commands with `graph: 'parent'`. */
      readonly toParent?: readonly ParentCommand[] | undefined
    }
  | Halted

export interface ParentCommand {
  readonly updates: readonly Update[]
  readonly goto?: readonly Target[] | undefined
}

/** Waits for a value within the cancel scope. A synchronous run throws `run-async`, which names `what`. */
export function* waitIn<T>(scope: EngineScope, value: MaybePromise<T>, what: string): Flow<T> {
  if (!isPromise(value)) return value
  if (scope.run.isSync) {
    value.then(undefined, () => {})
    throw graphError('run-async', { what })
  }
  return yield* within(scope.cancelScope, value)
}
