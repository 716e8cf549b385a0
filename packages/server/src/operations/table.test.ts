/** What holds for the table as a whole, so that every surface can be made from it without looking at names. */

import { capabilities } from 'agentstategraph/access'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { groups, type Operation } from './operation.ts'
import { operations } from './table.ts'

const fieldsOf = (operation: Operation): string[] => Object.keys(operation.input.shape)
const wordsOf = ({ command }: Operation): string[] => command.split(' ').filter(part => /^\w/.test(part))
const placesOf = ({ command }: Operation): string[] =>
  command.split(' ').flatMap(part => /^[<[](\w+)(?:\.\.\.)?[>\]]$/.exec(part)?.[1] ?? [])
const bracesOf = ({ route }: Operation): string[] => [...route.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)

/** Places in a JSON Schema that say nothing. */
function emptyPlaces(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((part, i) => emptyPlaces(part, `${at}/${i}`))
  const said = Object.keys(schema).filter(key => key !== 'description' && key !== 'default')
  const isMap = /\/(properties|\$defs)$/.test(at)
  // The items of any JSON value are any JSON values.
  const isOpen = /\/default$|\/JsonValue\/items$/.test(at)
  const here = said.length === 0 && !isMap && !isOpen ? [at] : []
  return [...here, ...Object.entries(schema).flatMap(([key, part]) => emptyPlaces(part, `${at}/${key}`))]
}

describe.each(operations.map(operation => [operation.name, operation] as const))('%s', (_name, operation) => {
  const { name, summary, guidance, capability, route, command, examples, input, output } = operation

  it('says what it is in words that fit', () => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(summary).toMatch(/^[A-Z][^\n]{1,80}[^.]$/)
    expect(guidance.length).toBeGreaterThan(20)
    expect(guidance.length).toBeLessThanOrEqual(350)
    expect([...capabilities, 'none']).toContain(capability)
    expect(groups).toContain(operation.group)
  })

  it('has fields of the wire, each with words', () => {
    for (const [field, schema] of Object.entries(input.shape)) {
      expect(field).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(z.toJSONSchema(schema as z.ZodType, { io: 'input' }).description, field).toBeTruthy()
    }
  })

  it('has schemas that say something everywhere, and take nothing that is not named', () => {
    for (const io of ['input', 'output'] as const) {
      expect(emptyPlaces(z.toJSONSchema(input, { io }))).toEqual([])
      expect(emptyPlaces(z.toJSONSchema(output, { io }))).toEqual([])
    }
    expect(input.safeParse({ ...examples[0]!.input, surely_not_a_field: 1 }).success).toBe(false)
  })

  it('has a route and a command made of its fields', () => {
    const fields = fieldsOf(operation)
    for (const field of [...bracesOf(operation), ...placesOf(operation)]) expect(fields).toContain(field)
    const isOptional = (field: string): boolean => input.shape[field]!.safeParse(undefined).success
    for (const part of command.split(' ').filter(part => /^[<[]/.test(part))) {
      expect(part.startsWith('['), part).toBe(isOptional(part.replace(/\W/g, '')))
    }
    expect(route).toMatch(/^(GET|POST|PUT|DELETE) \/api\//)
    // A proxy or a browser may repeat what a GET does.
    if (route.startsWith('GET')) expect(operation.effect).toBe('read')
  })

  it('has examples that its schema takes', () => {
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expect(input.safeParse(example.input).error).toBeUndefined()
  })
})

it('has each name, route and command once', () => {
  const names = operations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const routes = operations.map(({ route }) => route.replace(/\{\w+\}/g, '{}'))
  expect(routes.filter((route, i) => routes.indexOf(route) !== i)).toEqual([])
  const commands = operations.map(operation => wordsOf(operation).join(' '))
  expect(new Set(commands).size).toBe(commands.length)
  // What follows a command's words are its fields, so no command may begin with all of another.
  const nested = commands.filter(command => commands.some(other => other.startsWith(`${command} `)))
  expect(nested).toEqual([])
})

it('takes a session wherever something is written to a namespace, and nowhere who is writing', () => {
  for (const operation of operations.filter(({ effect }) => effect !== 'read')) {
    const fields = fieldsOf(operation)
    if (fields.includes('namespace')) expect(fields, operation.name).toContain('session')
    const claims = fields.filter(field => ['agent', 'authority', 'by'].includes(field))
    // The agent that a session is opened for, and the agent of the app whose task is run: neither is the caller.
    expect(claims, operation.name).toEqual(['create_session', 'run_task'].includes(operation.name) ? ['agent'] : [])
  }
})

it('can be repeated after an answer was lost: a write is idempotent or takes a key, but for answers to a thread', () => {
  const once = operations.filter(({ idempotent, input }) => !idempotent && !('idempotency_key' in input.shape))
  expect(once.map(({ name }) => name)).toEqual(['resume_thread'])
})

it('has sets of tools of the promised sizes', () => {
  const core = operations.filter(({ tools }) => tools === 'core').map(({ name }) => name)
  expect(core.length).toBeLessThanOrEqual(12)
  const standard = operations.filter(({ tools }) => tools !== 'all').map(({ name }) => name)
  expect(standard.length).toBeGreaterThanOrEqual(27)
  const promised =
    'get set delete branch list_branches merge diff speculate spec_modify compare commit_spec discard log query blame ' +
    'create_epoch seal_epoch list_epochs list_paths get_tree search stats commit_graph intent_tree sessions list_proposals'
  expect(promised.split(' ').filter(name => !standard.includes(name))).toEqual([])
})
