/** Plans: lists of tasks that agents share. */
import { plans } from 'agentstategraph/plans'
import { z } from 'zod'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import { branchField, idField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { planSchema, planStatus, proofReportSchema, wirePlan, wireProofReport } from '../../wire/plan.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'
import { planAt, planFields } from './plan-fields.ts'

const ref = branchField.describe('The branch that the plan is on')
const name = idField.describe('The name of the plan')

const createPlan = operation({
  name: 'create_plan',
  summary: 'Create a plan',
  guidance:
    'A plan is a named list of tasks that agents claim and complete with proof. Add tasks with add_task, then claim_task.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    name,
    description: z.string().min(1).optional().describe('What the plan is for'),
    ref,
  }),
  output: () => planSchema,
  route: 'POST /api/plans',
  command: 'plan create <name> [description]',
  tools: 'standard',
  examples: [{ title: 'a release', input: { name: 'release-2', description: 'Ship version 2' } }],
  run: async (repo, { name: of, description, ref: on }) => wirePlan(await plans(repo.on(on)).create(of, description)),
  again: async (repo, { name: of, ref: on }) => wirePlan(await plans(repo.on(on)).get(of)),
})

const listPlans = operation({
  name: 'list_plans',
  summary: 'List plans',
  guidance: 'Returns plans by name, with status. list_tasks shows the tasks of one.',
  ...reading,
  input: () => ({
    status: planStatus.optional().describe('Only those'),
    ref,
    ...pageFields(50),
  }),
  output: () => pageOf(planSchema),
  route: 'GET /api/plans',
  command: 'plan list',
  examples: [{ title: 'what is being worked on', input: { status: 'active' } }],
  run: async (repo, { status, ref: on, ...page }) => wirePage(plans(repo.on(on)).list({ status }), page, wirePlan),
})

const getPlan = operation({
  name: 'get_plan',
  summary: 'Show a plan',
  guidance: 'Returns name, description and status of one plan. list_tasks shows its tasks.',
  ...reading,
  input: () => planFields,
  output: () => planSchema,
  route: 'GET /api/plans/{plan}',
  command: 'plan show <plan>',
  examples: [{ title: 'a release', input: { plan: 'release-1' } }],
  run: async (repo, place) => wirePlan(await planAt(repo, place)),
})

const closePlan = operation({
  name: 'close_plan',
  summary: 'Close a plan whose tasks are all done or abandoned',
  guidance: 'Say in summary what was reached. It fails while tasks are open, and names them.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: () => ({ ...planFields, summary: z.string().min(1).describe('What was reached') }),
  output: () => commitSchema,
  route: 'POST /api/plans/{plan}/close',
  command: 'plan close <plan> <summary>',
  examples: [{ title: 'it is done', input: { plan: 'finished', summary: 'Shipped' } }],
  run: async (repo, { summary, ...place }) => wireCommit(await (await planAt(repo, place)).close(summary)),
})

const archivePlan = operation({
  name: 'archive_plan',
  summary: 'Archive a closed plan',
  guidance: 'It can still be read. A plan that is not closed is refused: call close_plan first.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: () => planFields,
  output: () => commitSchema,
  route: 'POST /api/plans/{plan}/archive',
  command: 'plan archive <plan>',
  examples: [{ title: 'an old plan', input: { plan: 'closed' } }],
  run: async (repo, place) => wireCommit(await (await planAt(repo, place)).archive()),
})

const verifyPlan = operation({
  name: 'verify_plan',
  summary: 'Check the proofs of the completed tasks of a plan',
  guidance: 'Returns for each completed task whether its proof still holds: verified, decayed, or unverifiable here.',
  ...reading,
  input: () => planFields,
  output: () => z.strictObject({ reports: z.array(proofReportSchema) }),
  route: 'GET /api/plans/{plan}/verify',
  command: 'plan verify <plan>',
  examples: [{ title: 'is it really done?', input: { plan: 'finished' } }],
  run: async (repo, place) => ({ reports: (await (await planAt(repo, place)).verify()).map(wireProofReport) }),
})

export const planOperations: readonly Operation[] = inGroup('plans', [
  createPlan,
  listPlans,
  getPlan,
  closePlan,
  archivePlan,
  verifyPlan,
])
