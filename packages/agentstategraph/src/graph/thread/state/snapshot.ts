/** The state of a thread as its callers see it, now or at one of its commits. */

import { hexOfId } from '../../../core/index.ts'
import type { Handle } from '../../../repo/index.ts'
import { publicInterrupt } from '../../engine/task/interrupts.ts'
import { asError } from '../../errors.ts'
import type { CompiledGraphPlan, State } from '../../model/compiled-plan.ts'
import type { GraphTypes } from '../../model/graph-types.ts'
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts'
import type { FailedAttempt } from '../../model/run-protocol.ts'
import { failuresBefore, failuresIn, retriedIn } from '../records/failures.ts'
import type { ThreadRefs } from '../records/refs.ts'
import type { StepRecord } from '../records/steps.ts'
import { amendedBase, finishedTasks, nextNodes, stateWithFinished } from './pending-work.ts'
import type { ThreadState } from './public-types.ts'
import { type Situation, situationOf, type ThreadCommit, type ThreadResumePoint } from './resume-point.ts'
import { loadState, loadVersion } from './stored-state.ts'
import { once, type StateVersions } from './versions.ts'

export type AnyThreadState = ThreadState<GraphTypes>

/** A thread and the graph that reads it. */
export interface OpenThread {
  readonly plan: CompiledGraphPlan
  readonly handle: Handle
  readonly refs: ThreadRefs
}

/** The current state of a thread. A thread with a live run in this process is `running`, whatever the journal says. */
export function threadState(
  thread: OpenThread,
  resumePoint: ThreadResumePoint,
  isLive: boolean,
): MaybePromise<AnyThreadState> {
  const { plan, handle } = thread
  const situation: Situation = isLive ? { status: 'running' } : situationOf(resumePoint)
  const isPending = situation.status !== 'running'
  const next = isPending ? nextNodes(plan, resumePoint) : targetsOf(resumePoint)
  const { facts } = resumePoint
  const failures = [...failuresIn(facts), ...retriedIn(facts.flatMap(({ fact }) => (fact.kind === 'task' ? fact : [])))]
  const loaded = andThen(loadState(plan, handle, resumePoint.head), ({ state }) =>
    isPending ? pendingState(plan, resumePoint, state) : state,
  )
  return andThen(loaded, state => shown(thread, resumePoint, { situation, failures, next, state: () => state }))
}

/** The state of the head with the results since the last step. */
export function pendingState(plan: CompiledGraphPlan, { facts }: ThreadResumePoint, state: State): MaybePromise<State> {
  const all = facts.map(({ fact }) => fact)
  return andThen(amendedBase(plan, all, state), base => stateWithFinished(plan, finishedTasks(plan, all), base.state))
}

/**
 * A thread as it was after one of its commits; `newer` is the step that followed.
 *
 * The state is decoded when it is first read, because few states of a long history are.
 */
export function pastState(
  thread: OpenThread,
  commit: ThreadCommit,
  newer: StepRecord | undefined,
  versions: StateVersions,
): MaybePromise<AnyThreadState> {
  const situation = pastSituation(commit.record, newer)
  const failures = newer === undefined ? [] : failuresBefore(newer)
  return andThen(loadVersion(thread.plan, thread.handle, commit.head, versions), state =>
    shown(thread, commit, { situation, failures, next: targetsOf(commit), state }),
  )
}

/** How the run from a step ended, as far as the next step tells. */
function pastSituation({ next, hold }: StepRecord, newer: StepRecord | undefined): Situation {
  const failure = newer?.failures?.at(-1)
  if (failure !== undefined) return { status: 'failed', node: failure.node, error: failure.error }
  if (hold !== undefined) return { status: 'paused', interrupts: [publicInterrupt(hold)] }
  return { status: next === undefined ? 'done' : 'idle' }
}

function targetsOf({ record }: ThreadCommit): readonly string[] {
  return [...new Set((record.next?.targets ?? []).map(({ node }) => node))]
}

interface Findings {
  readonly situation: Situation
  readonly failures: readonly FailedAttempt[]
  readonly next: readonly string[]
  state(): State
}

function shown(
  { plan, refs }: OpenThread,
  { head }: ThreadCommit,
  { situation, failures, next, state }: Findings,
): MaybePromise<AnyThreadState> {
  const common = {
    thread: refs.id,
    commit: hexOfId(head.id),
    timestamp: new Date(head.record.time).toISOString(),
    ...(failures.length === 0 ? {} : { failures: failures.map(one => ({ ...one, error: asError(one.error) })) }),
  }
  if (situation.status === 'done') return withOutput({ ...common, status: 'done' }, plan, state)
  if (situation.status !== 'failed') return withLazy({ ...common, next, ...situation }, { state })
  const { node, error } = situation
  return withLazy({ ...common, next, status: 'failed', node, error: asError(error) }, { state })
}

function withOutput(done: object, { fields }: CompiledGraphPlan, state: () => State): MaybePromise<AnyThreadState> {
  // The output schema may be asynchronous, so the output is not computed lazily.
  if (fields.hasOutput) return andThen(fields.output(state()), output => withLazy({ ...done, output }, { state }))
  return withLazy(done, { output: once(() => fields.output(state())), state })
}

/** Adds properties that are computed when they are read. */
function withLazy(shown: object, lazy: Readonly<Record<string, () => unknown>>): AnyThreadState {
  for (const [name, get] of Object.entries(lazy)) Object.defineProperty(shown, name, { get, enumerable: true })
  return shown as AnyThreadState
}
