/** Sessions, their reports and delegated intents as the wire carries them. */
import { intentStatuses, type Report, type SessionInfo } from 'agentstategraph/access'
import { z } from 'zod'
import { endedSchema } from './access.ts'
import { resolutionFields } from './observation.ts'
import { given, type Wire } from './wired.ts'

export const sessionSchema = z
  .strictObject({
    id: z.string().describe('Pass it as session in a write'),
    agent: z.string(),
    branch: z.string().describe('The branch that it works on: pass it as ref'),
    parent: z.string().optional().describe('The session that it was opened from'),
    intent: z.string().optional(),
    status: z.enum(['open', 'ended']),
  })
  .meta({ id: 'Session' })

export function wireSession(session: SessionInfo): Wire<typeof sessionSchema> {
  const { id, agent, branchName: branch, parent, intent, status } = session
  return given({ id, agent, branch, parent, intent, status })
}

export const reportSchema = z
  .strictObject({ session: z.string(), agent: z.string(), time: z.string(), ...resolutionFields })
  .meta({ id: 'Report', description: 'The report of a session when it ended' })

export function wireReport({ resolution, ...report }: Report): Wire<typeof reportSchema> {
  return { ...report, ...resolution }
}

export const delegatedIntentSchema = z
  .strictObject({
    id: z.string(),
    description: z.string().optional(),
    parent: z.string().optional(),
    status: z.enum(intentStatuses),
    by: z.string().describe('Who proposed it'),
    actors: z.array(z.string()).optional().describe('All principals behind the proposal, when there are others'),
    time: z.string(),
    authorized: endedSchema.optional().meta({ description: 'Who authorised it, why and when' }),
    session: z.string().optional().describe('The session that works on it or did last'),
    agent: z.string().optional(),
    reason: z.string().optional().describe('The reason for its status'),
  })
  .meta({ id: 'DelegatedIntent' })
