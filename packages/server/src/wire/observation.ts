/** Observations of commits and resolutions of intents as the wire carries them. */
import type { Observation, Observed } from 'agentstategraph'
import { z } from 'zod'
import { jsonValue, stateValue, wireValue } from './json-value.ts'
import { given, type Wire } from './wired.ts'

export const observationFields = {
  held: z.boolean().describe('Whether the expectation came true'),
  note: z.string().optional().describe('What was seen, in words'),
  observed: z
    .array(z.strictObject({ path: z.string(), value: jsonValue }))
    .optional()
    .describe('The measured values, by path'),
  confidence: z.number().min(0).max(1).optional().describe('How sure you are, from 0 to 1'),
}

export const observationSchema = z.strictObject(observationFields).meta({ id: 'Observation' })

/** With who made it, and when. */
export const observedSchema = z
  .strictObject({ ...observationFields, agent: z.string(), timestamp: z.string() })
  .meta({ id: 'Observed' })

export function wireObservation(observation: Observation): Wire<typeof observationSchema> {
  const { held, note, observed, confidence } = observation
  const values = observed?.map(({ path, value }) => ({ path, value: wireValue(value) }))
  return given({ held, note, observed: values, confidence })
}

export function wireObserved({ agent, timestamp, ...observation }: Observed): Wire<typeof observedSchema> {
  return { ...wireObservation(observation), agent, timestamp }
}

export function observationFrom(observation: z.output<typeof observationSchema>): Observation {
  const { held, note, observed, confidence } = observation
  const values = observed?.map(({ path, value }) => ({ path, value: stateValue(value) }))
  return given({ held, note, observed: values, confidence })
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
