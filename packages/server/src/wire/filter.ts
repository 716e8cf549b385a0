/** Which commits are wanted, as the wire says it. */
import type { CommitFilter } from 'agentstategraph'
import { z } from 'zod'
import { momentField } from './fields.ts'

/** Filters by changed path. */
export const pathFilterFields = {
  path: z
    .string()
    .optional()
    .describe('Commits that changed this path or anything below it; with * and **, a path that matches'),
  exact: z.boolean().optional().describe('Only commits that changed the path itself'),
}

/** The filters of `log`. */
export const logFields = {
  agent: z.string().optional().describe('The agent of the commit'),
  category: z.string().optional().describe('The category of the commit'),
  ...pathFilterFields,
  since: momentField.optional().describe('Not before this time, ISO 8601'),
  until: momentField.optional().describe('Not after this time, ISO 8601'),
  order: z.enum(['newest', 'oldest']).default('newest').describe('Which come first'),
}

export const filterFields = {
  ...logFields,
  tags: z.array(z.string()).max(64).optional().describe('The commit has all of these tags'),
  authority: z.string().optional().describe('The id of a grant that it was made under'),
  text: z.string().optional().describe('Words in the description or reasoning'),
  confidence_min: z.number().min(0).max(1).optional().describe('The least confidence'),
  confidence_max: z.number().min(0).max(1).optional().describe('The greatest confidence'),
  deviated: z.boolean().optional().describe('Whether the outcome of its intent had deviations'),
  session: z.string().optional().describe('The session that it was made in'),
  intent: z.string().optional().describe('This intent and its descendants'),
  epoch: z.string().optional().describe('The epoch that it belongs to'),
}

type FilterInput = z.output<z.ZodObject<typeof logFields>> & Partial<z.output<z.ZodObject<typeof filterFields>>>

/** The names are those of the library; only the range of confidence is written flat. */
export function filterFrom(input: FilterInput): CommitFilter {
  const { confidence_min: min, confidence_max: max, ...filter } = input
  return min === undefined && max === undefined ? filter : { ...filter, confidence: { min, max } }
}
