/** Proposals as the wire carries them. */
import type { Proposal } from 'agentstategraph/access'
import { z } from 'zod'
import { changeSchema, wireChange } from './change.ts'
import { given } from './fields.ts'

export const proposalStatuses = ['open', 'approved', 'rejected', 'lapsed'] as const

export const proposalSchema = z
  .strictObject({
    id: z.string(),
    by: z.string().describe('Who made it'),
    timestamp: z.string(),
    into: z.string().describe('The branch that it is for'),
    description: z.string(),
    reasoning: z.string().optional(),
    confidence: z.number().optional(),
    commit: z.string().describe('The proposed commit, to read its state by'),
    changes: z.array(changeSchema).describe('What it would change, as far as you may read it'),
    rule: z.string().optional().describe('What asks for an approval; absent when whoever made it may only propose'),
    approvers: z.array(z.string()).optional().describe('Who may approve it; whoever holds approve when absent'),
    status: z.enum(proposalStatuses).describe('lapsed: the branch has moved, so it can no longer land'),
    decision: z
      .strictObject({ by: z.string(), reason: z.string().optional(), commit: z.string().optional() })
      .optional()
      .describe('Who decided it and why, and the commit that landed'),
  })
  .meta({ id: 'Proposal' })

export function wireProposal({ changes, approvers, decision, ...rest }: Proposal): z.input<typeof proposalSchema> {
  return given({
    ...rest,
    changes: changes.map(wireChange),
    approvers: approvers && [...approvers],
    decision: decision && { ...decision },
  })
}
