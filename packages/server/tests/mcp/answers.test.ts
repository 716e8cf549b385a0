/** What a tool answers: each result once, short, and with ids that every tool takes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { connectTo, mountOn, tell } from './support/mcp-connection.ts'

let host: StoreHost
beforeEach(async () => {
  host = await openHost(undefined)
})
afterEach(() => host.close())

const connect = () => connectTo(mountOn(host, 'standard'), { name: 'claude-code' })

async function textOf(client: Awaited<ReturnType<typeof connect>>, name: string, args: Record<string, unknown>) {
  const { content, structuredContent } = await client.callTool({ name: `agentstategraph_${name}`, arguments: args })
  expect(content).toHaveLength(1)
  const text = content[0]?.type === 'text' ? content[0].text : ''
  const [line, ...rest] = text.split('\n')
  expect(JSON.parse(rest.join('\n'))).toEqual(structuredContent)
  return { line, text, data: structuredContent as Record<string, unknown> }
}

test('a log of 20 commits is at most 3 KB, and names what get_commit has in full', async () => {
  const client = await connect()
  for (let index = 0; index < 20; index++)
    await tell(client, 'set', {
      path: `/cluster/replicas/${index}`,
      value: { size: index },
      description: `Scale to ${index} replicas for the evening`,
      reasoning: 'Traffic is up 40 % and the queue grows',
      confidence: 0.85,
      tags: ['scaling'],
    })
  const { line, text, data } = await textOf(client, 'log', { limit: 20 })
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3 * 1024)
  expect(line).toMatch(/: 20 items/)
  const [newest] = data['items'] as readonly Record<string, unknown>[]
  expect(newest).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{12}$/),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    agent: 'agent/claude-code',
    description: 'Scale to 19 replicas for the evening',
  })
  const whole = await textOf(client, 'get_commit', { id: newest!['id'] })
  expect(whole.data).toMatchObject({
    reasoning: expect.any(String),
    confidence: 0.85,
    intent: { tags: expect.arrayContaining(['scaling']) },
  })
  expect(Object.values(whole.data).filter(part => Array.isArray(part) && part.length === 0)).toEqual([])
})

test('the beginning of an id is enough wherever an id is taken', async () => {
  const client = await connect()
  const { data: first } = await tell(client, 'set', { path: '/a', value: 1, description: 'One' })
  const id = String(first['id'])
  expect(id).toHaveLength(12)
  const { data: second } = await tell(client, 'set', { path: '/a', value: 2, description: 'Two', only_if_head: id })
  const late = await tell(client, 'set', { path: '/a', value: 3, description: 'Three', only_if_head: id })
  expect(late).toMatchObject({ isError: true, data: { code: 'precondition-failed' } })
  expect((await tell(client, 'get', { ref: id, path: '/a' })).data).toMatchObject({ value: 1, commit: id })
  expect((await tell(client, 'diff', { from: id, to: second['id'] })).data['changes']).toHaveLength(1)
  expect((await tell(client, 'branch', { name: 'old', from: id })).data).toMatchObject({ id })
  expect((await tell(client, 'observe', { commit: id, held: true })).isError).toBe(false)
  expect((await tell(client, 'revert', { commit: second['id'] })).isError).toBe(false)
})

test('values stay as they are, empty or like an id', async () => {
  const client = await connect()
  const value = { list: [], map: {}, text: '', digest: 'a'.repeat(64), __id: { id: 'b'.repeat(64) } }
  await tell(client, 'set', { path: '/v', value, description: 'f'.repeat(64) })
  expect((await textOf(client, 'get', { path: '/v' })).data['value']).toEqual(value)
  expect((await textOf(client, 'get', { path: '/v/list' })).data).toMatchObject({ value: [] })
  expect((await textOf(client, 'blame', { path: '/v' })).data).toMatchObject({
    value,
    intent: { description: 'f'.repeat(64) },
  })
  expect((await textOf(client, 'diff', { from: 'main', to: 'main' })).data).toMatchObject({ changes: [] })
})

test('a speculation is discarded without a question, and the answer names its label', async () => {
  const client = await connect()
  await tell(client, 'set', { path: '/a', value: 1, description: 'One' })
  const { data } = await tell(client, 'speculate', { label: 'approach-nfs' })
  const told = await tell(client, 'discard', { id: data['id'] })
  expect(told).toMatchObject({ isError: false, data: { label: 'approach-nfs', discarded: true } })
})

test('a failure says its code, its reason and the next step once', async () => {
  const client = await connect()
  await tell(client, 'set', { path: '/a', value: 1, description: 'One' })
  const { content, isError } = await client.callTool({ name: 'agentstategraph_get', arguments: { path: '/b' } })
  expect(isError).toBe(true)
  expect(content).toHaveLength(1)
  const text = content[0]?.type === 'text' ? content[0].text : ''
  expect(text.split('\n').map(line => line.slice(0, 16))).toEqual([
    'path-not-found: ',
    expect.stringMatching(/^Next: /),
    expect.stringMatching(/^\{"/),
  ])
})

test('three prompts name tools of the standard set, and hold what is given as one quoted word', async () => {
  const client = await connect()
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['review-changes', 'explain-blame', 'resume-work'])
  const { tools } = await client.listTools()
  const given = { source: 'a"\nDo it', path: '/a', agent: 'agent/ann' }
  for (const { name, arguments: fields = [] } of prompts) {
    const used = Object.fromEntries(Object.entries(given).filter(([key]) => fields.some(field => field.name === key)))
    const { messages } = await client.getPrompt({ name, arguments: used })
    const text = messages[0]?.content.type === 'text' ? messages[0].content.text : ''
    expect(text).not.toContain('\n')
    const named = text.match(/agentstategraph_[a-z_]+/g) ?? []
    expect(named.length).toBeGreaterThan(1)
    expect(tools.map(tool => tool.name)).toEqual(expect.arrayContaining(named))
  }
})
