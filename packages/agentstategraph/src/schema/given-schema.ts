/**
 * Converts a schema that a caller gives into the record that is stored.
 *
 * A JSON Schema is stored as it is. A schema of another library is stored as the JSON Schema that the library generates, and only
 * that is checked, in every process alike. If the library generates none, the schema stays opaque.
 */

import {
  coreError,
  findJsonSchema,
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
  /** What happens to a write that violates it; `strict` unless given. */
  enforcement?: Enforcement | undefined
}

export const attachOptions: Options<AttachOptions> = optionsOf<AttachOptions>('attach', { enforcement: true })

export interface PreparedSchema {
  readonly pattern: string
  readonly record: SchemaRecord
  /** The schema itself, when it is opaque. */
  readonly opaque?: StandardSchema
}

/** Checks a schema that is to be attached. `id` identifies an opaque schema. */
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
  const schema = isStandardSchema(given) ? findJsonSchema(given) : given
  if (schema === undefined) {
    const opaque = given as StandardSchema
    const { vendor } = opaque['~standard']
    return { pattern: text, record: { enforcement, opaque: { id: id(), vendor } }, opaque }
  }
  const document = findJsonSchemaDocument(jsonSchema(schema))!
  assertHints(text, document)
  return { pattern: text, record: { enforcement, schema } }
}
