/** Speculations as the wire carries them. */
import type { Comparison, SpeculationInfo } from 'agentstategraph'
import { z } from 'zod'
import { changeSchema, wireChanges } from './change.ts'
import { hashText } from './hash-text.ts'
import { jsonValue } from './json-value.ts'
import { type Pace, pacedMap, pacedValue } from './pace/paced-value.ts'
import { given, type Wire } from './wired.ts'

export const speculationSchema = z
  .strictObject({
    id: z.string(),
    label: z.string().optional(),
    base: hashText.optional().describe('The commit that it started from, for those who may read that'),
    branch: z.string().describe('The branch that it started from'),
    expires: z.string().optional(),
  })
  .meta({ id: 'Speculation' })

export function wireSpeculation(speculation: SpeculationInfo): Wire<typeof speculationSchema> {
  const { id, label, base, branchName: branch, expires } = speculation
  return given({ id, label, base, branch, expires })
}

export const comparisonSchema = z
  .strictObject({
    base: hashText.optional(),
    columns: z.array(
      z.strictObject({
        speculation: speculationSchema,
        changes: z.array(changeSchema),
        description: z.string().optional().describe('What its newest write says'),
        reasoning: z.string().optional(),
        confidence: z.number().optional(),
      }),
    ),
    rows: z
      .array(
        z.strictObject({
          path: z.string(),
          base: jsonValue.optional(),
          values: z.array(jsonValue).describe('One for each column; {"$undefined": true} where there is none'),
          agree: z.boolean(),
        }),
      )
      .describe('One for each path that any of them changes'),
  })
  .meta({ id: 'Comparison' })

export type WireComparison = Wire<typeof comparisonSchema>

export async function wireComparison({ base, columns, rows }: Comparison, pace: Pace): Promise<WireComparison> {
  return {
    ...(base === undefined ? {} : { base }),
    columns: await pacedMap(
      columns,
      async ({ speculation, changes, ...why }) => ({
        speculation: wireSpeculation(speculation),
        changes: await wireChanges(changes, pace),
        ...why,
      }),
      pace,
    ),
    rows: await pacedMap(
      rows,
      async row => ({
        path: row.path,
        ...('base' in row ? { base: await pacedValue(row.base, pace) } : {}),
        values: await pacedMap(row.values, value => pacedValue(value, pace), pace),
        agree: row.agree,
      }),
      pace,
    ),
  }
}
