/** What came of commits and intents, as the wire carries it. */
import type { Observation, Resolution } from 'agentstategraph'
import { z } from 'zod'
import { jsonValue, stateValue, wireValue } from './json-value.ts'

export const observationFields = {
  held: z.boolean().describe('Whether what was expected came true'),
  note: z.string().optional().describe('What was seen, in words'),
  observed: z
    .array(z.strictObject({ path: z.string(), value: jsonValue }))
    .optional()
    .describe('What was measured at which path'),
}

export const observationSchema = z.strictObject(observationFields).meta({ id: 'Observation' })

export function wireObservation({ held, note, observed }: Observation): z.input<typeof observationSchema> {
  return { held, note, observed: observed?.map(({ path, value }) => ({ path, value: wireValue(value) })) }
}

export function observationFrom({ held, note, observed }: z.output<typeof observationSchema>): Observation {
  return { held, note, observed: observed?.map(({ path, value }) => ({ path, value: stateValue(value) })) }
}

export const resolutionFields = {
  outcome: z.enum(['fulfilled', 'partial', 'failed', 'deferred']).describe('How it ended'),
  summary: z.string().min(1).describe('What was reached, in a sentence'),
  deviations: z
    .array(
      z.strictObject({
        description: z.string().min(1),
        reason: z.string().optional(),
        impact: z.enum(['low', 'medium', 'high']).optional(),
      }),
    )
    .optional()
    .describe('Where what was done is not what was intended'),
}

export function wireResolution({
  outcome,
  summary,
  deviations,
}: Resolution): z.input<z.ZodObject<typeof resolutionFields>> {
  return { outcome, summary, deviations: deviations?.map(deviation => ({ ...deviation })) }
}
