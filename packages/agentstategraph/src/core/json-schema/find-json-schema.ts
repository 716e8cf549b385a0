/** The JSON Schema behind a Standard Schema, whichever library it is from. */
import { findJsonSchemaDocument } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The JSON Schema of what a schema takes; undefined when its library makes none. */
export function findJsonSchema(given: StandardSchema<unknown, unknown>): object | boolean | undefined {
  const own = findJsonSchemaDocument(given as StandardSchema)
  if (own !== undefined) return own.schema
  try {
    const made = fromStandard(given) ?? fromMethod(given)
    // Through its text, because libraries add properties of their own to the result.
    return made === undefined ? undefined : (JSON.parse(JSON.stringify(made)) as object)
  } catch {
    // Libraries throw when JSON Schema cannot express a check.
    return undefined
  }
}

/**
 * By Standard JSON Schema, the schema of the input: values are stored as they are given, without the changes of the
 * library.
 */
function fromStandard(schema: StandardSchema<unknown, unknown>): unknown {
  const { jsonSchema } = schema['~standard'] as {
    readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => unknown } | undefined
  }
  return jsonSchema?.input?.({ target: 'draft-2020-12' })
}

function fromMethod(schema: StandardSchema<unknown, unknown>): unknown {
  const { toJsonSchema } = schema as { readonly toJsonSchema?: unknown }
  return typeof toJsonSchema === 'function' ? (toJsonSchema.call(schema) as unknown) : undefined
}
