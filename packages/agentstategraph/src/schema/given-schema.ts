/**
 * Converts a schema that a caller gives into the record that is stored.
 *
 * A JSON Schema is stored as it is. A schema of another library is stored as the JSON Schema that the library generates, and only
 * that is checked, in every process alike. If the library generates none, the schema stays opaque.
 */

import {
  coreError,
  findJsonSchemaDocument,
  isStandardSchema,
  jsonSchema,
  type Options,
  optionsOf,
  parseGlob,
  type StandardSchema,
} from '../core/index.ts'
import { assertHints, type Enforcement, enforcements, metaKey, type SchemaRecord } from '../repo/index.ts'
import { schemaError } from './errors.ts'

/** A JSON Schema of 2020-12, or the schema of a library. */
export type GivenSchema = StandardSchema | object | boolean

/** Options of `attach`. */
export interface AttachOptions {
  /** What happens to a write that breaks it; `strict` unless said. */
  enforcement?: Enforcement | undefined
}

export const attachOptions: Options<AttachOptions> = optionsOf<AttachOptions>('attach', { enforcement: true })

export interface PreparedSchema {
  readonly pattern: string
  readonly record: SchemaRecord
  /** The schema itself, when it is opaque. */
  readonly opaque?: StandardSchema
}

/** Checks what is to be attached. `id` is what an opaque schema is known by. */
export function prepareSchema(
  pattern: string,
  given: GivenSchema,
  { enforcement = 'strict' }: AttachOptions,
  id: () => string,
): PreparedSchema {
  const { text, parts } = parseGlob(pattern)
  if (parts[0]?.kind === 'key' && parts[0].key === metaKey) {
    throw coreError('pattern-invalid', { pattern, reason: 'what is under /_meta has a form of its own' })
  }
  if (!enforcements.includes(enforcement)) {
    throw schemaError('schema-enforcement-invalid', { pattern: text, found: enforcement })
  }
  const schema = findJson(given)
  if (schema === undefined) {
    const opaque = given as StandardSchema
    const { vendor } = opaque['~standard']
    return { pattern: text, record: { enforcement, opaque: { id: id(), vendor } }, opaque }
  }
  const document = findJsonSchemaDocument(jsonSchema(schema))!
  assertHints(text, document)
  return { pattern: text, record: { enforcement, schema } }
}

/** The JSON Schema of a schema; undefined when its library makes none. */
function findJson(given: GivenSchema): object | boolean | undefined {
  if (!isStandardSchema(given)) return given
  const own = findJsonSchemaDocument(given)
  if (own !== undefined) return own.schema
  try {
    const made = toldByStandard(given) ?? toldByMethod(given)
    // Through its text: libraries hang things of their own on what they give.
    return made === undefined ? undefined : (JSON.parse(JSON.stringify(made)) as object)
  } catch {
    // Libraries throw where JSON Schema has no words for what they check.
    return undefined
  }
}

/** By Standard JSON Schema: what a value may be before the library changes it, for nothing is changed when it is stored. */
function toldByStandard(schema: StandardSchema): unknown {
  const { jsonSchema } = schema['~standard'] as {
    readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => unknown } | undefined
  }
  return jsonSchema?.input?.({ target: 'draft-2020-12' })
}

function toldByMethod(schema: StandardSchema): unknown {
  const { toJsonSchema } = schema as { readonly toJsonSchema?: unknown }
  return typeof toJsonSchema === 'function' ? (toJsonSchema.call(schema) as unknown) : undefined
}
