/**
 * The schema of an input as the list of tools has it.
 *
 * MCP assumes this dialect of JSON Schema, so tools need not name it. What is enforced and seldom met is not listed, because it
 * would be a third of the list: limits of length, that there are no other fields, and the words on fields that most tools have,
 * which the instructions of the server explain.
 */
import { z } from 'zod'
import { keyField, namespaceField, sessionField } from '../wire/fields.ts'
import { pageFields } from '../wire/page.ts'
import { isRecord } from '../wire/wired.ts'
import type { JsonSchema } from './json-schema.ts'

/** What the instructions say once for all tools. */
const page = pageFields(1)
const explained = [namespaceField, sessionField, keyField, page.limit, page.cursor].map(
  ({ description }) => description,
)

const unlisted = ['$schema', 'minLength', 'maxLength', 'maxItems', 'propertyNames']

export function listedInput(input: z.ZodObject): JsonSchema {
  const listed = withoutLimits(z.toJSONSchema(input, { io: 'input' }) as JsonSchema)
  const fields = Object.entries(listed['properties'] as Readonly<Record<string, JsonSchema>>)
  return { ...listed, properties: Object.fromEntries(fields.map(([name, field]) => [name, unexplained(field)])) }
}

function unexplained({ description, ...field }: JsonSchema): JsonSchema {
  return explained.some(text => text === description) ? field : { ...field, description }
}

function withoutLimits(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema
  // A type of several names makes some clients refuse a tool; without a type it is any value.
  if ($ref === '#/$defs/JsonValue') return rest
  const entries = Object.entries(schema).flatMap(([key, part]) => {
    if (unlisted.includes(key) || (key === 'additionalProperties' && part === false)) return []
    if (key === 'maximum' && part === Number.MAX_SAFE_INTEGER) return []
    if (key === 'properties' || key === '$defs') {
      const named = Object.entries(part as Readonly<Record<string, JsonSchema>>).filter(
        ([name]) => key !== '$defs' || name !== 'JsonValue',
      )
      return named.length === 0 && key === '$defs'
        ? []
        : [[key, Object.fromEntries(named.map(([name, one]) => [name, withoutLimits(one)]))]]
    }
    if (Array.isArray(part)) return [[key, part.map(one => (isRecord(one) ? withoutLimits(one) : one))]]
    return [[key, isRecord(part) && key !== 'default' ? withoutLimits(part) : part]]
  })
  return Object.fromEntries(entries)
}
