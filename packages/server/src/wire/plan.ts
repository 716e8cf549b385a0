/** Plans and their tasks as the wire carries them. */
import type { Plan, PlanTask, ProofReport } from 'agentstategraph/plans'
import { z } from 'zod'
import { jsonValue, wireValue } from './json-value.ts'
import { given, type Wire } from './wired.ts'

export const planStatus = z.enum(['active', 'completed', 'archived'])
export const taskStatus = z.enum(['pending', 'in-progress', 'done', 'abandoned'])
export const priority = z.enum(['low', 'medium', 'high', 'critical'])
export const proofKind = z.enum(['commit', 'file', 'test', 'text'])

export const planSchema = z
  .strictObject({ name: z.string(), description: z.string().optional(), status: planStatus })
  .meta({ id: 'Plan' })

export function wirePlan({ name, description, status }: Plan): Wire<typeof planSchema> {
  return given({ name, status, description })
}

const taskFields = {
  id: z.string(),
  title: z.string(),
  priority,
  parent: z.string().optional(),
  blocked_by: z.array(z.string()),
  assignee: z.string().optional(),
  payload: jsonValue.optional(),
  derived: taskStatus.optional().describe('The status of its parts together, when it has parts'),
}

export const taskSchema = z
  .discriminatedUnion('status', [
    z.strictObject({ ...taskFields, status: z.literal('pending') }),
    z.strictObject({
      ...taskFields,
      status: z.literal('in-progress'),
      owner: z.string(),
      lease_ends: z.string().optional(),
    }),
    z.strictObject({
      ...taskFields,
      status: z.literal('done'),
      owner: z.string(),
      proof: z.strictObject({
        kind: proofKind,
        value: z.string(),
        note: z.string().optional(),
        hash: z.string().optional(),
      }),
    }),
    z.strictObject({ ...taskFields, status: z.literal('abandoned'), reason: z.string() }),
  ])
  .meta({ id: 'Task' })

export function wireTask(task: PlanTask): Wire<typeof taskSchema> {
  const { id, title, priority: of, parent, blockedBy, assignee, payload, derived } = task
  const carried = payload === undefined ? {} : { payload: wireValue(payload) }
  const fields = given({ id, title, priority: of, parent, blocked_by: blockedBy, assignee, derived, ...carried })
  switch (task.status) {
    case 'pending':
      return { ...fields, status: 'pending' }
    case 'in-progress':
      return given({ ...fields, status: 'in-progress', owner: task.owner, lease_ends: task.leaseEnds })
    case 'done':
      return { ...fields, status: 'done', owner: task.owner, proof: task.proof }
    case 'abandoned':
      return { ...fields, status: 'abandoned', reason: task.reason }
  }
}

export const proofReportSchema = z
  .strictObject({
    id: z.string(),
    status: z.enum(['verified', 'decayed', 'unverifiable']),
    detail: z.string().optional(),
  })
  .meta({ id: 'ProofReport' })

export function wireProofReport({ id, status, detail }: ProofReport): Wire<typeof proofReportSchema> {
  return given({ id, status, detail })
}
