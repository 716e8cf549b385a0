/** All that a run needs, whether a thread, an app or `runSync` starts it. */

import type { Handle } from '../../../repo/index.ts'
import type { Answer } from '../../engine/facts/answers.ts'
import type { NodeCache } from '../../engine/facts/node-cache.ts'
import type { EngineOptions } from '../../engine/run/engine.ts'
import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import type { Step } from '../../model/run-protocol.ts'
import type { ThreadRefs } from '../records/refs.ts'
import type { EventHub } from './event-hub.ts'

/** The thread that a run is kept in. */
export interface RunHome {
  readonly handle: Handle
  readonly refs: ThreadRefs
}

/** The clock, ids, random numbers and timers of a run. */
export type RunSources = Pick<EngineOptions, 'now' | 'newId' | 'random' | 'wait'>

export interface RunRequest {
  readonly plan: CompiledGraphPlan
  /** Undefined: nothing is kept. */
  readonly home: RunHome | undefined
  /** The input of a new run, or the answers of a resume. */
  readonly with: { readonly input: unknown } | { readonly answers: readonly Answer[] }
  readonly context: unknown
  readonly maxSteps: number | undefined
  readonly maxConcurrency: number | undefined
  readonly durability: 'sync' | 'exit' | undefined
  readonly signal: AbortSignal | undefined
  readonly hub: EventHub
  readonly sources: RunSources
  readonly cache: NodeCache | undefined
  /** Whether the caller is `runSync`. */
  readonly isSync: boolean
  /** Whether another run may hold the thread: this run is on a branch of its own. */
  readonly isBeside?: boolean | undefined
  /** Called with each step when it is kept. */
  readonly onStep?: ((step: Step) => void) | undefined
}
