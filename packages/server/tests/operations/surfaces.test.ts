/**
 * One walk over the table: HTTP, OpenAPI, `asg rpc`, the command line and docs/operations.md each have every operation, with the
 * fields, needs, defaults and choices that its schema has. What is looked at is what is given out: answers and files.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CommandEntry } from '../../src/cli/parse/command-entry.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { openApp, type TestApp } from '../http/support/open-app.ts'
import { openedPipe, type RpcPipe } from '../rpc/support/rpc-pipe.ts'

/** What every surface has to say of a field. */
interface Field {
  readonly required: boolean
  readonly default: unknown
  readonly choices?: readonly unknown[] | undefined
}
type Fields = Readonly<Record<string, Field>>

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly enum?: readonly unknown[]
}

interface Described {
  readonly parameters: readonly { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
}

const readText = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const commands: readonly CommandEntry[] = JSON.parse(readText('../../commands.json'))
const page = readText('../../../../docs/operations.md')
const sections = new Map(page.split(/^### /m).map(section => [section.split('\n', 1)[0]!, section]))

let app: TestApp
let pipe: RpcPipe
let paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
beforeAll(async () => {
  app = await openApp({ limits: { failuresPerMinute: 1000 } })
  pipe = await openedPipe()
  paths = (await app.ask('GET', '/openapi.json')).body['paths'] as unknown as typeof paths
})
afterAll(() => app.close())

function fieldsOf({ properties = {}, required = [] }: Schema): Fields {
  const fields = Object.entries(properties).map(([name, schema]): [string, Field] => [
    name,
    { required: required.includes(name), default: schema.default, choices: schema.enum },
  ])
  return Object.fromEntries(fields)
}

function inOpenApi({ route }: Operation): Fields {
  const [method = '', path = ''] = route.split(' ')
  const { parameters, requestBody } = paths[path]![method.toLowerCase()]!
  const sent = parameters.filter(({ in: place }) => place !== 'header')
  return {
    ...Object.fromEntries(
      // A path cannot be asked for without what is in it; whether the field could be left out elsewhere, its default says.
      sent.map(({ name, in: place, required, schema }) => [
        name,
        {
          required: place === 'path' ? schema.default === undefined : required,
          default: schema.default,
          choices: schema.enum,
        },
      ]),
    ),
    ...fieldsOf(requestBody?.content['application/json'].schema ?? {}),
  }
}

function inCommands({ name }: Operation): Fields {
  const { fields } = commands.find(entry => entry.name === name)!
  return Object.fromEntries(
    fields.map(({ name, required = false, default: unless, choices }) => [
      name,
      { required, default: unless, choices },
    ]),
  )
}

/** The page tells choices in the type, so they are looked for there. */
function inPage({ name }: Operation): Fields {
  const rows = sections.get(name)!.matchAll(/^\| `(\w+)` \| (.*?) \| (yes|`.*?`|) \| [^|]*\|$/gm)
  return Object.fromEntries(
    [...rows].map(([, field, , how]) => [
      field,
      { required: how === 'yes', default: how?.startsWith('`') ? JSON.parse(how.slice(1, -1)) : undefined },
    ]),
  )
}

const withoutChoices = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { required, default: unless }]) => [name, { required, default: unless }]),
  )

const withoutOrder = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))

describe.each(operations.map(operation => [operation.name, operation] as const))('%s', (name, operation) => {
  const told = fieldsOf(z.toJSONSchema(operation.input, { io: 'input' }) as Schema)

  test('has the same fields on every surface', () => {
    expect(withoutOrder(inOpenApi(operation)), 'OpenAPI').toEqual(withoutOrder(told))
    expect(withoutChoices(inCommands(operation)), 'commands.json').toEqual(withoutChoices(told))
    expect(inPage(operation), 'docs/operations.md').toEqual(withoutChoices(told))
    expect(sections.get(name)).toContain(`\`${operation.route}\` · \`asg ${operation.command}\``)
  })

  test('is checked by that schema where its route leads, and as a method', async () => {
    const [method = '', path = ''] = operation.route.replaceAll(/\{\w+\}/g, 'x').split(' ')
    const answer =
      method === 'POST' || method === 'PUT'
        ? await app.ask(method, path, { surely_no_field: 1 })
        : await app.ask(method, `${path}?surely_no_field=1`)
    expect(answer.body).toMatchObject({ status: 400, code: 'input-invalid' })
    expect(answer.text).toContain('surely_no_field')
    const { error } = await pipe.ask(name, { surely_no_field: 1 })
    expect(error).toMatchObject({ code: -32602, data: { code: 'input-invalid', kind: 'usage' } })
    expect(error!.message).toContain('surely_no_field')
  })
})

test('no surface has anything else', () => {
  const names = operations.map(({ name }) => name)
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  expect(routes.sort()).toEqual(operations.map(({ route }) => route as string).sort())
  expect(commands.map(({ name }) => name)).toEqual(names)
  const told = [...sections.keys()].filter(title => /^\w+$/.test(title) && !title.startsWith('#'))
  expect(told.sort()).toEqual(names.toSorted())
})
