/** What all operations on plans share: the fields that name a plan, opening it, and the tasks that a call was about. */
import type { Repository } from 'agentstategraph'
import { type Plan, plans } from 'agentstategraph/plans'
import { branchField, idField } from '../../wire/fields.ts'
import { wireTask } from '../../wire/plan.ts'
import type { Done } from '../run-once.ts'

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

/** How many changed paths an entry lists one by one. */
const LISTED_AT_MOST = 64

/** The tasks that a call has added or changed, as they are now; none where its entry does not tell which they were. */
export async function tasksOf(repo: Repository, place: PlanPlace, { changed }: Done, count = 1) {
  const plan = await planAt(repo, place)
  const numbers = changed.flatMap(path => /\/tasks\/t-(\d+)(?:\/|$)/.exec(path)?.[1] ?? [])
  if (numbers.length > 0)
    return Promise.all(numbers.map(async number => wireTask(await plan.get(`t-${Number(number)}`))))
  // The first tasks of a plan are listed as all of its tasks.
  return count > LISTED_AT_MOST ? [] : (await plan.tasks().page({ limit: count })).items.map(wireTask)
}
