/**
 * Effects that run once: `ctx.once`.
 *
 * The result is kept before the node hears of it, and belongs to the task, not to the attempt: a second attempt, a run
 * after a pause and one after a crash are given it. An effect that is still under way when an attempt runs out of time is
 * waited for by the next. One that fails leaves nothing, and is tried again. Two effects of one name in one attempt are
 * refused, because nobody could tell later which was which.
 */

import { graphError } from '../../errors.ts'
import type { TaskKey } from '../../model/run-protocol.ts'
import type { Run } from './engine-scope.ts'

export interface Effects {
  /** Whether the result of an effect was taken from an earlier run. */
  readonly isReplayed: boolean
  run(name: string, effect: () => unknown, keepable: (value: unknown) => unknown): Promise<unknown>
}

export function newEffects(run: Run, task: TaskKey): Effects {
  let underway: Map<string, Promise<unknown>> | undefined
  const own = new Set<string>()
  let isReplayed = false
  return {
    get isReplayed() {
      return isReplayed
    },
    async run(name, effect, keepable) {
      underway ??= new Map()
      const known = run.facts.findEffect(task, name)
      if (known !== undefined) {
        isReplayed ||= !own.has(name)
        return known.value
      }
      own.add(name)
      let result = underway.get(name)
      if (result === undefined) {
        result = runAndKeep(run, task, name, effect, keepable)
        underway.set(name, result)
        run.effects.add(result)
        const over = (): void => {
          underway?.delete(name)
          run.effects.delete(result!)
        }
        result.then(over, over)
      }
      return result
    },
  }
}

async function runAndKeep(
  run: Run,
  task: TaskKey,
  name: string,
  effect: () => unknown,
  keepable: (value: unknown) => unknown,
): Promise<unknown> {
  const value = keepable(await effect())
  await run.facts.keep({ kind: 'once', task, name, value })
  return value
}

/** Refuses a second effect of one name, within one attempt. */
export function newOnceNames(node: string): (name: string) => void {
  let names: Set<string> | undefined
  return name => {
    names ??= new Set()
    if (names.has(name)) throw graphError('once-repeated', { node, name })
    names.add(name)
  }
}
