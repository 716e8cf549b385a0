/**
 * Executes a run: reads the resume point, lands the input or begins with the answers, runs the engine, and ends the run log.
 *
 * It waits only where nodes or the backend do, so the same code serves `run` and `runSync`.
 */

import { accessError, assertWritable, checkedText, type Handle } from '../../../repo/index.ts'
import type { StoredCommit } from '../../../store/index.ts'
import { awaited, type Flow } from '../../engine/flow/flow.ts'
import { runPlan } from '../../engine/run/engine.ts'
import { positionAfter } from '../../engine/task/route.ts'
import { graphError } from '../../errors.ts'
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Change, Outcome, ResumePoint, RunLog, Step } from '../../model/run-protocol.ts'
import { START } from '../../model/targets.ts'
import { assertComplete, assertFits } from '../state/compatibility.ts'
import { amendedBase } from '../state/pending-work.ts'
import { findResumePoint, getResumePoint, situationOf, type ThreadResumePoint } from '../state/resume-point.ts'
import { loadState, setField } from '../state/stored-state.ts'
import { numbersAfter } from './event-hub.ts'
import { JournalRunLog } from './journal-run-log.ts'
import { lastNumber, numberedRunLog } from './numbered-events.ts'
import type { RunHome, RunRequest } from './request.ts'

/** The outcome of a run and, on a thread, the step that ended the graph. */
export type RunOutcome = Outcome & { readonly lastStep?: StoredCommit | undefined }

/** Runs until the graph ends, pauses or fails. Errors that belong to no task are thrown. */
export function* executeRun(request: RunRequest): Flow<RunOutcome> {
  const { home } = request
  if (home !== undefined) assertWritable(home.handle.shared, 'run')
  return 'input' in request.with
    ? yield* runInput(request, request.with.input)
    : yield* resume(request, home!, request.with.answers)
}

function* runInput(request: RunRequest, input: unknown): Flow<RunOutcome> {
  const { plan, home, context, hub } = request
  const known =
    home === undefined
      ? undefined
      : yield* awaited(home.handle.journal.perform(findResumePoint(home.handle, home.refs)))
  if (known?.isHeld === true && request.isBeside !== true) throw graphError('run-busy', { thread: home!.refs.id })
  if (known !== undefined) hub.startAfter(numbersAfter(lastNumber(known)))
  const begun = known === undefined ? yield* begin(request, input) : yield* beginAgain(request, home!, known, input)
  const next = yield* awaited(positionAfter(plan, START, begun.state, context))
  const journalLog = home === undefined ? undefined : new JournalRunLog(home.handle, home.refs, plan, known, request)
  const runLog = numberedRunLog(journalLog, request, [])
  yield* awaited(runLog.step({ cause: 'input', ...begun, tasks: [], next }))
  return yield* runEngine(request, { state: begun.state, next, facts: [] }, runLog, journalLog, [])
}

function* begin({ plan }: RunRequest, input: unknown): Flow<Pick<Step, 'state' | 'changes'>> {
  const state = yield* awaited(plan.fields.begin(input))
  return { state, changes: Object.keys(state).map(field => setField(field, state[field])) }
}

function* beginAgain(
  { plan }: RunRequest,
  { handle, refs }: RunHome,
  { head }: ThreadResumePoint,
  input: unknown,
): Flow<Pick<Step, 'state' | 'changes'>> {
  const loaded = yield* awaited(loadState(plan, handle, head))
  const { state, changes } = yield* awaited(plan.fields.resume(loaded.state, input))
  yield* awaited(assertComplete(plan, refs, state))
  return { state, changes: [...loaded.missing, ...changes.map(change => ({ ...change, task: -1 }))] }
}

function* resume(request: RunRequest, { handle, refs }: RunHome, answers: RunAnswers): Flow<RunOutcome> {
  const { plan, hub } = request
  checkAnswerers(handle, answers)
  const known = yield* awaited(handle.journal.perform(getResumePoint(handle, refs)))
  const { next } = known.record
  const loaded = yield* awaited(loadState(plan, handle, known.head))
  if (!known.isOpen) {
    if (answers.length > 0) throw graphError('interrupt-unknown', { interrupt: answers[0]!.id, pending: [] })
    return { status: 'done', state: loaded.state }
  }
  assertFits(plan, refs, known)
  yield* awaited(assertComplete(plan, refs, loaded.state))
  const facts = known.facts.map(({ fact }) => fact)
  const { state, changes } = yield* awaited(amendedBase(plan, facts, loaded.state))
  hub.startAfter(numbersAfter(lastNumber(known)))
  const journalLog = new JournalRunLog(handle, refs, plan, known, request)
  yield* awaited(journalLog.begin())
  const resumePoint = { state, next, facts }
  const early = [...loaded.missing, ...changes.map(change => ({ ...change, task: -1 }))]
  // A run that was killed or failed has not shown its pauses to a caller.
  const isPauseSeen = situationOf(known).status === 'paused'
  const runLog = withChanges(numberedRunLog(journalLog, request, known.facts), early)
  return yield* runEngine(request, resumePoint, runLog, journalLog, answers, isPauseSeen)
}

/** Refuses an answer in another's name from one who has proved who they are, and texts that cannot be kept. */
function checkAnswerers({ identity }: Handle, answers: RunAnswers): void {
  for (const answer of answers) {
    // What is no answer at all is refused where answers are matched.
    const { by, reason }: Partial<RunAnswers[number]> = Object(answer)
    checkedText('by', by, 256)
    checkedText('reason', reason, MAX_REASON_BYTES)
    if (identity !== undefined && by !== undefined && by !== identity.principal)
      throw accessError('identity-claimed', { principal: identity.principal, claimed: by })
  }
}

const MAX_REASON_BYTES = 64 * 1024

/** Adds changes to the first step: fields that the tree lacks, on which later changes build. */
function withChanges(runLog: RunLog, changes: readonly Change[]): RunLog {
  let left = changes
  return {
    keep: facts => runLog.keep(facts),
    step(step) {
      const whole = left.length === 0 ? step : { ...step, changes: [...left, ...step.changes] }
      return andThen(runLog.step(whole), () => {
        left = []
      })
    },
  }
}

type RunAnswers = Extract<RunRequest['with'], { readonly answers: unknown }>['answers']

function* runEngine(
  request: RunRequest,
  resumePoint: ResumePoint,
  runLog: RunLog,
  journalLog: JournalRunLog | undefined,
  answers: RunAnswers,
  isPauseSeen: boolean = true,
): Flow<RunOutcome> {
  const { plan, home, hub, context, maxSteps, maxConcurrency, signal, cache, isSync, sources } = request
  let outcome: Outcome
  try {
    outcome = yield* awaited(
      runPlan(plan, resumePoint, runLog, {
        context,
        maxSteps,
        maxConcurrency,
        signal,
        cache,
        isSync,
        answers,
        answeredBy: home?.handle.who.agent,
        isPauseSeen,
        thread: home?.refs.id,
        ...sources,
        wants: kind => kind !== 'values' && hub.wants(kind),
        emit: event => {
          // Updates of this graph's own tasks are emitted when they are kept; those of nested graphs come from the engine.
          if (event.kind !== 'updates' || !plan.nodes.has(event.node)) hub.emit(event)
        },
      }),
    )
  } catch (error) {
    // The error of the run is more important than a failure to end the run log.
    if (journalLog !== undefined) yield* ignoringErrors(() => journalLog.end())
    throw error
  }
  if (journalLog === undefined) return outcome
  yield* awaited(journalLog.end())
  return { ...outcome, lastStep: journalLog.lastStep }
}

function* ignoringErrors(work: () => MaybePromise<void>): Flow<void> {
  try {
    yield* awaited(work())
  } catch {}
}
