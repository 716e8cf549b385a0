/**
 * What the engine hands to a node beside the state: one for each attempt.
 *
 * Every call can be taken out of it and used alone. When the attempt is over they refuse, so that what a late one says
 * reaches nobody.
 */

import type { StandardSchema } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import { findPlan } from '../../model/app-plan.ts'
import type { NodeContext } from '../../model/node-context.ts'
import { withoutStandIns } from '../facts/reads.ts'
import { newOnceNames } from './effects.ts'
import type { EngineScope } from './engine-scope.ts'
import type { Notices, Task } from './graph-task.ts'
import { askFor } from './interrupts.ts'
import { runCalled } from './subgraph.ts'

export interface TaskContext extends Notices {
  readonly ctx: NodeContext
  /** Questions that are not yet decided. */
  readonly questions: Set<Promise<unknown>>
  readonly hold: Hold
}

/** The slot of an attempt, given back while it only waits for graphs that it runs. */
export interface Hold {
  /** Undefined when there was one at once. */
  take(): Promise<void> | undefined
  drop(): void
  /** Runs something that takes slots of its own. */
  without<T>(work: () => Promise<T>): Promise<T>
}

export function newTaskContext(task: Task, place: EngineScope, attempt: number): TaskContext {
  const { run, life } = place
  const { name, key } = task
  let interrupts = 0
  let calls = 0
  const claimName = newOnceNames(name)
  const refuseLate = (): void => {
    if (life.ended !== undefined) throw graphError('attempt-over', { node: name, attempt })
  }
  const asked = <T>(answer: Promise<T>): Promise<T> => {
    context.questions.add(answer)
    const decided = (): void => {
      context.questions.delete(answer)
    }
    // Handled here, because a node that does not wait for it still pauses.
    answer.then(decided, decided)
    return answer
  }
  const ctx: NodeContext = {
    get context() {
      task.looked.isAtContext = true
      return run.context
    },
    get signal() {
      return life.signal
    },
    node: task.node.name,
    attempt,
    thread: run.thread,
    interrupt: <A>(payload: unknown, answer?: StandardSchema<unknown, A>) => {
      refuseLate()
      const asking = { place, task: key, node: name, asks: context.asks, stops: context.stops }
      return asked(
        askFor(asking, interrupts++, withoutStandIns(payload), answer as StandardSchema | undefined),
      ) as Promise<A>
    },
    once: async <T>(effectName: string, effect: () => T | Promise<T>) => {
      refuseLate()
      claimName(effectName)
      return (await task.effects.run(effectName, effect, withoutStandIns)) as T
    },
    run: (app, input) => {
      refuseLate()
      const plan = findPlan(app)
      if (plan === undefined) throw new TypeError('ctx.run takes a compiled graph')
      const call = calls++
      return asked(context.hold.without(() => runCalled(task, place, context, plan, withoutStandIns(input), call)))
    },
    emit: data => {
      if (life.ended === undefined) run.events.tell('custom', () => ({ node: name, data: withoutStandIns(data) }))
    },
    message: chunk => {
      if (life.ended === undefined) run.events.tell('messages', () => ({ node: name, chunk: withoutStandIns(chunk) }))
    },
  }
  const context: TaskContext = {
    ctx,
    asks: [],
    stops: [],
    questions: new Set(),
    hold: newHold(place),
    depth: task.depth,
  }
  return context
}

function newHold({ run: { slots } }: EngineScope): Hold {
  let isHeld = false
  let isOver = false
  let inside = 0
  return {
    take() {
      const turn = slots.take()
      if (turn === undefined) {
        isHeld = true
        return undefined
      }
      return turn.then(() => {
        isHeld = true
      })
    },
    drop() {
      isOver = true
      if (isHeld) slots.release()
      isHeld = false
    },
    async without(work) {
      if (inside++ === 0 && isHeld) {
        isHeld = false
        slots.release()
      }
      try {
        return await work()
      } finally {
        if (--inside === 0 && !isOver) {
          await slots.take()
          if (isOver || inside > 0) slots.release()
          else isHeld = true
        }
      }
    },
  }
}
