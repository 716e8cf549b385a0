/** What all operations on plans share: the fields that name a plan, and opening it. */
import type { Repository } from 'agentstategraph'
import { type Plan, plans } from 'agentstategraph/plans'
import { branchField, idField } from '../../wire/fields.ts'

/** Which plan, on which branch. */
export const planFields = {
  plan: idField.describe('The name of the plan'),
  ref: branchField.describe('The branch that the plan is on'),
}

export const taskFields = { ...planFields, id: idField.describe('The id of the task, such as t-1') }

export interface PlanPlace {
  readonly plan: string
  readonly ref: string
}

/** The plan as the caller, or as another agent. */
export function planAt(repo: Repository, { plan, ref }: PlanPlace, agent?: string): Promise<Plan> {
  const branch = repo.on(ref)
  return plans(agent === undefined ? branch : branch.as(agent)).get(plan)
}
