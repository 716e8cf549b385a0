/** Speculations as the wire carries them. */
import type { Comparison, SpeculationInfo } from 'agentstategraph'
import { z } from 'zod'
import { changeSchema, wireChange } from './change.ts'
import { jsonValue, wireValue } from './json-value.ts'

export const speculationSchema = z
  .strictObject({
    id: z.string(),
    label: z.string().optional(),
    base: z.string().describe('The commit that it started from'),
    branch: z.string().describe('The branch that it started from'),
    expires: z.string().optional(),
  })
  .meta({ id: 'Speculation' })

export function wireSpeculation(speculation: SpeculationInfo): z.input<typeof speculationSchema> {
  const { id, label, base, branchName, expires } = speculation
  return {
    id,
    base,
    branch: branchName,
    ...(label === undefined ? {} : { label }),
    ...(expires === undefined ? {} : { expires }),
  }
}

export const comparisonSchema = z
  .strictObject({
    base: z.string(),
    columns: z.array(z.strictObject({ speculation: speculationSchema, changes: z.array(changeSchema) })),
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

export function wireComparison({ base, columns, rows }: Comparison): z.input<typeof comparisonSchema> {
  return {
    base,
    columns: columns.map(({ speculation, changes }) => ({
      speculation: wireSpeculation(speculation),
      changes: changes.map(wireChange),
    })),
    rows: rows.map(row => ({
      path: row.path,
      ...('base' in row ? { base: wireValue(row.base) } : {}),
      values: row.values.map(wireValue),
      agree: row.agree,
    })),
  }
}
