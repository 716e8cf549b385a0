/** Schemas, violations and migrations as the wire carries them. */
import type { AttachedSchema, MigrationReport, SchemaReport, VersionCheck } from 'agentstategraph/schema'
import { z } from 'zod'
import { changeSchema, wireChanges } from './change.ts'
import { commitSchema, wireCommit } from './commit.ts'
import { type JsonValue, jsonValue, wireValue } from './json-value.ts'
import { type Pace, pacedMap } from './pace/paced-value.ts'
import { given, type Wire } from './wired.ts'

export const enforcement = z.enum(['strict', 'warn', 'off'])

export const attachedSchema = z
  .strictObject({
    pattern: z.string(),
    enforcement,
    schema: jsonValue.optional().describe('The JSON Schema; absent when it is code of the program that attached it'),
    opaque: z.strictObject({ vendor: z.string(), is_known: z.boolean() }).optional(),
  })
  .meta({ id: 'AttachedSchema' })

export function wireAttachedSchema(attached: AttachedSchema): Wire<typeof attachedSchema> {
  const { opaque, ...rest } = attached
  // A JSON Schema is plain JSON: its `$ref` and `$defs` are not tags.
  const schema = attached.schema as JsonValue | undefined
  return given({ ...rest, schema, opaque: opaque && { vendor: opaque.vendor, is_known: opaque.isKnown } })
}

export const schemaReportSchema = z
  .strictObject({
    ok: z.boolean(),
    violations: z.array(
      z.strictObject({
        path: z.string(),
        rule: z.string(),
        value: jsonValue,
        message: z.string(),
        pattern: z.string(),
        enforcement,
      }),
    ),
    unchecked: z.array(z.string()).describe('Patterns whose schemas this process cannot evaluate'),
  })
  .meta({ id: 'SchemaReport' })

export function wireSchemaReport({ violations, unchecked }: SchemaReport): Wire<typeof schemaReportSchema> {
  return {
    ok: violations.length === 0,
    violations: violations.map(violation => ({ ...violation, value: wireValue(violation.value) })),
    unchecked,
  }
}

export const versionCheckSchema = z
  .strictObject({
    ref: z.string(),
    status: z.enum(['up-to-date', 'upgrade-available', 'downgrade', 'unversioned', 'corrupt']),
    found: jsonValue.optional().describe('The stored version'),
    latest: z.number().int().describe('The version after all migrations'),
    pending: z.array(z.string()).describe('The migrations that would run'),
  })
  .meta({ id: 'VersionCheck' })

export function wireVersionCheck({ found, ...check }: VersionCheck): Wire<typeof versionCheckSchema> {
  return { ...check, ...(found === undefined ? {} : { found: wireValue(found) }) }
}

export const migrationReportSchema = z
  .strictObject({
    ref: z.string(),
    is_dry_run: z.boolean(),
    steps: z.array(
      z.strictObject({
        name: z.string(),
        from: z.number().int(),
        to: z.number().int(),
        changes: z.array(changeSchema),
        commit: commitSchema.optional().describe('Absent in a dry run'),
      }),
    ),
  })
  .meta({ id: 'MigrationReport' })

export async function wireMigrationReport(
  { ref, isDryRun, steps }: MigrationReport,
  pace: Pace,
): Promise<Wire<typeof migrationReportSchema>> {
  return {
    ref,
    is_dry_run: isDryRun,
    steps: await pacedMap(
      steps,
      async ({ changes, commit, ...step }) => ({
        ...step,
        changes: await wireChanges(changes, pace),
        ...(commit === undefined ? {} : { commit: wireCommit(commit) }),
      }),
      pace,
    ),
  }
}
