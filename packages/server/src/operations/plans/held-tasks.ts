/**
 * Tasks under a claim: claimed, renewed, completed, released. Each call may come from another process, so what connects them is
 * the agent that holds the task or, where one agent holds several, the id of the claim.
 */
import type { Repository } from 'agentstategraph'
import { z } from 'zod'
import { proofKind, taskSchema, wireTask } from '../../wire/plan.ts'
import { inGroup, type Operation, operation } from '../operation.ts'
import type { Done } from '../run-once.ts'
import { type PlanPlace, planAt, planFields, taskFields, tasksOf } from './plan-fields.ts'

const leaseField = z
  .number()
  .int()
  .min(1)
  .default(15 * 60 * 1000)
  .describe('How many milliseconds the claim holds without renew_task')
const claimField = z.string().optional().describe('The id of the claim; your only one when left out')

const claimSchema = z.strictObject({
  task: taskSchema.optional().describe('Absent when no task is available now'),
  claim: z.string().optional().describe('The id of the claim'),
})

/** The task that a call has claimed, as it is now, with the claim of that call. */
async function claimedBefore(repo: Repository, place: PlanPlace, done: Done) {
  const [task] = await tasksOf(repo, place, done)
  return task && { task, claim: done.id }
}

const claimTask = operation({
  name: 'claim_task',
  summary: 'Claim the next task of a plan',
  guidance:
    'When many agents call it at once, each task goes to one of them. Do the work, call renew_task while it lasts, then ' +
    'complete_task with proof, or release_task. When the lease ends the task is available again.',
  capability: 'commit',
  effect: 'write',
  input: () => ({ lease_ms: leaseField, ...planFields }),
  output: () => claimSchema,
  route: 'POST /api/plans/{plan}/claim',
  command: 'task claim <plan>',
  tools: 'standard',
  examples: [{ title: 'the next one', input: { plan: 'release-1' } }],
  async run(repo, { lease_ms, ...place }) {
    const taken = await (await planAt(repo, place)).take({ leaseMs: lease_ms })
    return taken === undefined ? {} : { task: wireTask(taken.task), claim: taken.claim }
  },
  again: claimedBefore,
})

const startTask = operation({
  name: 'start_task',
  summary: 'Claim one task of a plan by its id',
  guidance:
    'Fails with the reason when the task is claimed, blocked, done or assigned to another agent. claim_task claims the next one.',
  capability: 'commit',
  effect: 'write',
  input: () => ({ ...taskFields, lease_ms: leaseField }),
  output: () => z.strictObject({ task: taskSchema, claim: z.string() }),
  route: 'POST /api/plans/{plan}/tasks/{id}/start',
  command: 'task start <plan> <id>',
  examples: [{ title: 'exactly this one', input: { plan: 'release-1', id: 't-1' } }],
  async run(repo, { id, lease_ms, ...place }) {
    // With an id, `take` returns a claim or throws.
    const taken = (await (await planAt(repo, place)).take({ id, leaseMs: lease_ms }))!
    return { task: wireTask(taken.task), claim: taken.claim }
  },
  again: claimedBefore,
})

const renewTask = operation({
  name: 'renew_task',
  summary: 'Extend the lease of a task',
  guidance:
    'Call it before the lease ends while you work. It fails when another agent holds the task by now: then stop.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: () => ({ ...taskFields, lease_ms: leaseField, claim: claimField }),
  output: () => taskSchema,
  route: 'POST /api/plans/{plan}/tasks/{id}/renew',
  command: 'task renew <plan> <id>',
  tools: 'standard',
  examples: [{ title: 'still at it', input: { plan: 'release-1', id: 't-2' } }],
  async run(repo, { id, lease_ms, claim, ...place }) {
    const plan = await planAt(repo, place)
    return wireTask(await plan.renew(id, { leaseMs: lease_ms, claim }))
  },
})

const releaseTask = operation({
  name: 'release_task',
  summary: 'Release a claimed task',
  guidance: 'The task becomes available again. Use it when you cannot continue.',
  capability: 'commit',
  effect: 'write',
  input: () => ({ ...taskFields, claim: claimField }),
  output: () => taskSchema,
  route: 'POST /api/plans/{plan}/tasks/{id}/release',
  command: 'task release <plan> <id>',
  tools: 'standard',
  examples: [{ title: 'not now', input: { plan: 'release-1', id: 't-2' } }],
  run: async (repo, { id, claim, ...place }) => wireTask(await (await planAt(repo, place)).release(id, { claim })),
  again: async (repo, { id, ...place }) => wireTask(await (await planAt(repo, place)).get(id)),
})

const completeTask = operation({
  name: 'complete_task',
  summary: 'Complete a task, with proof',
  guidance:
    'The proof is stored and can be checked again: a commit (by id), a file (with its SHA-256 in proof_hash), a test, or a ' +
    'text. Only the agent that holds the task can complete it.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    ...taskFields,
    proof_kind: proofKind.describe('The kind of proof'),
    proof_value: z.string().min(1).describe("The commit's id, the file's name, the test's, or the text"),
    proof_note: z.string().optional().describe('What it shows'),
    proof_hash: z.string().optional().describe('SHA-256 of the content in hex; a file needs one'),
    claim: claimField,
  }),
  output: () => taskSchema,
  route: 'POST /api/plans/{plan}/tasks/{id}/complete',
  command: 'task complete <plan> <id> <proof_kind> <proof_value>',
  tools: 'standard',
  examples: [
    {
      title: 'proved by the head of main',
      input: { plan: 'release-1', id: 't-2', proof_kind: 'commit', proof_value: 'main' },
    },
  ],
  async run(repo, { id, proof_kind, proof_value, proof_note, proof_hash, claim, ...place }) {
    const proof = { kind: proof_kind, value: proof_value, note: proof_note, hash: proof_hash }
    return wireTask(await (await planAt(repo, place)).complete(id, proof, { claim }))
  },
  again: async (repo, { id, ...place }) => wireTask(await (await planAt(repo, place)).get(id)),
})

const abandonTask = operation({
  name: 'abandon_task',
  summary: 'End a task that will not be done',
  guidance:
    'Give the reason. Tasks that it blocks keep waiting until their blocked_by changes. It cannot be claimed again.',
  capability: 'commit',
  effect: 'destructive',
  idempotent: true,
  input: () => ({ ...taskFields, reason: z.string().min(1).describe('Why it will not be done') }),
  output: () => taskSchema,
  route: 'POST /api/plans/{plan}/tasks/{id}/abandon',
  command: 'task abandon <plan> <id> <reason>',
  examples: [{ title: 'nobody needs it', input: { plan: 'release-1', id: 't-1', reason: 'Out of scope' } }],
  run: async (repo, { id, reason, ...place }) => wireTask(await (await planAt(repo, place)).abandon(id, reason)),
})

export const heldTaskOperations: readonly Operation[] = inGroup('plans', [
  claimTask,
  startTask,
  renewTask,
  releaseTask,
  completeTask,
  abandonTask,
])
