/**
 * The entry of the engine: runs a compiled graph from a resume point until it ends, pauses or fails.
 *
 * The engine knows no repository: facts and steps go to a run log, and earlier ones come with the resume point. Clock,
 * random numbers, ids and timers are parameters. Nothing here waits unless a node, a schema, the cache or the run log
 * returns a promise, so the outcome of a synchronous graph is not a promise.
 */

import { isStateError } from '../../../core/index.ts'
import { asError, graphError } from '../../errors.ts'
import type { CompiledGraphPlan, State } from '../../model/compiled-plan.ts'
import type { EventKind } from '../../model/event-types.ts'
import { isPromise, type MaybePromise } from '../../model/maybe-promise.ts'
import type { Outcome, ResumePoint, RunLog, Step } from '../../model/run-protocol.ts'
import { type Answer, answersFor } from '../facts/answers.ts'
import { type EngineEvent, newEvents } from '../facts/events.ts'
import { FactBuffer } from '../facts/fact-buffer.ts'
import type { NodeCache } from '../facts/node-cache.ts'
import { CancelScope } from '../flow/cancel-scope.ts'
import { awaited, drive, type Flow } from '../flow/flow.ts'
import type { Halted } from '../flow/halted.ts'
import { newSlots } from '../flow/slots.ts'
import type { Run } from '../task/engine-scope.ts'
import { heldByStep } from '../task/interrupts.ts'
import { isRefusal, refusedStep } from '../task/refused-step.ts'
import { runChain, runNestedChain } from './chain.ts'
import { DEFAULT_MAX_STEPS } from './step-limit.ts'

export interface EngineOptions {
  readonly context?: unknown
  readonly thread?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The limit of tasks one after the other. Concurrent members of a group count once, by the longest. */
  readonly maxSteps?: number | undefined
  /** The limit of node functions that run at the same time. */
  readonly maxConcurrency?: number | undefined
  readonly answers?: readonly Answer[] | undefined
  /** Who answers where an answer does not say. */
  readonly answeredBy?: string | undefined
  /** Whether the caller has been shown the pending pauses, so that a resume without answers passes them. Default: true. */
  readonly isPauseSeen?: boolean | undefined
  readonly cache?: NodeCache | undefined
  /** Throws `run-async` at the first promise. */
  readonly isSync?: boolean | undefined
  readonly wants?: ((kind: EventKind) => boolean) | undefined
  readonly emit?: ((event: EngineEvent) => void) | undefined
  readonly now: () => number
  /** A number from 0 up to 1, for the jitter of retries. */
  readonly random: () => number
  readonly newId: () => string
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** More concurrent requests than most services take, and few enough for sockets and memory. */
const DEFAULT_MAX_CONCURRENCY = 64

/** How long a run that stops waits for effects under way. */
const EFFECT_GRACE_MS = 5000

/** Throws or rejects for errors that belong to no task: an abort, a step limit, a refused answer, a failed run log. */
export function runPlan(
  plan: CompiledGraphPlan,
  resumePoint: ResumePoint,
  runLog: RunLog,
  options: EngineOptions,
): MaybePromise<Outcome> {
  const { signal } = options
  const cancelScope = new CancelScope()
  const abort = (): void => cancelScope.end(abortError(signal))
  if (signal?.aborted === true) throw abortError(signal)
  signal?.addEventListener('abort', abort, { once: true })
  const drop = (error: unknown): never => {
    cancelScope.end(error)
    throw error
  }
  const leave = (): void => {
    signal?.removeEventListener('abort', abort)
    cancelScope.close()
  }
  try {
    const outcome = drive(runToEnd(plan, resumePoint, runLog, options, cancelScope))
    if (isPromise(outcome)) return outcome.catch(drop).finally(leave)
    leave()
    return outcome
  } catch (error) {
    signal?.removeEventListener('abort', abort)
    return drop(error)
  }
}

function abortError(signal: AbortSignal | undefined): unknown {
  const { reason } = signal ?? {}
  const words = typeof reason === 'string' ? reason : asError(reason).message
  return graphError('run-aborted', { reason: words }, { cause: reason })
}

function* runToEnd(
  plan: CompiledGraphPlan,
  resumePoint: ResumePoint,
  runLog: RunLog,
  options: EngineOptions,
  cancelScope: CancelScope,
): Flow<Outcome> {
  const logging = { isBroken: false }
  const watched = watchedRunLog(runLog, error => {
    logging.isBroken = true
    cancelScope.end(error)
  })
  let head: State = resumePoint.state
  const run = newRun(resumePoint, watched, options, cancelScope, () => head)
  const land = function* (step: Step): Flow<Halted | undefined> {
    try {
      yield* run.facts.step(step)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return refusedStep(run, step, error)
    }
    head = step.state
    run.events.emit('values', () => ({ state: head }))
    return undefined
  }
  try {
    const scope = { run, plan, path: '', around: undefined, isNested: false, cancelScope }
    const chain = { scope, state: head, position: resumePoint.next, key: '0', depth: 0, land }
    const end = heldByStep(run) ?? (yield* runChain(chain))
    if (end.kind === 'closed') {
      // A run that only passes the pause after the last step has that answer to keep, and no step.
      if (resumePoint.next === undefined) yield* awaited(run.facts.flush())
      return { status: 'done', state: head }
    }
    yield* finishEffects(run)
    return outcomeOf(end, head)
  } catch (error) {
    if (!logging.isBroken && isStateError(error, 'run-aborted')) yield* finishEffects(run)
    throw error
  }
}

/** Waits for effects under way, for a limited time, and flushes all facts to the run log. */
function* finishEffects(run: Run): Flow<void> {
  const patience = new CancelScope()
  const timeout =
    run.effects.size === 0
      ? undefined
      : run.wait(EFFECT_GRACE_MS, patience.signal).then(
          () => 'timeout',
          () => {},
        )
  while (run.effects.size > 0) {
    if ((yield Promise.race([timeout!, Promise.allSettled(run.effects)])) === 'timeout') break
  }
  patience.end(undefined)
  yield* awaited(run.facts.flush())
}

function outcomeOf({ stops, failures, interrupts }: Halted, state: State): Outcome {
  if (stops.length > 0) throw stops[0]
  const failure = failures[0]
  if (failure !== undefined) return { status: 'failed', state, ...failure }
  const [first, ...others] = interrupts
  return { status: 'paused', state, interrupts: [first!, ...others] }
}

/** The run log, with a call of `broke` when it fails. A refused step is not a failure of the run log. */
function watchedRunLog(runLog: RunLog, broke: (error: unknown) => void): RunLog {
  const watch = (error: unknown): never => {
    if (!isRefusal(error)) broke(error)
    throw error
  }
  const guarded = (call: () => void | Promise<void>): void | Promise<void> => {
    try {
      const kept = call()
      return isPromise(kept) ? kept.catch(watch) : undefined
    } catch (error) {
      watch(error)
    }
  }
  return { keep: facts => guarded(() => runLog.keep(facts)), step: step => guarded(() => runLog.step(step)) }
}

function newRun(
  resumePoint: ResumePoint,
  runLog: RunLog,
  options: EngineOptions,
  cancelScope: CancelScope,
  head: () => State,
): Run {
  const { isSync = false } = options
  const later = isSync ? () => {} : queueMicrotask
  return {
    context: options.context,
    thread: options.thread,
    maxSteps: options.maxSteps ?? DEFAULT_MAX_STEPS,
    cache: options.cache,
    facts: new FactBuffer(runLog, resumePoint.facts, later, error => cancelScope.end(error)),
    answers: answersFor(resumePoint.facts, options.answers ?? [], options.isPauseSeen ?? true, options.answeredBy),
    events: newEvents(options.wants, options.emit),
    slots: newSlots(options.maxConcurrency ?? DEFAULT_MAX_CONCURRENCY),
    isSync,
    effects: new Set(),
    nest: runNestedChain,
    head,
    now: options.now,
    random: options.random,
    newId: options.newId,
    wait: options.wait,
  }
}
