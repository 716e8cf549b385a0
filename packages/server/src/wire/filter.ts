/** Which commits are asked for, as the wire says it. Names are those that log and query have always had. */
import type { CommitFilter } from 'agentstategraph'
import { z } from 'zod'
import { momentField } from './fields.ts'

/** Which paths a commit has to have changed. */
export const pathFilterFields = {
  path: z
    .string()
    .optional()
    .describe('It changed this path or something below it; or, with * and **, a path that matches'),
  exact: z.boolean().optional().describe('It changed the path itself, and not only something below it'),
}

/** The filters that one asks for daily. */
export const logFields = {
  agent_id: z.string().optional().describe('Who made it'),
  intent_category: z.string().optional().describe('Its category'),
  ...pathFilterFields,
  date_from: momentField.optional().describe('Not before this moment, ISO 8601'),
  date_to: momentField.optional().describe('Not after this moment, ISO 8601'),
  order: z.enum(['newest', 'oldest']).default('newest').describe('Which come first'),
}

export const filterFields = {
  ...logFields,
  tags: z.array(z.string()).max(64).optional().describe('Tags that it has, all of them'),
  authority_principal: z.string().optional().describe('A grant that it was made under'),
  reasoning_contains: z.string().optional().describe('Words in its description or reasoning'),
  confidence_min: z.number().min(0).max(1).optional().describe('At least this sure'),
  confidence_max: z.number().min(0).max(1).optional().describe('At most this sure'),
  has_deviations: z.boolean().optional().describe('Whether its intent ended otherwise than intended'),
  session: z.string().optional().describe('The session that it was made in'),
  intent: z.string().optional().describe('This intent and those below it'),
  epoch: z.string().optional().describe('The epoch that it belongs to'),
}

type FilterInput = z.output<z.ZodObject<typeof logFields>> & Partial<z.output<z.ZodObject<typeof filterFields>>>

export function filterFrom(input: FilterInput): CommitFilter {
  return {
    agent: input.agent_id,
    category: input.intent_category,
    tags: input.tags,
    authority: input.authority_principal,
    text: input.reasoning_contains,
    confidence:
      input.confidence_min === undefined && input.confidence_max === undefined
        ? undefined
        : { min: input.confidence_min, max: input.confidence_max },
    deviated: input.has_deviations,
    since: input.date_from,
    until: input.date_to,
    path: input.path,
    exact: input.exact,
    session: input.session,
    intent: input.intent,
    epoch: input.epoch,
    order: input.order,
  }
}
