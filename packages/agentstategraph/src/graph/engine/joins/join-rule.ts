/** The rules of joins (`all`, `any`, a quorum, `settled`): how many members a join needs, and which join takes failed members. */

import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import type { Target } from '../../model/run-protocol.ts'
import type { Fork } from './fork.ts'
import { layoutOf } from './layout.ts'

/** The number of members that have to arrive at a join before it begins. */
export function neededAt(plan: CompiledGraphPlan, join: string, members: number): number {
  const rule = plan.nodes.get(join)?.options.join
  if (rule === 'any') return 1
  return typeof rule === 'object' ? Math.min(rule.quorum, members) : Number.POSITIVE_INFINITY
}

/** The `settled` join ahead of a node: it takes members that failed. */
export function findSettledJoin({ plan }: Fork, target: Target, node: string): string | undefined {
  const isSettled = (name: string): boolean => plan.nodes.get(name)?.options.join === 'settled'
  if (target.join !== undefined && isSettled(target.join)) return target.join
  const { edgesFrom, routed } = layoutOf(plan)
  const passed = new Set<string>()
  const open = [node]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (passed.has(name)) continue
    passed.add(name)
    for (const to of [...edgesFrom(name), ...routed(name).targets]) if (!plan.joins.has(to)) open.push(to)
  }
  return [...passed].flatMap(name => [...edgesFrom(name), ...routed(name).targets]).find(isSettled)
}
