/** The table of bypasses over MCP: what HTTP refuses, MCP refuses too, and an answer of a person is good for one call. */
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { makeApp } from '../../src/http/app.ts'
import { elicitationCodec } from '../../src/mcp/elicitation.ts'
import type { McpMount } from '../../src/mcp/http-mount.ts'
import { serveOverStdio } from '../../src/mcp/stdio.ts'
import { toolSet } from '../../src/mcp/tool-set.ts'
import { connectTo, mountOn, tell } from './support/mcp-connection.ts'

let host: StoreHost
beforeEach(async () => {
  host = await openHost(undefined)
  const repo = await host.context({ agent: 'human/ada' }).repo()
  await repo.set('/a', 1, 'Begin')
  await repo.branch('side')
})
afterEach(() => host.close())

const branches = async () => (await (await host.context({}).repo()).branches()).map(({ name }) => name)
const many = Array.from({ length: 101 }, (_, n) => `asg://state/main/n${n}`)
const setting = (value: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"agentstategraph_set","arguments":{"path":"/a","value":${value},"description":"Try"}}}`

const refused = [
  ['an integer whose digits would be lost', setting('9007199254740993'), /digits/],
  ['a key that is there twice', setting('{"b":1,"b":2}'), /b/],
  [
    'more resources than a stream may follow',
    JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: many } },
    }),
    /100 resources/,
  ],
] as const

describe.each(refused)('%s', (_, body, reason) => {
  test('is refused over HTTP', async () => {
    const { method } = JSON.parse(body)
    const headers = { 'content-type': 'application/json', 'mcp-method': method }
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body })
    await expect(mountOn(host).fetch(request, {})).rejects.toThrow(reason)
  })

  test('is refused over stdio, and the connection goes on', async () => {
    const input = new PassThrough()
    const output = new PassThrough({ encoding: 'utf8' })
    const onUnexpected = (what: string, error: unknown): void => {
      throw new Error(what, { cause: error })
    }
    const serving = { host, tools: toolSet('all'), codec: elicitationCodec(), onUnexpected }
    const served = serveOverStdio(serving, {}, { input, output })
    const clientInfo = { name: 'test', version: '1' }
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: opening })}\n`)
    input.end(`${body}\n${JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'ping' })}\n`)
    await served
    const replies = String(output.read())
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(replies.find(({ id }) => id === 7).error.message).toMatch(reason)
    expect(replies.map(({ id }) => id)).toContain(8)
    expect(await (await host.context({}).repo()).get('/a')).toBe(1)
  })
})

describe('a request that listens', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const notifications = { resourceSubscriptions: ['asg://state/main/a'] }
  const listening = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'subscriptions/listen',
    params: { _meta: meta, notifications },
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
  }

  test('is counted and capped as a stream, and gives its place back', async () => {
    const app = makeApp(host, { authentication: 'none', mounts: [mountOn(host)], limits: { streams: 1 } })
    const listen = async () =>
      app.fetch(
        new Request('http://127.0.0.1/mcp', {
          method: 'POST',
          headers: { ...headers, 'mcp-method': 'subscriptions/listen' },
          body: listening,
        }),
      )
    const first = await listen()
    expect([first.status, (await listen()).status]).toEqual([200, 429])
    await first.body!.cancel()
    expect((await listen()).status).toBe(200)
  })

  test.each([undefined, 'tools/list', 'Subscriptions/Listen'])(
    'is refused when it says that it does another thing: %s',
    async method => {
      const said: Record<string, string> = method === undefined ? {} : { 'mcp-method': method }
      const request = new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: { ...headers, ...said },
        body: listening,
      })
      expect((await mountOn(host).fetch(request, {})).status).toBe(400)
    },
  )
})

test('the answer of a person is good for one call: the same request again asks again', async () => {
  const sent: Request[] = []
  const mount = mountOn(host)
  const recording: McpMount = {
    ...mount,
    fetch(request, caller) {
      sent.push(request.clone() as Request)
      return mount.fetch(request, caller)
    },
  }
  const client = await connectTo(recording, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { confirm: true } }))
  expect(await tell(client, 'delete_branch', { name: 'side' })).toMatchObject({ data: { deleted: true } })
  await (await host.context({ agent: 'human/ada' }).repo()).branch('side')
  const confirmed = sent.at(-1)!
  expect(await confirmed.clone().text()).toContain('requestState')
  const again = await (await mount.fetch(confirmed, {})).text()
  expect(again).toContain('input_required')
  expect(await branches()).toEqual(['main', 'side'])
})
