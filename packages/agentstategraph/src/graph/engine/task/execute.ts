/**
 * A graph task: one node on one state, from the first attempt to a result that is kept.
 *
 * A result that is known from before is used as it is. Otherwise the node may be found in the cache, is tried as often as
 * its options say, and what it does about a failure decides whether there is a result after all. Where the token goes next
 * is not known here.
 */

import type { PlannedNode, State } from '../../model/compiled-plan.ts'
import type { Target, TaskResult } from '../../model/run-protocol.ts'
import type { Applied } from '../../model/state-fields.ts'
import { isInCall } from '../facts/task-address.ts'
import { asError } from '../flow/as-error.ts'
import { within } from '../flow/cancel-scope.ts'
import type { Flow } from '../flow/flow.ts'
import { type Halted, stuckBy } from '../flow/halted.ts'
import { canRetry, retryDelay } from '../flow/retry.ts'
import { type Amended, amendmentsOf } from './amended-task.ts'
import { applyOwn } from './apply.ts'
import { runAttempt } from './attempt.ts'
import { findCached, keepCached } from './cache.ts'
import { newEffects } from './effects.ts'
import { type EngineScope, waitAt } from './engine-scope.ts'
import { failed, insteadOfFailing } from './failure.ts'
import type { Task } from './graph-task.ts'
import { pauseBefore } from './interrupts.ts'
import type { NodeResult } from './node-result.ts'
import { seenByAttempts, sentView } from './view.ts'

export interface TaskDone {
  readonly kind: 'done'
  readonly result: TaskResult
  readonly applied: Applied
  readonly depth: number
  readonly amended?: Amended | undefined
}

export function* runTask(
  place: EngineScope,
  target: Target,
  key: string,
  state: State,
  depth: number,
): Flow<TaskDone | Halted> {
  const { run, plan, path } = place
  const node = plan.nodes.get(target.node)!
  const name = path + node.name
  const kept = run.facts.findResult(key)
  if (kept !== undefined && kept.node === node.name) {
    return yield* withAmendments(place, yield* again(place, kept, name, state, depth))
  }
  const held = pauseBefore(place, key, node.name)
  if (held !== undefined) return tellPaused(place, name, 1, held)
  const fresh = yield* runFresh(place, node, target, key, state, depth)
  if (fresh.kind === 'stuck') return fresh
  run.facts.note({ kind: 'task', ...fresh.result })
  return yield* withAmendments(place, fresh)
}

function* withAmendments(place: EngineScope, done: TaskDone): Flow<TaskDone> {
  const found = place.run.facts.findAmendments(done.result.task)
  if (found === undefined) return done
  return { ...done, amended: yield* amendmentsOf(place, done.result, done.applied.state, found) }
}

/** Tells of each question that holds a task up. */
export function tellPaused(place: EngineScope, name: string, attempt: number, held: Halted): Halted {
  for (const interrupt of held.interrupts) tellTask(place, name, 'pause', attempt, { interrupt })
  return held
}

/** Uses a result that is known from before. */
function* again(place: EngineScope, result: TaskResult, name: string, state: State, depth: number): Flow<TaskDone> {
  place.run.events.debug(() => ({ what: 'replay', node: name, task: result.task }))
  if (place.member !== undefined) place.member.tally.done++
  const applied = yield* applyOwn(place, state, result, name)
  return { kind: 'done', result, applied, depth: depth + 1 }
}

function* runFresh(
  place: EngineScope,
  node: PlannedNode,
  target: Target,
  key: string,
  state: State,
  depth: number,
): Flow<TaskDone | Halted> {
  const { run } = place
  const name = place.path + node.name
  let view: State = state
  let attempt = 1
  const retried: unknown[] = []
  const finish = (said: NodeResult, applied: Applied, more: Partial<TaskResult>): TaskDone => {
    const { updates, goto, isForParent } = said
    const result: TaskResult = {
      task: key,
      node: node.name,
      ...(place.path === '' ? {} : { path: place.path }),
      attempt,
      updates,
      ...(goto === undefined ? {} : { goto }),
      cached: false,
      ...(retried.length === 0 ? {} : { retried: [...retried] }),
      ...(isForParent ? { isForParent } : {}),
      ...more,
    }
    // What a graph that is a node gives is told with that node's result.
    if (node.subgraph === undefined && (place.path === '' || isInCall(key))) {
      for (const update of updates) run.events.tell('updates', () => ({ node: name, update, cached: result.cached }))
    }
    return { kind: 'done', result, applied, depth: depth + 1 }
  }
  try {
    if (target.isSend) view = yield* sentView(place, node, target, state)
    const task: Task = {
      place,
      node,
      key,
      name,
      state,
      depth,
      effects: newEffects(run, key),
      looked: { isAtContext: false },
      view: seenByAttempts(node, view),
    }
    const hit = node.options.cache === undefined ? undefined : yield* findCached(task, view)
    if (hit !== undefined) {
      tellTask(place, name, 'end', attempt)
      return finish(hit.said, hit.applied, { cached: true, reads: hit.reads })
    }
    for (; ; attempt++) {
      tellTask(place, name, 'start', attempt)
      const end = yield* runAttempt(task, attempt)
      throwIfOver(place)
      if (end.kind === 'paused') return tellPaused(place, name, attempt, stuckBy(end))
      if (end.kind === 'done') {
        if (node.options.cache !== undefined) yield* keepCached(task, view, end)
        tellTask(place, name, 'end', attempt)
        const done = finish(end.said, end.applied, end.reads === undefined ? {} : { reads: end.reads })
        return { ...done, depth: Math.max(done.depth, end.depth) }
      }
      const { retry } = node.options
      if (retry === undefined || !canRetry(retry, attempt, end.error)) throw end.error
      retried.push(end.error)
      tellTask(place, name, 'retry', attempt, { error: asError(end.error) })
      yield* waitForRetry(
        place,
        name,
        retryDelay(retry, attempt, () => run.random()),
      )
    }
  } catch (error) {
    throwIfOver(place)
    tellTask(place, name, 'fail', attempt, { error: asError(error) })
    try {
      const instead = yield* insteadOfFailing(place, node, target, state, view, error)
      if (instead !== undefined) return finish(instead.said, instead.applied, instead.more)
    } catch (second) {
      throwIfOver(place)
      return failed(place, node, key, attempt, second)
    }
    return failed(place, node, key, attempt, error)
  }
}

/** An attempt that ended because the place did, because of a stop or a join that needs no more, is nobody's failure. */
function throwIfOver({ life }: EngineScope): void {
  if (life.ended !== undefined) throw life.ended.reason
}

function* waitForRetry(place: EngineScope, name: string, ms: number): Flow<void> {
  if (place.run.isSync) return yield* waitAt(place, Promise.resolve(), `node ${name} has to wait for its next attempt`)
  const pause = place.life.child()
  try {
    yield* within(place.life, place.run.wait(ms, pause.signal))
  } finally {
    pause.close()
  }
}

interface TaskNews {
  readonly error?: Error
  readonly interrupt?: { readonly id: string; readonly node: string; readonly payload: unknown }
}

function tellTask(
  { run: { events }, member }: EngineScope,
  node: string,
  phase: 'start' | 'retry' | 'end' | 'fail' | 'pause',
  attempt: number,
  news: TaskNews = {},
): void {
  if (member !== undefined && (phase === 'end' || phase === 'fail')) member.tally.done++
  events.tell('tasks', () => ({ node, phase, attempt, progress: events.progress, ...news }))
}
