/** Whether tasks would wait for each other: for those that block them, and for their children. */

import { findTaskKey, taskIdOf } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { planError } from './errors.ts'
import { childrenOf, type IndexedPlan } from './plan-index.ts'
import { findTask } from './plan-root.ts'

/** Throws when one of these, on its way through what it waits for, waits for the task. Ends when all was seen once. */
export function* assertNoCycle(root: IndexedPlan, key: string, waitsFor: readonly string[]): Work<void> {
  /** By task, the one that waits for it. */
  const cameFrom = new Map<string, string>(waitsFor.map(next => [next, key]))
  const open = [...cameFrom.keys()]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === key) throw planError('task-cycle', { plan: root.plan, tasks: circle(cameFrom, key) })
    for (const next of yield* waitsOf(root, at)) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      open.push(next)
    }
  }
}

function* waitsOf(root: IndexedPlan, key: string): Work<string[]> {
  const { blockedBy = [] } = (yield* findTask(root, key)) ?? {}
  return [...blockedBy.map(id => findTaskKey(id)!), ...(yield* childrenOf(root, key))]
}

/** The way round, from the task to itself. */
function circle(cameFrom: ReadonlyMap<string, string>, key: string): string[] {
  const way = [taskIdOf(key)]
  let at = cameFrom.get(key)!
  for (; at !== key; at = cameFrom.get(at)!) way.unshift(taskIdOf(at))
  return [taskIdOf(key), ...way]
}
