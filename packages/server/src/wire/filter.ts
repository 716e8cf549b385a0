/** Which commits are wanted, as the wire says it. */
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
  agent: z.string().optional().describe('Who made it'),
  category: z.string().optional().describe('Its category'),
  ...pathFilterFields,
  since: momentField.optional().describe('Not before this moment, ISO 8601'),
  until: momentField.optional().describe('Not after this moment, ISO 8601'),
  order: z.enum(['newest', 'oldest']).default('newest').describe('Which come first'),
}

export const filterFields = {
  ...logFields,
  tags: z.array(z.string()).max(64).optional().describe('Tags that it has, all of them'),
  authority: z.string().optional().describe('A grant that it was made under'),
  text: z.string().optional().describe('Words in its description or reasoning'),
  confidence_min: z.number().min(0).max(1).optional().describe('At least this sure'),
  confidence_max: z.number().min(0).max(1).optional().describe('At most this sure'),
  deviated: z.boolean().optional().describe('Whether its intent ended otherwise than intended'),
  session: z.string().optional().describe('The session that it was made in'),
  intent: z.string().optional().describe('This intent and those below it'),
  epoch: z.string().optional().describe('The epoch that it belongs to'),
}

type FilterInput = z.output<z.ZodObject<typeof logFields>> & Partial<z.output<z.ZodObject<typeof filterFields>>>

/** The names are those of the library; only the range of confidence is written flat. */
export function filterFrom(input: FilterInput): CommitFilter {
  const { confidence_min: min, confidence_max: max, ...filter } = input
  return min === undefined && max === undefined ? filter : { ...filter, confidence: { min, max } }
}
