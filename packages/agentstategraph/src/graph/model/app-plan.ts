/**
 * Which plan stands behind a compiled graph, for graphs that run others as part of themselves.
 *
 * Kept beside the app, not in it: a plan is nobody's business but the engine's.
 */

import type { CompiledGraphPlan } from './compiled-plan.ts'

const plans = new WeakMap<object, CompiledGraphPlan>()

export function setPlan(app: object, plan: CompiledGraphPlan): void {
  plans.set(app, plan)
}

export function findPlan(app: object): CompiledGraphPlan | undefined {
  return plans.get(app)
}
