/** What all operations on plans share: the fields that name a plan, and opening it. */
import type { Plan } from 'agentstategraph/plans'
import { plans } from 'agentstategraph/plans'
import { branchField, idField, namespaceField } from '../../wire/fields.ts'
import type { OperationContext } from '../operation.ts'

/** Which plan, on which branch. */
export const planFields = {
  plan: idField.describe('The name of the plan'),
  ref: branchField.describe('The branch that the plan is on'),
  namespace: namespaceField,
}

export const taskFields = { ...planFields, id: idField.describe('The id of the task, such as t-1') }

export interface PlanPlace {
  readonly plan: string
  readonly ref: string
  readonly namespace?: string | undefined
}

/** The plan as the caller, or as another agent. */
export async function planAt({ repo }: OperationContext, place: PlanPlace, agent?: string): Promise<Plan> {
  const branch = (await repo(place.namespace)).on(place.ref)
  return plans(agent === undefined ? branch : branch.as(agent)).get(place.plan)
}
