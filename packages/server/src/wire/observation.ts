/** Observations of commits and resolutions of intents as the wire carries them. */
import type { Observation } from 'agentstategraph'
import { z } from 'zod'
import { jsonValue, stateValue, wireValue } from './json-value.ts'
import type { Wire } from './wired.ts'

export const observationFields = {
  held: z.boolean().describe('Whether the expectation came true'),
  note: z.string().optional().describe('What was seen, in words'),
  observed: z
    .array(z.strictObject({ path: z.string(), value: jsonValue }))
    .optional()
    .describe('The measured values, by path'),
}

export const observationSchema = z.strictObject(observationFields).meta({ id: 'Observation' })

export function wireObservation({ held, note, observed }: Observation): Wire<typeof observationSchema> {
  return { held, note, observed: observed?.map(({ path, value }) => ({ path, value: wireValue(value) })) }
}

export function observationFrom({ held, note, observed }: z.output<typeof observationSchema>): Observation {
  return { held, note, observed: observed?.map(({ path, value }) => ({ path, value: stateValue(value) })) }
}

export const resolutionFields = {
  outcome: z.enum(['fulfilled', 'partial', 'failed', 'deferred']).describe('The outcome'),
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
    .describe('Where the result deviates from the intent'),
}
