/**
 * Which plan stands behind a compiled graph, for graphs that run others as part of themselves.
 *
 * Kept beside the app, not in it: a plan is nobody's business but the engine's.
 */

import type { Plan } from './compiled-plan.ts'

const plans = new WeakMap<object, Plan>()

export function setPlan(app: object, plan: Plan): void {
  plans.set(app, plan)
}

export function findPlan(app: object): Plan | undefined {
  return plans.get(app)
}
