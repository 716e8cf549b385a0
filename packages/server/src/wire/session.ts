/** Sessions, their reports and delegated intents as the wire carries them. */
import type { Report, SessionInfo } from 'agentstategraph/access'
import { type IntentRecord, intentStatuses } from 'agentstategraph/access'
import { z } from 'zod'
import { endedSchema, wireEnded } from './access.ts'
import { given } from './fields.ts'
import { resolutionFields, wireResolution } from './observation.ts'

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

export function wireSession({
  id,
  agent,
  branchName,
  parent,
  intent,
  status,
}: SessionInfo): z.input<typeof sessionSchema> {
  return given({ id, agent, branch: branchName, parent, intent, status })
}

export const reportSchema = z
  .strictObject({ session: z.string(), agent: z.string(), time: z.string(), ...resolutionFields })
  .meta({ id: 'Report', description: 'The report of a session when it ended' })

export function wireReport({ session, agent, time, resolution }: Report): z.input<typeof reportSchema> {
  return given({ session, agent, time, ...wireResolution(resolution) })
}

export const delegatedIntentSchema = z
  .strictObject({
    id: z.string(),
    description: z.string().optional(),
    parent: z.string().optional(),
    status: z.enum(intentStatuses),
    by: z.string().describe('Who proposed it'),
    time: z.string(),
    authorized: endedSchema.optional().meta({ description: 'Who authorised it, why and when' }),
    session: z.string().optional().describe('The session that works on it or did last'),
    agent: z.string().optional(),
    reason: z.string().optional().describe('The reason for its status'),
  })
  .meta({ id: 'DelegatedIntent' })

export function wireDelegatedIntent({ authorized, ...rest }: IntentRecord): z.input<typeof delegatedIntentSchema> {
  return given({ ...rest, authorized: authorized && wireEnded(authorized) })
}
