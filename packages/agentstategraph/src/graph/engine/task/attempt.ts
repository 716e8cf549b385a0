/**
 * One attempt of a node: its function is called, and what it says is applied.
 *
 * All that an attempt changes is in what it returns, so one that fails or runs out of time leaves nothing. After its end it
 * can no longer speak: late effects, questions and events are refused. A function that has the thread to itself cannot be
 * stopped by a clock; only what waits can run out of time.
 */

import { graphError } from '../../errors.ts'
import type { State } from '../../model/compiled-plan.ts'
import { isPromise } from '../../model/maybe-promise.ts'
import { findFrozenWrite } from '../../state/frozen-write.ts'
import { contextRead } from '../facts/node-cache.ts'
import { withoutStandIns } from '../facts/reads.ts'
import type { CancelScope } from '../flow/cancel-scope.ts'
import type { Flow } from '../flow/flow.ts'
import { applyOwn } from './apply.ts'
import { newTaskContext, type TaskContext } from './context.ts'
import { type EngineScope, waitAt } from './engine-scope.ts'
import type { AttemptEnd, Task, Timer } from './graph-task.ts'
import { nodeResultFrom } from './node-result.ts'
import { runSubgraph } from './subgraph.ts'

export function* runAttempt(task: Task, attempt: number): Flow<AttemptEnd> {
  const life = task.place.life.child()
  const timer = newTimer(task, attempt, life)
  try {
    return yield* task.node.subgraph === undefined
      ? callFunction(task, attempt, life, timer)
      : runSubgraph(task, task.node.subgraph, life, timer)
  } catch (error) {
    // Why the attempt was ended says more than what its function made of that.
    return { kind: 'failed', error: life.ended?.reason ?? error }
  } finally {
    timer.stop()
    life.close()
  }
}

function* callFunction(task: Task, attempt: number, life: CancelScope, timer: Timer): Flow<AttemptEnd> {
  const place = { ...task.place, life }
  const { state, reads } = task.view()
  const context = newTaskContext(task, place, attempt)
  const turn = context.hold.take()
  if (turn !== undefined) yield turn
  try {
    if (life.ended !== undefined) throw life.ended.reason
    timer.start()
    const returned = yield* settle(task, context, place, () => task.node.run(state, context.ctx))
    const { asks, stops } = context
    if (asks.length + stops.length > 0) return { kind: 'paused', interrupts: asks, stops }
    if ('error' in returned) return { kind: 'failed', error: frozenWriteOr(returned.error, task.name, state) }
    const said = nodeResultFrom(
      place,
      task.name,
      reads === undefined ? returned.value : withoutStandIns(returned.value),
    )
    const applied = yield* applyOwn(place, task.state, said, task.name)
    return { kind: 'done', said, applied, depth: context.depth, reads: reads && withContext(reads(), task) }
  } finally {
    context.hold.drop()
  }
}

function withContext(reads: readonly string[], { looked }: Task): readonly string[] {
  return looked.isAtContext ? [...reads, contextRead] : reads
}

/** Calls the function, and lets it and the questions it left open come to their ends. */
function* settle(
  task: Task,
  context: TaskContext,
  place: EngineScope,
  call: () => unknown,
): Flow<{ readonly value: unknown } | { readonly error: unknown }> {
  let returned: { readonly value: unknown } | { readonly error: unknown }
  try {
    const value = call()
    const waited = isPromise(value) ? yield* waitAt(place, value, `node ${task.name} returned a promise`) : value
    returned = { value: waited }
  } catch (error) {
    if (place.life.ended !== undefined) throw error
    returned = { error }
  }
  while (context.questions.size > 0) {
    yield* waitAt(place, Promise.allSettled(context.questions), `node ${task.name} waits for an answer`)
  }
  return returned
}

function frozenWriteOr(error: unknown, node: string, state: State): unknown {
  const write = findFrozenWrite(error, state)
  return write === undefined ? error : graphError('state-frozen', { node, ...write }, { cause: error })
}

function newTimer({ node, name, place }: Task, attempt: number, life: CancelScope): Timer {
  const { timeoutMs } = node.options
  let alarm: CancelScope | undefined
  return {
    start() {
      if (timeoutMs === undefined || place.run.isSync) return
      const set = life.child()
      alarm = set
      const ring = (): void => {
        if (set.ended === undefined) life.end(graphError('node-timeout', { node: name, attempt, timeoutMs }))
      }
      place.run.wait(timeoutMs, set.signal).then(ring, () => {})
    },
    stop: () => alarm?.end(undefined),
  }
}
