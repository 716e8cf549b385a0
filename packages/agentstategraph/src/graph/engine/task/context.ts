/**
 * What a node receives in addition to the state: one `NodeContext` for each attempt.
 *
 * Its functions can be destructured. When the attempt is over they refuse, or for events do nothing.
 */

import type { StandardSchema } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import { findPlan } from '../../model/compiled-plan.ts'
import type { NodeContext } from '../../model/node-context.ts'
import { withoutProxies } from '../facts/reads.ts'
import { type AttemptSlot, newAttemptSlot } from '../flow/slots.ts'
import { newOnceNames } from './effects.ts'
import type { EngineScope } from './engine-scope.ts'
import { answerTo } from './interrupts.ts'
import { runCalled } from './subgraph.ts'
import type { AttemptReport, Task } from './task.ts'

export interface TaskContext extends AttemptReport {
  readonly ctx: NodeContext
  /** Interrupts and graph calls that are not settled. */
  readonly unsettled: Set<Promise<unknown>>
  readonly slot: AttemptSlot
}

export function newTaskContext(task: Task, scope: EngineScope, attempt: number): TaskContext {
  const report = { interrupts: [], stops: [], unsettled: new Set<Promise<unknown>>(), depth: task.depth }
  const context = { ...report, slot: newAttemptSlot(scope.run.slots) }
  return Object.assign(context, { ctx: newNodeContext(task, scope, attempt, context) })
}

function newNodeContext(
  task: Task,
  scope: EngineScope,
  attempt: number,
  context: Omit<TaskContext, 'ctx'>,
): NodeContext {
  const { run, cancelScope } = scope
  const { name, key } = task
  let interruptCount = 0
  let callCount = 0
  const claimName = newOnceNames(name)
  const refuseLate = (): void => {
    if (cancelScope.ended !== undefined) throw graphError('attempt-over', { node: name, attempt })
  }
  return {
    get context() {
      task.contextUse.isRead = true
      return run.context
    },
    get signal() {
      return cancelScope.signal
    },
    node: task.node.name,
    attempt,
    thread: run.thread,
    interrupt: <A>(payload: unknown, answer?: StandardSchema<unknown, A>) => {
      refuseLate()
      const request = { scope, task: key, node: name, ordinal: interruptCount++, payload: withoutProxies(payload) }
      return tracked(context, answerTo(request, answer, context))
    },
    once: async <T>(effectName: string, effect: () => T | Promise<T>) => {
      refuseLate()
      claimName(effectName)
      return (await task.effects.run(effectName, effect, withoutProxies)) as T
    },
    run: (app, input) => {
      refuseLate()
      const plan = findPlan(app)
      if (plan === undefined) throw new TypeError('ctx.run takes a compiled graph')
      const call = { plan, input: withoutProxies(input), ordinal: ++callCount }
      return tracked(
        context,
        context.slot.without(() => runCalled(task, cancelScope, call, context)),
      )
    },
    emit: data => {
      if (cancelScope.ended === undefined) run.events.emit('custom', () => ({ node: name, data: withoutProxies(data) }))
    },
    message: chunk => {
      if (cancelScope.ended === undefined)
        run.events.emit('messages', () => ({ node: name, chunk: withoutProxies(chunk) }))
    },
  }
}

function tracked<T>({ unsettled }: Pick<TaskContext, 'unsettled'>, answer: Promise<T>): Promise<T> {
  unsettled.add(answer)
  const settled = (): void => {
    unsettled.delete(answer)
  }
  // The rejection is handled here, because a node that does not await the answer still pauses.
  answer.then(settled, settled)
  return answer
}
