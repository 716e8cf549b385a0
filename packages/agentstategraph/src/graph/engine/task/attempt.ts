/**
 * One attempt of a task: the node's function is called, and what it returns is applied to the state.
 *
 * All that an attempt changes is in its `AttemptEnd`, so a failed or timed-out attempt leaves nothing. Effects, interrupts
 * and events of an attempt that is over are refused. A synchronous function cannot be timed out.
 */

import { graphError } from '../../errors.ts'
import type { State } from '../../model/compiled-plan.ts'
import { isPromise } from '../../model/maybe-promise.ts'
import { findFrozenWrite } from '../../state/frozen-write.ts'
import { contextRead } from '../facts/node-cache.ts'
import { withoutProxies } from '../facts/reads.ts'
import type { CancelScope } from '../flow/cancel-scope.ts'
import type { Flow } from '../flow/flow.ts'
import { applyOwn } from './apply.ts'
import { newTaskContext, type TaskContext } from './context.ts'
import { type EngineScope, waitIn } from './engine-scope.ts'
import { nodeResultFrom } from './node-result.ts'
import { runSubgraph } from './subgraph.ts'
import type { AttemptEnd, Task } from './task.ts'
import type { AttemptView } from './view.ts'

export function* runAttempt(task: Task, view: AttemptView, attempt: number): Flow<AttemptEnd> {
  const cancelScope = task.scope.cancelScope.child()
  const timer = newTimer(task, attempt, cancelScope)
  try {
    if (task.node.subgraph === undefined) return yield* callFunction(task, view, attempt, cancelScope, timer)
    timer.start()
    return yield* runSubgraph(task, task.node.subgraph, view.state, cancelScope)
  } catch (error) {
    // A timeout or a cancel explains the failure better than what the function threw because of it.
    return { kind: 'failed', error: cancelScope.ended?.reason ?? error }
  } finally {
    timer.stop()
    cancelScope.close()
  }
}

function* callFunction(
  task: Task,
  { state, reads }: AttemptView,
  attempt: number,
  cancelScope: CancelScope,
  timer: Timer,
): Flow<AttemptEnd> {
  const scope = { ...task.scope, cancelScope }
  const context = newTaskContext(task, scope, attempt)
  const turn = context.slot.take()
  if (turn !== undefined) yield turn
  try {
    if (cancelScope.ended !== undefined) throw cancelScope.ended.reason
    timer.start()
    const returned = yield* settle(task, context, scope, () => task.node.run(state, context.ctx))
    const { interrupts, stops } = context
    if (interrupts.length + stops.length > 0) return { kind: 'paused', interrupts, stops }
    if ('error' in returned) return { kind: 'failed', error: frozenWriteOr(returned.error, task.name, state) }
    const value = reads === undefined ? returned.value : withoutProxies(returned.value)
    const nodeResult = nodeResultFrom(scope, task.name, value)
    const applied = yield* applyOwn(scope, task.state, nodeResult, task.name)
    return { kind: 'done', nodeResult, applied, depth: context.depth, reads: reads && withContext(reads(), task) }
  } finally {
    context.slot.release()
  }
}

function withContext(reads: readonly string[], { contextUse }: Task): readonly string[] {
  return contextUse.isRead ? [...reads, contextRead] : reads
}

/** Calls the function and waits for its result, and then for interrupts and graph calls that it did not await. */
function* settle(
  task: Task,
  context: TaskContext,
  scope: EngineScope,
  call: () => unknown,
): Flow<{ readonly value: unknown } | { readonly error: unknown }> {
  let returned: { readonly value: unknown } | { readonly error: unknown }
  try {
    const value = call()
    const waited = isPromise(value) ? yield* waitIn(scope, value, `node ${task.name} returned a promise`) : value
    returned = { value: waited }
  } catch (error) {
    if (scope.cancelScope.ended !== undefined) throw error
    returned = { error }
  }
  while (context.unsettled.size > 0) {
    yield* waitIn(scope, Promise.allSettled(context.unsettled), `node ${task.name} waits for an answer`)
  }
  return returned
}

function frozenWriteOr(error: unknown, node: string, state: State): unknown {
  const write = findFrozenWrite(error, state)
  return write === undefined ? error : graphError('state-frozen', { node, ...write }, { cause: error })
}

/** Ends an attempt that takes longer than `timeoutMs`. It is started when the attempt has its slot. */
interface Timer {
  start(): void
  stop(): void
}

function newTimer({ node, name, scope }: Task, attempt: number, cancelScope: CancelScope): Timer {
  const { timeoutMs } = node.options
  let alarm: CancelScope | undefined
  return {
    start() {
      if (timeoutMs === undefined || scope.run.isSync) return
      const set = cancelScope.child()
      alarm = set
      const ring = (): void => {
        if (set.ended === undefined) cancelScope.end(graphError('node-timeout', { node: name, attempt, timeoutMs }))
      }
      scope.run.wait(timeoutMs, set.signal).then(ring, () => {})
    },
    stop: () => alarm?.end(undefined),
  }
}
