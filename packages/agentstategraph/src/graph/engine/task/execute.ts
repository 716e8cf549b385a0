/**
 * Runs a graph task: one node on one state, from the first attempt to a result that is kept.
 *
 * A result that is known from an earlier run is replayed. Otherwise the cache is asked, the node is tried as often as its
 * `retry` says, and after the last failure its `onError` or its join may supply a result. Which node comes next is not
 * decided here.
 */

import { asError } from '../../errors.ts'
import type { State } from '../../model/compiled-plan.ts'
import type { GraphEvent } from '../../model/event-types.ts'
import type { GraphTypes } from '../../model/graph-types.ts'
import type { Amendment, Target, TaskKey, TaskResult } from '../../model/run-protocol.ts'
import type { Applied } from '../../model/state-fields.ts'
import { isInCall } from '../facts/task-address.ts'
import { within } from '../flow/cancel-scope.ts'
import type { Flow } from '../flow/flow.ts'
import { type Halted, haltedBy } from '../flow/halted.ts'
import { canRetry, retryDelay } from '../flow/retry.ts'
import { type Amended, applyAmendments, applyOwn } from './apply.ts'
import { runAttempt } from './attempt.ts'
import { findCached, keepCached } from './cache.ts'
import { newEffects } from './effects.ts'
import { type EngineScope, waitIn } from './engine-scope.ts'
import { failed, fallbackFor } from './failure.ts'
import { pauseBefore } from './interrupts.ts'
import type { NodeResult } from './node-result.ts'
import type { Task } from './task.ts'
import { sentView, viewsOfAttempts } from './view.ts'

export interface TaskDone {
  readonly kind: 'done'
  readonly result: TaskResult
  readonly applied: Applied
  readonly depth: number
  readonly amended?: Amended | undefined
}

export function* runTask(
  scope: EngineScope,
  target: Target,
  key: TaskKey,
  state: State,
  depth: number,
): Flow<TaskDone | Halted> {
  const { run, plan, path } = scope
  const node = plan.nodes.get(target.node)!
  const name = path + node.name
  const kept = run.facts.known.findResult(key)
  const amendments = run.facts.known.findAmendments(key)
  if (kept !== undefined && kept.node === node.name) {
    const done = yield* replay(scope, kept, name, state, depth)
    return amendments === undefined ? done : yield* withAmendments(scope, done, amendments)
  }
  const held = pauseBefore(scope, key, node.name)
  if (held !== undefined) return emitPaused(scope, name, 1, held)
  const contextUse = { isRead: false }
  const end = yield* runFresh({
    scope,
    node,
    target,
    key,
    name,
    state,
    depth,
    effects: newEffects(run, key),
    contextUse,
  })
  if (end.kind === 'halted') return end
  run.facts.note({ kind: 'task', ...end.result })
  return amendments === undefined ? end : yield* withAmendments(scope, end, amendments)
}

function* withAmendments(scope: EngineScope, done: TaskDone, amendments: readonly Amendment[]): Flow<TaskDone> {
  return { ...done, amended: yield* applyAmendments(scope, done.result, done.applied.state, amendments) }
}

/** Applies a result that an earlier run kept. */
function* replay(scope: EngineScope, result: TaskResult, name: string, state: State, depth: number): Flow<TaskDone> {
  scope.run.events.debug(() => ({ what: 'replay', node: name, task: result.task }))
  if (scope.member !== undefined) scope.member.tally.done++
  const applied = yield* applyOwn(scope, state, result, name)
  return { kind: 'done', result, applied, depth: depth + 1 }
}

/** What the attempts of a task have come to. */
interface Progress {
  /** From 1. */
  attempt: number
  /** The state as the node sees it. */
  view: State
  /** The errors of the attempts that were repeated. */
  readonly retried: unknown[]
}

function* runFresh(task: Task): Flow<TaskDone | Halted> {
  const progress: Progress = { attempt: 1, view: task.state, retried: [] }
  try {
    return yield* runAttempts(task, progress)
  } catch (error) {
    throwIfOver(task.scope)
    return yield* recover(task, progress, error)
  }
}

/** Tries the node until it succeeds or pauses. Throws the error of the last attempt. */
function* runAttempts(task: Task, progress: Progress): Flow<TaskDone | Halted> {
  const { scope, node, name, target } = task
  if (target.isSend) progress.view = yield* sentView(scope, node, target, task.state)
  const isCached = node.options.cache !== undefined
  const hit = isCached ? yield* findCached(task, progress.view) : undefined
  if (hit !== undefined) {
    emitTask(scope, name, 'end', progress.attempt)
    return doneWith(task, progress, hit.nodeResult, hit.applied, { cached: true, reads: hit.reads })
  }
  const nextView = viewsOfAttempts(node, progress.view)
  for (; ; progress.attempt++) {
    emitTask(scope, name, 'start', progress.attempt)
    const end = yield* runAttempt(task, nextView(), progress.attempt)
    throwIfOver(scope)
    if (end.kind === 'paused') return emitPaused(scope, name, progress.attempt, haltedBy(end))
    if (end.kind === 'done') {
      if (isCached) yield* keepCached(task, progress.view, end)
      emitTask(scope, name, 'end', progress.attempt)
      const { nodeResult, applied, reads } = end
      const done = doneWith(task, progress, nodeResult, applied, reads === undefined ? {} : { reads })
      return { ...done, depth: Math.max(done.depth, end.depth) }
    }
    yield* waitForRetry(task, progress, end.error)
  }
}

/** Gives the result that `onError` or a join supplies for a failed task, or its failure. */
function* recover(task: Task, progress: Progress, error: unknown): Flow<TaskDone | Halted> {
  const { scope, node, key } = task
  emitTask(scope, task.name, 'fail', progress.attempt, { error: asError(error) })
  try {
    const fallback = yield* fallbackFor(task, progress.view, error)
    if (fallback !== undefined) {
      return doneWith(task, progress, fallback.nodeResult, fallback.applied, fallback.more)
    }
  } catch (second) {
    throwIfOver(scope)
    return failed(scope, node, key, progress.attempt, second)
  }
  return failed(scope, node, key, progress.attempt, error)
}

function doneWith(
  { scope, node, key, name, depth }: Task,
  { attempt, retried }: Progress,
  { updates, goto, isForParent }: NodeResult,
  applied: Applied,
  more: Partial<TaskResult>,
): TaskDone {
  const result: TaskResult = {
    task: key,
    node: node.name,
    ...(scope.path === '' ? {} : { path: scope.path }),
    attempt,
    updates,
    ...(goto === undefined ? {} : { goto }),
    cached: false,
    ...(retried.length === 0 ? {} : { retried: [...retried] }),
    ...(isForParent ? { isForParent } : {}),
    ...more,
  }
  // The updates of a subgraph are emitted with the result of the node that it is.
  if (node.subgraph === undefined && (scope.path === '' || isInCall(key))) {
    for (const update of updates) {
      scope.run.events.emit('updates', () => ({ node: name, update, cached: result.cached }))
    }
  }
  return { kind: 'done', result, applied, depth: depth + 1 }
}

/** An attempt that was ended with its scope, by a cancel or by a join that needs no more members, has not failed. */
function throwIfOver({ cancelScope }: EngineScope): void {
  if (cancelScope.ended !== undefined) throw cancelScope.ended.reason
}

/** Waits before the next attempt. Throws the error when there is none. */
function* waitForRetry({ scope, node, name }: Task, { attempt, retried }: Progress, error: unknown): Flow<void> {
  const { run, cancelScope } = scope
  const { retry } = node.options
  if (retry === undefined || !canRetry(retry, attempt, error)) throw error
  retried.push(error)
  emitTask(scope, name, 'retry', attempt, { error: asError(error) })
  const ms = retryDelay(retry, attempt, () => run.random())
  if (run.isSync) return yield* waitIn(scope, Promise.resolve(), `node ${name} has to wait for its next attempt`)
  const pause = cancelScope.child()
  try {
    yield* within(cancelScope, run.wait(ms, pause.signal))
  } finally {
    pause.close()
  }
}

/** Emits an event for each interrupt that a task waits at. */
export function emitPaused(scope: EngineScope, name: string, attempt: number, held: Halted): Halted {
  for (const interrupt of held.interrupts) emitTask(scope, name, 'pause', attempt, { interrupt })
  return held
}

type TaskEvent = Extract<GraphEvent<GraphTypes>, { readonly kind: 'tasks' }>

function emitTask(
  { run: { events }, member }: EngineScope,
  node: string,
  phase: TaskEvent['phase'],
  attempt: number,
  more: Pick<TaskEvent, 'error' | 'interrupt'> = {},
): void {
  if (member !== undefined && (phase === 'end' || phase === 'fail')) member.tally.done++
  events.emit('tasks', () => ({ node, phase, attempt, progress: events.progress, ...more }))
}
