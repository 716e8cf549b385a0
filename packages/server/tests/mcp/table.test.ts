import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openHost } from '../../src/host/store-host.ts'
import { mcpMount } from '../../src/mcp/http-mount.ts'
import { tokensOf, toolSet } from '../../src/mcp/tool-set.ts'
import { operations } from '../../src/operations/table.ts'
import { connectTo, eras, mountOn, tell } from './support/mcp-connection.ts'

/** What MCP adds to the schema of an operation, and nothing else. */
function addedTo({ effect, stream }: (typeof operations)[number]): readonly string[] {
  return [
    ...(effect === 'destructive' ? ['confirm'] : []),
    ...(stream === 'lines' ? ['limit', 'cursor'] : []),
    ...(stream === 'events' ? ['limit', 'wait_ms'] : []),
  ]
}

/** Words on fields that the instructions say once for all tools. */
const saidOnce = [
  'The namespace; the default one when left out',
  'The id of the session to act in',
  'How many at most',
  'The next_cursor of the previous page',
  'A retry with the same key is not done again',
]

/** A schema without what the list of tools leaves unsaid: lengths, other fields, types of values, and words that are said once. */
function asListed({ $schema: _, ...schema }: Record<string, unknown>): unknown {
  const lengths = ['minLength', 'maxLength', 'maxItems']
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (typeof value === 'number' && lengths.includes(key)) return undefined
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined
    if (key === 'description' && saidOnce.includes(value)) return undefined
    if ((key === 'additionalProperties' && value === false) || value === '#/$defs/JsonValue') return undefined
    if (key === '$defs') {
      const { JsonValue: __, ...others } = value
      return Object.keys(others).length === 0 ? undefined : others
    }
    return key === 'propertyNames' && value.type === 'string' ? undefined : value
  })
}

test.each(eras)('in %s every operation is a tool with the same schema, in the order of the table', async era => {
  const host = await openHost(undefined)
  const client = await connectTo(mountOn(host), { era })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => `agentstategraph_${name}`))
  for (const [index, operation] of operations.entries()) {
    const tool = tools[index]!
    const input = z.toJSONSchema(operation.input, { io: 'input' })
    const added = addedTo(operation)
    const properties = Object.fromEntries(
      Object.entries(tool.inputSchema.properties ?? {}).filter(
        ([name]) => name in operation.input.shape || !added.includes(name),
      ),
    )
    expect({ ...tool.inputSchema, properties }, operation.name).toEqual(asListed(input))
    expect(tool.description).toBe(`${operation.summary}. ${operation.guidance}`)
    const isRead = operation.effect === 'read'
    expect(tool.annotations).toMatchObject({
      readOnlyHint: isRead,
      ...(isRead ? {} : { destructiveHint: operation.effect === 'destructive', idempotentHint: operation.idempotent }),
    })
    expect(tool.outputSchema, operation.name).toMatchObject({ type: 'object' })
  }
  await client.close()
  await host.close()
})

test('the sets grow: core has at most 12 tools, standard has what the overview promises, all has all', () => {
  const [core, standard, all] = ['core', 'standard', 'all'].map(set => toolSet(set).map(({ name }) => name))
  expect(core!.length).toBeLessThanOrEqual(12)
  expect(standard!.length).toBeGreaterThanOrEqual(27)
  expect(all).toHaveLength(operations.length)
  expect(standard).toEqual(expect.arrayContaining(core!))
  expect(standard).toEqual(expect.arrayContaining(Object.keys(promised).map(name => `agentstategraph_${name}`)))
})

/** Words of plain English that are names of operations too. */
const ordinary = ['commit', 'tag', 'branch', 'grant', 'query', 'search', 'merge', 'diff', 'log', 'get', 'set', 'delete']

test.each(['core', 'standard'])('the set %s is closed: what its tools tell to use is in it', set => {
  const listed = new Set(toolSet(set).map(({ operation }) => operation.name))
  const known = operations.map(({ name }) => name).filter(name => !ordinary.includes(name))
  for (const { name, description, inputSchema } of toolSet(set)) {
    const words = new Set(JSON.stringify([description, inputSchema]).match(/\b[a-z]+(?:_[a-z]+)*\b/g))
    expect(
      known.filter(other => words.has(other) && !listed.has(other)),
      name,
    ).toEqual([])
  }
})

test('the standard list takes at most 60 KB, output schemas included', async () => {
  const host = await openHost(undefined)
  for (const era of eras) {
    const client = await connectTo(mountOn(host, 'standard'), { era })
    const { tools } = await client.listTools()
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(60_000)
    expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true)
    await client.close()
  }
  await host.close()
})

test('the smallest set costs a model less than 4,000 tokens, and docs/mcp.md says what each costs', () => {
  expect(tokensOf(toolSet('core'))).toBeLessThan(4_000)
  const page = readFileSync(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z,]+)` \| (\d+) \| ([\d,]+) \|/gm)]
  expect(rows.map(([, set]) => set)).toEqual(['core', 'standard', 'all', 'get,set,blame'])
  for (const [, set, count, tokens] of rows) {
    const tools = toolSet(set)
    expect(tools, set).toHaveLength(Number(count))
    const said = Number(tokens!.replace(',', ''))
    expect(Math.abs(tokensOf(tools) - said) / said, `${set}: ${tokensOf(tools)}`).toBeLessThan(0.05)
  }
})

/** The tools that agents know from elsewhere, with their parameters in the names of the library. */
const promised: Readonly<Record<string, string>> = {
  get: 'ref path namespace',
  set: 'ref path value category description reasoning confidence tags tools namespace',
  delete: 'ref path category description namespace',
  branch: 'name from namespace',
  list_branches: 'prefix namespace',
  merge: 'source target description reasoning namespace',
  diff: 'from to namespace',
  speculate: 'from label namespace',
  spec_modify: 'id edits',
  compare: 'speculations',
  commit_spec: 'id category description reasoning confidence attached branch alternatives',
  discard: 'id',
  log: 'ref limit namespace',
  query: 'ref agent category tags authority text confidence_min confidence_max deviated ' + 'limit namespace',
  blame: 'ref path namespace',
  create_epoch: 'id description root_intents',
  seal_epoch: 'id summary',
  list_epochs: '',
  sessions: 'agent',
  list_paths: 'ref path depth namespace',
  get_tree: 'ref path namespace',
  search: 'ref text limit namespace',
  stats: 'ref namespace',
  commit_graph: 'ref limit namespace',
  intent_tree: 'ref commit namespace',
}

test.each(Object.entries(promised))('%s takes %s', (name, parameters) => {
  const [tool] = toolSet(name)
  const known = Object.keys((tool!.inputSchema as { properties: object }).properties)
  expect(known).toEqual(expect.arrayContaining(parameters.split(' ').filter(parameter => parameter !== '')))
})

test('named tools keep the order of the table, with or without their prefix', () => {
  expect(toolSet('set,agentstategraph_get').map(({ name }) => name)).toEqual([
    'agentstategraph_get',
    'agentstategraph_set',
  ])
})

test('a tool that is not there is answered with those that share a word, or with the way to have it', async () => {
  const host = await openHost(undefined)
  const client = await connectTo(mountOn(host, 'standard'))
  const call = (name: string) => client.callTool({ name: `agentstategraph_${name}`, arguments: {} })
  await expect(call('create_branch')).rejects.toThrow('not found. There is agentstategraph_branch, ')
  await expect(call('lgo')).rejects.toThrow('tools/list')
  await expect(call('erase')).rejects.toThrow('started without it (--tools')
  await host.close()
})

test('a read-only server lists nothing that writes, and writes nothing', async () => {
  const host = await openHost(undefined)
  const readOnly = mountOn(host, 'all', true)
  const client = await connectTo(readOnly, { caller: { mode: 'read-only' } })
  const { tools } = await client.listTools()
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
  await expect(tell(client, 'set', { path: '/a', value: 1, description: 'x' })).rejects.toThrow('not found')
  const writing = await connectTo(mountOn(host), { caller: { mode: 'read-only' } })
  const told = await tell(writing, 'set', { path: '/a', value: 1, description: 'x' })
  expect(told).toMatchObject({ isError: true, data: { code: 'read-only' } })
  await host.close()
})

test('nothing that takes something away is done by a call that nobody agreed to', async () => {
  const host = await openHost(undefined)
  const client = await connectTo(mountOn(host))
  for (const { name, examples } of operations.filter(({ effect }) => effect === 'destructive')) {
    const told = await tell(client, name, examples[0]!.input)
    expect(told, name).toMatchObject({ isError: true, data: { code: 'confirmation-needed' } })
    expect(told.line).toContain(`call agentstategraph_${name} again`)
  }
  await host.close()
})

test('many clients at once, all with the same message ids, get their own answers', async () => {
  const host = await openHost(undefined)
  const mount = mountOn(host, 'core')
  const clients = await Promise.all(
    Array.from({ length: 12 }, (_, index) => connectTo(mount, { era: eras[index % 2], name: `c${index}` })),
  )
  await Promise.all(
    clients.map(async (client, index) => {
      const written = await tell(client, 'set', {
        path: `/c/${index}`,
        value: index,
        description: `By ${index}`,
      })
      expect(written.data).toMatchObject({ agent: `agent/c${index}`, description: `By ${index}` })
      expect((await tell(client, 'get', { path: `/c/${index}` })).data).toMatchObject({ value: index })
    }),
  )
  await host.close()
})

test('the list of tools and their schemas are made once, not for each request', async () => {
  const host = await openHost(undefined)
  let made = 0
  const counted = toolSet('get').map(tool => ({
    ...tool,
    get inputSchema() {
      made++
      return tool.inputSchema
    },
  }))
  const mount = mcpMount({ host, tools: counted, onUnexpected: expect.unreachable })
  for (const era of eras) {
    const client = await connectTo(mount, { era })
    expect(made).toBe(era === eras[0] ? 0 : 1)
    for (let time = 0; time < 3; time++) expect((await client.listTools()).tools).toHaveLength(1)
    await client.close()
  }
  expect(made).toBe(1)
  await host.close()
})
