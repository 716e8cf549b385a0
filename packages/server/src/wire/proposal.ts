/** Proposals as the wire carries them. */
import type { Proposal } from 'agentstategraph/access'
import { z } from 'zod'
import { changeSchema, wireChanges } from './change.ts'
import { hashText } from './hash-text.ts'
import type { Pace } from './pace/paced-value.ts'
import type { Wire } from './wired.ts'

export const proposalStatuses = ['open', 'approved', 'rejected', 'lapsed'] as const

export const proposalSchema = z
  .strictObject({
    id: z.string(),
    by: z.string().describe('The principal that made it'),
    actors: z
      .array(z.string())
      .optional()
      .describe('The principals of its sessions, when it was made in one of others'),
    timestamp: z.string(),
    into: z.string().describe('The target branch'),
    description: z.string(),
    reasoning: z.string().optional(),
    confidence: z.number().optional(),
    commit: hashText.describe('The proposed commit; its state can be read'),
    changes: z.array(changeSchema).describe('What it would change, as far as you may read it'),
    rule: z.string().optional().describe('The rule that requires approval; absent when its author may only propose'),
    approvers: z.array(z.string()).optional().describe('Who may approve it; every principal with approve when absent'),
    status: z.enum(proposalStatuses).describe('lapsed: its branch has moved, so it can no longer land'),
    decision: z
      .strictObject({ by: z.string(), reason: z.string().optional(), commit: hashText.optional() })
      .optional()
      .describe('Who decided it, why, and the commit that landed'),
  })
  .meta({ id: 'Proposal' })

export async function wireProposal(proposal: Proposal, pace: Pace): Promise<Wire<typeof proposalSchema>> {
  return { ...proposal, changes: await wireChanges(proposal.changes, pace) }
}
