/** What a thread looks like to its callers, now or at one of its commits. */

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

/** A thread as it is. One that this process runs is running, whatever the journal knows yet. */
export function threadState(
  plan: CompiledGraphPlan,
  handle: Handle,
  refs: ThreadRefs,
  resumePoint: ThreadResumePoint,
  isLive: boolean,
): MaybePromise<AnyThreadState> {
  const situation: Situation = isLive ? { status: 'running' } : situationOf(resumePoint)
  const isPending = situation.status !== 'running'
  const loaded = andThen(loadState(plan, handle, resumePoint.head), ({ state }) =>
    isPending ? pendingState(plan, resumePoint, state) : state,
  )
  const next = isPending ? nextNodes(plan, resumePoint) : targetsOf(resumePoint)
  const { facts } = resumePoint
  const failures = [...failuresIn(facts), ...retriedIn(facts.flatMap(({ fact }) => (fact.kind === 'task' ? fact : [])))]
  return andThen(loaded, state => shown(plan, refs, resumePoint, situation, failures, next, () => state))
}

/** The state with all that has happened since the last step. */
export function pendingState(plan: CompiledGraphPlan, { facts }: ThreadResumePoint, state: State): MaybePromise<State> {
  const all = facts.map(({ fact }) => fact)
  return andThen(amendedBase(plan, all, state), base => stateWithFinished(plan, finishedTasks(plan, all), base.state))
}

/**
 * A thread as it was after one of its commits; `newer` is the step that came next.
 *
 * Of a long history few states are looked at: they are made then.
 */
export function pastState(
  plan: CompiledGraphPlan,
  handle: Handle,
  refs: ThreadRefs,
  commit: ThreadCommit,
  newer: StepRecord | undefined,
  versions: StateVersions,
): MaybePromise<AnyThreadState> {
  const failures = newer === undefined ? [] : failuresBefore(newer)
  return andThen(loadVersion(plan, handle, commit.head, versions), state =>
    shown(plan, refs, commit, pastSituation(commit.record, newer), failures, targetsOf(commit), state),
  )
}

/** How the runs from a step ended, as far as that is still known. */
function pastSituation({ next, hold }: StepRecord, newer: StepRecord | undefined): Situation {
  const failure = newer?.failures?.at(-1)
  if (failure !== undefined) return { status: 'failed', node: failure.node, error: failure.error }
  if (hold !== undefined) return { status: 'paused', interrupts: [publicInterrupt(hold)] }
  return { status: next === undefined ? 'done' : 'idle' }
}

function targetsOf({ record }: ThreadCommit): readonly string[] {
  return [...new Set((record.next?.targets ?? []).map(({ node }) => node))]
}

function shown(
  plan: CompiledGraphPlan,
  { id }: ThreadRefs,
  { head }: ThreadCommit,
  situation: Situation,
  failures: readonly FailedAttempt[],
  next: readonly string[],
  state: () => State,
): MaybePromise<AnyThreadState> {
  const common = {
    thread: id,
    commit: hexOfId(head.id),
    timestamp: new Date(head.record.time).toISOString(),
    ...(failures.length === 0 ? {} : { failures: failures.map(one => ({ ...one, error: asError(one.error) })) }),
  }
  if (situation.status === 'done') return withOutput({ ...common, status: 'done' }, plan, state)
  if (situation.status !== 'failed') return withLater({ ...common, next, ...situation }, { state })
  const { node, error } = situation
  return withLater({ ...common, next, status: 'failed', node, error: asError(error) }, { state })
}

function withOutput(done: object, { fields }: CompiledGraphPlan, state: () => State): MaybePromise<AnyThreadState> {
  // A schema of the output may have to be waited for.
  if (fields.hasOutput) return andThen(fields.output(state()), output => withLater({ ...done, output }, { state }))
  return withLater(done, { output: once(() => fields.output(state())), state })
}

/** Adds properties that are made when they are asked for. */
function withLater(shown: object, later: Readonly<Record<string, () => unknown>>): AnyThreadState {
  for (const [name, get] of Object.entries(later)) Object.defineProperty(shown, name, { get, enumerable: true })
  return shown as AnyThreadState
}
