/**
 * The OpenAPI 3.1 document, generated from the table: every operation with the schemas that validate it.
 *
 * Named schemas (`JsonValue`, `Commit`, …) become components, so that generated clients have types with those names.
 */
import { z } from 'zod'
import type { Operation } from '../operations/operation.ts'
import { problemResponses, problemsOf } from './problem-responses.ts'
import { fieldsOfRoute } from './routes/fields.ts'
import { lineTypes } from './stream/line-response.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

const problemSchema: JsonObject = {
  type: 'object',
  description: 'What went wrong (RFC 9457)',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'A stable code to branch on' },
    kind: { type: 'string' },
    hint: { type: 'string', description: 'What to do about it' },
    data: { $ref: '#/components/schemas/JsonValue' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'kind'],
}

export function openApiDocument(operations: readonly Operation[], version: string): JsonObject {
  const components = new Map<string, Json>()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ')
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = operationObject(operation, components)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'AgentStateGraph',
      version,
      description:
        'Versioned state for agents, whose history says who, why and on whose authority. Writes have a second route: PUT, PATCH and ' +
        'DELETE on /api/state/{path} take the fields of set, commit and delete, with the path in the URL.',
      license: { name: 'MIT OR Apache-2.0', identifier: 'MIT OR Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: [...new Set(operations.map(({ group }) => group))].map(name => ({ name })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries([...withNamedOptions(components)].sort(([a], [b]) => (a < b ? -1 : 1))),
        Problem: problemSchema,
      },
      responses: problemResponses,
    },
  }
}

/** Converts a schema and moves its named parts to the components. */
export function documentSchema(schema: z.ZodType, io: 'input' | 'output', components: Map<string, Json>): JsonObject {
  const { $schema: _, $defs = {}, ...rest } = referenced(z.toJSONSchema(schema, { io }) as JsonObject) as JsonObject
  for (const [name, part] of Object.entries($defs as JsonObject)) {
    const known = components.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part)) {
      throw new Error(`Two different schemas are called ${name}`)
    }
    components.set(name, part)
  }
  return rest
}

/**
 * The options of a named union as components of their own: generators name what is inside an option after the union, and refuse
 * two of one name. A `Task` with the status done is `TaskDone`.
 */
function withNamedOptions(components: ReadonlyMap<string, Json>): ReadonlyMap<string, Json> {
  const named = new Map<string, Json>()
  for (const [name, schema] of components) {
    const { oneOf } = schema as { readonly oneOf?: readonly JsonObject[] }
    if (oneOf === undefined || !oneOf.every(({ type }) => type === 'object')) {
      named.set(name, schema)
      continue
    }
    const options = oneOf.map((option, index) => `${name}${optionName(option) ?? index + 1}`)
    options.forEach((option, index) => void named.set(option, oneOf[index]!))
    named.set(name, {
      ...(schema as JsonObject),
      oneOf: options.map(option => ({ $ref: `#/components/schemas/${option}` })),
    })
  }
  return named
}

/** The first constant of an option, in the form of a type. */
function optionName({ properties = {} }: JsonObject): string | undefined {
  for (const field of Object.values(properties as Readonly<Record<string, JsonObject>>)) {
    if (typeof field['const'] === 'string') return pascalCase(field['const'])
  }
  return undefined
}

function pascalCase(text: string): string {
  return text.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function referenced(part: Json): Json {
  if (Array.isArray(part)) return part.map(referenced)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, referenced(inner)],
    ),
  )
}

function operationObject(operation: Operation, components: Map<string, Json>): JsonObject {
  const { name, group, summary, guidance, capability, effect, idempotent } = operation
  const input = documentSchema(operation.input, 'input', components)
  const properties = (input['properties'] ?? {}) as Record<string, JsonObject>
  const required = new Set((input['required'] ?? []) as readonly string[])
  const { inPath, inQuery, inBody } = fieldsOfRoute(operation)
  const parameter = (field: string, place: 'path' | 'query'): Json => {
    const { description, ...schema } = properties[field]!
    const isRequired = place === 'path' || required.has(field)
    return {
      name: field,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema,
    }
  }
  const parameters = [
    ...inPath.map(field => parameter(field, 'path')),
    ...inQuery.map(field => parameter(field, 'query')),
    ...headerParameters(operation),
  ]
  return {
    operationId: name,
    tags: [group],
    summary,
    description: guidance,
    'x-capability': capability,
    'x-effect': effect,
    'x-idempotent': idempotent,
    parameters,
    ...(inBody === undefined ? {} : { requestBody: requestBody(inBody, properties, required) }),
    responses: { '200': answer(operation, components), ...problemsOf(operation) },
    ...(capability === 'none' ? {} : { security: [{ key: [] }] }),
  }
}

function requestBody(
  fields: readonly string[],
  properties: Readonly<Record<string, JsonObject>>,
  required: ReadonlySet<string>,
): Json {
  const needed = fields.filter(field => required.has(field))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field, properties[field]!])),
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: false,
  }
  return { required: true, content: { 'application/json': { schema } } }
}

function answer({ output, stream, name }: Operation, components: Map<string, Json>): Json {
  const schema = documentSchema(output, 'output', components)
  if (stream === 'events') {
    return {
      description: `Events; the data of each is as the schema says`,
      content: { 'text/event-stream': { schema } },
    }
  }
  if (stream === 'lines') {
    const type = schema['type'] === 'string' ? lineTypes.text : lineTypes.json
    return { description: 'Lines, each as the schema says', content: { [type]: { schema } } }
  }
  return { description: `What ${name} gives`, content: { 'application/json': { schema } } }
}

const headers: readonly { readonly name: string; readonly field: string; readonly description: string }[] = [
  { name: 'If-Match', field: 'only_if_head', description: 'An ETag: the commit that the branch must still be at' },
  {
    name: 'Idempotency-Key',
    field: 'idempotency_key',
    description: 'A retry with the same key gives the first answer again',
  },
  { name: 'Last-Event-ID', field: 'after', description: 'The last event seen; the next ones follow' },
]

function headerParameters({ input }: Operation): readonly Json[] {
  return headers
    .filter(({ field }) => Object.hasOwn(input.shape, field))
    .map(({ name, description }) => ({ name, in: 'header', required: false, description, schema: { type: 'string' } }))
}
