/**
 * A JSON Schema (2020-12) as a Standard Schema, so that it can define a state as schemas of other libraries do.
 *
 * The schema is read once: references are resolved, keywords checked, and unsupported ones refused by name. Validation
 * fills in the defaults of properties.
 */

import { isPlainObject } from '../objects/built-in.ts'
import { decode } from '../values/decode.ts'
import { encode } from '../values/encode.ts'
import { newSchemaCheck } from './check-schema.ts'
import { findDefault, withDefaults } from './defaults.ts'
import { evaluate } from './evaluate.ts'
import { finished } from './evaluation.ts'
import { invalid, readDocument } from './registry.ts'
import { isSchemaObject, type Resolve, type SchemaNode, type SchemaObject } from './schema-node.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The fields of an object schema, for validation of one field at a time. */
export interface JsonSchemaFields {
  readonly fields: ReadonlyMap<string, JsonSchemaField>
  /** Whether it also has rules over the whole object. */
  readonly hasRules: boolean
}

export interface JsonSchemaField {
  readonly schema: StandardSchema
  readonly isRequired: boolean
  readonly initial?: { readonly value: unknown } | undefined
}

/** A parsed JSON Schema with resolved references. */
export interface JsonSchemaDocument {
  readonly schema: SchemaNode
  readonly resolve: Resolve
}

const documents = new WeakMap<object, JsonSchemaDocument>()

/** The document behind what `jsonSchema` made; undefined for the schema of another library. */
export function findJsonSchemaDocument(made: StandardSchema): JsonSchemaDocument | undefined {
  return documents.get(made)
}

/** Makes a Standard Schema of a JSON Schema; throws `schema-invalid` when it is none. */
export function jsonSchema<T = Record<string, unknown>>(schema: object | boolean): StandardSchema<T> {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || !isPlainObject(schema))) {
    throw invalid([], 'it is neither an object nor true or false')
  }
  // A copy, so that the caller cannot change what was checked.
  const document = decode(encode(schema)) as SchemaNode
  const resolve = readDocument(document, newSchemaCheck())
  const made = standardOf<T>(document, resolve)
  documents.set(made, { schema: document, resolve })
  return made
}

function standardOf<T>(schema: SchemaNode, resolve: Resolve): StandardSchema<T> {
  const validate = (value: unknown): unknown => {
    const filled = withDefaults(schema, value, resolve)
    const issues = finished(evaluate(schema, filled, resolve))
    return issues.length === 0 ? { value: filled } : { issues: issues.map(({ path, message }) => ({ path, message })) }
  }
  return { '~standard': { version: 1, vendor: 'agentstategraph', validate } }
}

/** Keywords that are no rules over the whole object. */
const ofFields = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  '$schema',
  '$id',
  '$defs',
  '$anchor',
  '$comment',
  'title',
  'description',
  'examples',
  'default',
])

/** The fields of a schema that `jsonSchema` made; undefined when it describes no object with known fields. */
export function findJsonSchemaFields(made: StandardSchema): JsonSchemaFields | undefined {
  const known = documents.get(made)
  if (known === undefined || !isSchemaObject(known.schema)) return undefined
  const { schema, resolve } = known as { readonly schema: SchemaObject; readonly resolve: Resolve }
  const { properties, required = [], additionalProperties } = schema
  if (!isSchemaObject(properties) || isSchemaObject(additionalProperties) || 'patternProperties' in schema)
    return undefined
  const fields = new Map<string, JsonSchemaField>()
  for (const [name, part] of Object.entries(properties)) {
    fields.set(name, {
      schema: standardOf(part as SchemaNode, resolve),
      isRequired: (required as readonly string[]).includes(name),
      initial: findDefault(part as SchemaNode, resolve),
    })
  }
  const isListed = (required as readonly string[]).every(name => fields.has(name))
  return { fields, hasRules: !isListed || Object.keys(schema).some(keyword => !ofFields.has(keyword)) }
}
