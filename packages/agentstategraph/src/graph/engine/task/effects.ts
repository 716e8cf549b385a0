/**
 * Effects that run once: `ctx.once`.
 *
 * The result is kept before the node gets it, and belongs to the task and not to the attempt: a second attempt, a run after
 * a pause and a run after a crash are given it. An effect under way when an attempt times out is joined by the next
 * attempt. A failed effect leaves nothing and runs again. Two effects of one name in one attempt are refused, because a
 * replay could not distinguish them.
 */

import { graphError } from '../../errors.ts'
import type { TaskKey } from '../../model/run-protocol.ts'
import type { Run } from './engine-scope.ts'

export interface Effects {
  /** Whether a result came from an earlier run. */
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
      const known = run.facts.known.findEffect(task, name)
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

/** A check for one attempt that throws for the second effect of one name. */
export function newOnceNames(node: string): (name: string) => void {
  let names: Set<string> | undefined
  return name => {
    names ??= new Set()
    if (names.has(name)) throw graphError('once-repeated', { node, name })
    names.add(name)
  }
}
