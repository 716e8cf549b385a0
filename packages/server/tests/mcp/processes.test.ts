import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mcpCommand } from '../../src/mcp/command.ts'
import { toolSet } from '../../src/mcp/tool-set.ts'
import { connectToProcess, eras, mcpProgram, newClient, tell } from './support/mcp-connection.ts'

const asg = fileURLToPath(new URL('../../bin/asg.mjs', import.meta.url))
const token = 'a-token-that-only-this-test-knows-0123456789'

let folder: string
let store: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asg-mcp-'))
  store = join(folder, 'state.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function serveHttp(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [asg, 'serve', '--port', '0', '--json', '--tools', 'set'], {
    cwd: folder,
    env: { ...process.env, ASG_STORE: store, ASG_TOKEN: token },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`asg serve ended with ${code} before it was ready`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  ended.catch(() => undefined)
  return {
    url: JSON.parse(line).url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function connectOverHttp(url: string, name: string): Promise<Client> {
  const client = newClient({ name })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  return client
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('four stdio servers and one HTTP server write to one file at once: nothing is lost, every commit names its client', async () => {
  // In each era one server is told who writes, and one goes by the name of its client.
  const named = ['--store', store, '--tools', 'core', '--agent', 'agent/planner']
  const stdio = [0, 1, 2, 3].map(index =>
    connectToProcess(index < 2 ? named : named.slice(0, 4), { era: eras[index % 2], name: `Client ${index}` }),
  )
  const serving = serveHttp()
  const overHttp = serving.then(({ url }) => connectOverHttp(url, 'Client 4'))
  const clients = await Promise.all([...stdio, overHttp])
  const versions = clients.map(client => client.getNegotiatedProtocolVersion())
  expect(versions).toEqual([eras[0], eras[1], eras[0], eras[1], eras[0]])
  const offered = await Promise.all(clients.map(async client => (await client.listTools()).tools.length))
  const core = toolSet('core').length
  expect(offered).toEqual([core, core, core, core, 1])
  const writes = 10
  await Promise.all(
    clients.map(async (client, index) => {
      for (let count = 0; count < writes; count += 1) {
        const { isError, content } = await client.callTool({
          name: 'agentstategraph_set',
          arguments: { path: `/writers/${index}/${count}`, value: count, description: `Write ${count}` },
          _meta: { traceparent },
        })
        expect(isError, JSON.stringify(content)).not.toBe(true)
      }
    }),
  )
  expect(await tell(clients[1]!, 'get', { path: '/writers/4/0' })).toMatchObject({
    line: '/writers/4/0 at main = 0',
    data: { value: 0 },
  })
  await Promise.all(clients.map(client => client.close()))
  await (await serving).stop()

  await using repo = await open(sqlite(store))
  const commits = await repo.log()
  expect(commits).toHaveLength(clients.length * writes)
  expect(commits.every(({ trace }) => trace === traceparent)).toBe(true)
  const names = ['agent/planner', 'agent/planner', 'agent/client-2', 'agent/client-3', 'operator']
  for (const [index, name] of names.entries()) {
    expect(await repo.list(`/writers/${index}`)).toHaveLength(writes)
    const own = commits.filter(({ intent }) => intent.tags.includes(`client:Client ${index}/1.2.3`))
    expect(own.map(({ agent }) => agent)).toEqual(Array.from({ length: writes }, () => name))
  }
})

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '2.1.280' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const clientInfo = { name: 'codex', version: '1' }

function setting(path: string, value: unknown) {
  return { name: 'agentstategraph_set', arguments: { path, value, description: 'Try' } }
}

function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
}

describe('one pipe', () => {
  function start() {
    const child = spawn(process.execPath, [mcpProgram, '--store', store, '--tools', 'set'])
    child.stderr.resume()
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  }

  test('that discovers, then shakes hands, then calls is served, and ends well when it is told to stop', async () => {
    const { child, lines } = start()
    const next = async () => JSON.parse((await lines.next()).value)
    child.stdin.write(lineOf({ id: 1, method: 'server/discover', params: { _meta: envelope } }))
    expect((await next()).result.supportedVersions).toEqual(['2026-07-28'])
    const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    child.stdin.write(lineOf({ id: 2, method: 'initialize', params: handshake }))
    expect((await next()).result.protocolVersion).toBe('2025-06-18')
    child.stdin.write(lineOf({ method: 'notifications/initialized' }))
    child.stdin.write(lineOf({ id: 3, method: 'tools/call', params: setting('/a', 1) }))
    expect((await next()).result.structuredContent).toMatchObject({ agent: 'agent/codex' })
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('with lines that are no messages, that ends right after its calls, gets every answer, and ends well', async () => {
    const { child, lines } = start()
    const exit = once(child, 'exit')
    child.stdin.write('this is no JSON\n{"jsonrpc":"2.0"\n[]\n42\n\n')
    for (let id = 1; id <= 20; id += 1)
      child.stdin.write(
        lineOf({ id, method: 'tools/call', params: { ...setting(`/many/${id}`, id), _meta: envelope } }),
      )
    child.stdin.end()
    const answered: number[] = []
    for (let line = await lines.next(); line.done !== true; line = await lines.next())
      answered.push(JSON.parse(line.value).id)
    expect(answered.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(await exit).toEqual([0, null])
  })

  test('with a line that is larger than any message is ended, and nothing is written', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const io = { err: () => undefined, env: {}, folder, home: folder, input, output }
    const ended = mcpCommand(['--store', store, '--tools', 'set'], io)
    input.write(lineOf({ id: 1, method: 'tools/call', params: { ...setting('/a', 1), _meta: envelope } }))
    await once(output, 'data')
    const large = setting('/large', 'x'.repeat(11 << 20))
    input.write(lineOf({ id: 2, method: 'tools/call', params: { ...large, _meta: envelope } }))
    expect(await ended).toBe(0)
    await using repo = await open(sqlite(store))
    expect(await repo.has('/large')).toBe(false)
    expect(await repo.get('/a')).toBe(1)
  })
})

test('the doctor starts servers in both eras and finds every write of two of them', async () => {
  const told: string[] = []
  const io = { err: (text: string) => void told.push(text), env: {}, folder, home: folder }
  const code = await mcpCommand(['doctor', '--store', store, '--tools', 'core'], io)
  const said = told.join('')
  expect(said).toMatch(/protocol 2026-07-28: \d+ tools, about \d+ tokens/)
  expect(said).toMatch(/protocol 2025-11-25: \d+ tools, about \d+ tokens/)
  expect(said).toContain('100 writes at the same time, 0 lost')
  expect(code, said).toBe(0)
})
