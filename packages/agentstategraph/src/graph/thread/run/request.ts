/** What a run needs to know, whoever asked for it. */

import type { Handle } from '../../../repo/index.ts'
import type { Answer } from '../../engine/facts/answers.ts'
import type { NodeCache } from '../../engine/facts/node-cache.ts'
import type { EngineOptions } from '../../engine/run/engine.ts'
import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import type { Step } from '../../model/run-protocol.ts'
import type { ThreadRefs } from '../records/refs.ts'
import type { EventHub } from './event-hub.ts'

/** Where a run is kept. */
export interface RunHome {
  readonly handle: Handle
  readonly refs: ThreadRefs
}

/** Where a run has its time, its ids and its luck from. */
export type RunSources = Pick<EngineOptions, 'now' | 'newId' | 'random' | 'wait'>

export interface RunRequest {
  readonly plan: CompiledGraphPlan
  /** Absent: nothing is kept. */
  readonly home: RunHome | undefined
  /** Input that begins a run, or answers with which one goes on. */
  readonly with: { readonly input: unknown } | { readonly answers: readonly Answer[] }
  readonly context: unknown
  readonly maxSteps: number | undefined
  readonly maxConcurrency: number | undefined
  readonly durability: 'sync' | 'exit' | undefined
  readonly signal: AbortSignal | undefined
  readonly hub: EventHub
  readonly sources: RunSources
  readonly cache: NodeCache | undefined
  /** Whether the caller waits for the result on the spot. */
  readonly isSync: boolean
  /** Whether the thread may be held by somebody: this run is on a branch of its own. */
  readonly isBeside?: boolean | undefined
  /** Told of each step when it is kept. The first is the input, or what a run that goes on comes to. */
  readonly onStep?: ((step: Step) => void) | undefined
}
