/** One table, one document, one router: the same operations with the same schemas. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from '../../src/http/openapi.ts'
import { fieldsOfRoute } from '../../src/http/routes/fields.ts'
import { routerOf } from '../../src/http/routes/router.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { openApp } from './support/open-app.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: object
}
interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: { readonly '200': { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } }
}
type Schema = { readonly [keyword: string]: unknown }

const document = openApiDocument(operations, '0.1.0') as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** What zod says, with references as a document has them. */
function saidByZod(schema: z.ZodType, io: 'input' | 'output'): { readonly schema: Schema; readonly named: Schema } {
  const text = JSON.stringify(z.toJSONSchema(schema, { io })).replaceAll('#/$defs/', '#/components/schemas/')
  const { $schema: _, $defs = {}, ...rest } = JSON.parse(text)
  return { schema: rest, named: $defs }
}

/** Components with the options of their unions in place, as zod says them. */
function withOptions(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const option = ({ $ref }: { readonly $ref?: string }) => schemas[($ref ?? '').slice('#/components/schemas/'.length)]
  const whole = Object.entries(schemas).map(([name, schema]) => {
    const { oneOf } = schema as { readonly oneOf?: readonly { readonly $ref?: string }[] }
    return [name, oneOf === undefined ? schema : { ...schema, oneOf: oneOf.map(one => option(one) ?? one) }]
  })
  return Object.fromEntries(whole)
}

function described({ route }: Operation): Described {
  const [method = '', path = ''] = route.split(' ')
  return document.paths[path]![method.toLowerCase()]!
}

/** The input schema, put together again from where its parts travel. */
function inputIn({ parameters, requestBody }: Described): Schema {
  const sent = parameters.filter(({ in: place }) => place !== 'header')
  const body = requestBody?.content['application/json'].schema
  const ofParameter = ({ description, schema }: Parameter): object =>
    description === undefined ? schema : { description, ...schema }
  return {
    ...Object.fromEntries(sent.map(parameter => [parameter.name, ofParameter(parameter)])),
    ...(body?.['properties'] as Schema | undefined),
  }
}

describe('the OpenAPI document', () => {
  test('is valid, and served', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
    const app = await openApp({ operations })
    expect((await app.ask('GET', '/openapi.json')).body).toEqual(JSON.parse(JSON.stringify(document)))
    await app.close()
  })

  test('describes what may be refused', () => {
    for (const operation of operations) {
      const { responses } = described(operation)
      expect(Object.keys(responses), operation.name).toEqual(
        expect.arrayContaining(['200', '400', '404', '429', 'default']),
      )
      if (operation.effect !== 'read') expect(responses).toMatchObject({ 409: {}, 412: {}, 413: {}, 422: {} })
      if (operation.capability !== 'none') expect(responses).toMatchObject({ 401: {}, 403: {} })
    }
  })

  test('has every operation of the table, and no other', () => {
    const ids = Object.values(document.paths).flatMap(path => Object.values(path).map(({ operationId }) => operationId))
    expect(ids.sort()).toEqual(operations.map(({ name }) => name).sort())
  })

  test.each(operations.map(operation => [operation.name, operation] as const))(
    '%s has the schemas that check it, and its route leads to it',
    (_name, operation) => {
      const found = described(operation)
      const input = saidByZod(operation.input, 'input')
      const output = saidByZod(operation.output, 'output')
      expect(inputIn(found)).toEqual(input.schema['properties'] ?? {})
      expect(Object.values(found.responses['200'].content)[0]!.schema).toEqual(output.schema)
      expect(withOptions(document.components.schemas)).toMatchObject({ ...input.named, ...output.named })
      expect(operation.input.safeParse({ 'no such field': 1 }).success).toBe(false)

      const { inPath, inQuery } = fieldsOfRoute(operation)
      const required = new Set((input.schema['required'] ?? []) as string[])
      const isRequired = (name: string): boolean | undefined =>
        found.parameters.find(one => one.name === name)?.required
      for (const field of inPath) expect(isRequired(field)).toBe(true)
      for (const field of inQuery) expect(isRequired(field)).toBe(required.has(field))
      for (const field of inQuery)
        expect(field).not.toMatch(/^(key|token|access_token|api_key|apikey|auth|authorization)$/)

      const [method = '', path = ''] = operation.route.split(' ')
      const match = routerOf(operations).match(method, path.replaceAll(/\{(\w+)\}/g, 'value-of-$1'))
      expect(match.operation.name).toBe(operation.name)
      expect(match.fields).toEqual(Object.fromEntries(inPath.map(field => [field, `value-of-${field}`])))
    },
  )
})
