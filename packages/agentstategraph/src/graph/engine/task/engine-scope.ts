/**
 * A run, and where in it a chain of tasks goes on.
 *
 * Everything below the engine's entry is handed one of these: it says which graph, how deep, and how long.
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
  /** Effects under way: a run that stops lets them end, so that what they did is known. */
  readonly effects: Set<Promise<unknown>>
  /** Runs a graph inside this run. Here, because graphs hold tasks and tasks hold graphs. */
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
  /** The names of the nodes that this graph is inside of, each with a slash after it. */
  readonly path: string
  /** The graph that this one is a node of. */
  readonly around: CompiledGraphPlan | undefined
  readonly isNested: boolean
  readonly life: CancelScope
  /** The branch of the innermost fork group that this chain is, and what it started with. */
  readonly fork?: Fork | undefined
  readonly member?: { readonly target: Target; readonly tally: Tally } | undefined
}

/** A graph that a task runs. */
export interface Nested {
  readonly place: EngineScope
  readonly state: State
  readonly position: Position | undefined
  /** The address below which its tasks have theirs. */
  readonly key: string
  readonly depth: number
}

export type NestedEnd =
  | {
      readonly kind: 'closed'
      readonly state: State
      readonly updates: readonly Update[]
      readonly depth: number
      /** What it said to the graph around it, when it did. */
      readonly toParent?: readonly ParentCommand[] | undefined
    }
  | Halted

export interface ParentCommand {
  readonly updates: readonly Update[]
  readonly goto?: readonly Target[] | undefined
}

/** Waits for what may take time, as long as the place's life lasts and the run may wait at all. */
export function* waitAt<T>(place: EngineScope, value: MaybePromise<T>, what: string): Flow<T> {
  if (!isPromise(value)) return value as T
  if (place.run.isSync) {
    value.then(undefined, () => {})
    throw graphError('run-async', { what })
  }
  return yield* within(place.life, value as Promise<T>)
}
