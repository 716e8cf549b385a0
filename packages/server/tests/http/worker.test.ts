/** What a server leaves to its worker thread: the same answers, from another connection, while the server itself goes on. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { access } from 'agentstategraph/access'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, type ServeOptions, serve } from '../../src/http/serve.ts'
import { serverWorker } from '../../src/http/worker/server-worker.ts'
import { mcpMount } from '../../src/mcp/http-mount.ts'
import { toolSet } from '../../src/mcp/tool-set.ts'
import { setting } from './support/open-app.ts'

let folder: string
const running = new Set<RunningServer>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'asg-worker-'))
})
afterEach(async () => {
  for (const server of running) await server.close()
  running.clear()
  rmSync(folder, { recursive: true, force: true })
})

const token = 'a-token-of-our-own'
const authorization = `Bearer ${token}`

async function started(options: ServeOptions = {}): Promise<RunningServer> {
  const store = join(folder, `${running.size}.db`)
  const server = await serve({ store, port: 0, token, log: () => {}, ...options })
  running.add(server)
  return server
}

async function ask({ url }: RunningServer, method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { status, headers } = response
  return { status, etag: headers.get('etag'), type: headers.get('content-type'), text: await response.text() }
}

const large = JSON.stringify(setting('/large', 'x'.repeat(1_100_000)))

/** Calls of everything that the worker thread runs, good and bad, without what differs between two stores. */
async function answersOf(server: RunningServer): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const [method, path, body] of [
    ['POST', '/api/state/main/set', setting('/a', 1)],
    ['POST', '/api/state/main/set', large],
    ['GET', '/api/state/main?path=/large'],
    ['GET', '/api/verify'],
    ['GET', '/api/gc/dry-run'],
    ['POST', '/api/gc/sweep', {}],
    ['POST', '/api/reindex', {}],
    ['POST', '/api/repair', {}],
    ['GET', '/api/export'],
    ['POST', '/api/import', { export: '{}' }],
    ['POST', '/api/state/main/set', large.replace('"path"', '"unknown"')],
    ['POST', '/api/state/main/set', `${large.slice(0, -1)},"path":"/b"}`],
    ['POST', '/api/state/main/set', large.slice(0, -1)],
    ['GET', '/api/verify?namespace=absent'],
    ['GET', '/api/verify?unknown=1'],
  ] as const) {
    const { status, etag, type, text } = await ask(server, method, path, body)
    const same = text.replaceAll(
      /[0-9a-f]{64}|\b[0-9a-z]{26}\b|[\w-]{43}|\d{4}-\d\d-\d\dT[\d:.]+Z|"(time|origin)":("[^"]*"|\d+)/g,
      '',
    )
    answers.push([method, path, status, etag !== null, type, same])
  }
  return answers
}

describe('the worker thread', () => {
  test('answers what the server itself would answer, refusals included', async () => {
    // With an option that is code there is no worker thread.
    const without = await started({ storeOptions: { ids: () => 'x'.repeat(26) } })
    const withWorker = await started()
    expect(await answersOf(withWorker)).toEqual(await answersOf(without))
  })

  test('works for the caller of the request, with its rights and no others', async () => {
    const server = await started()
    const control = access(await server.host.context({}).repo())
    const { key } = await control.addPrincipal('agent/bob', 'agent')
    await control.grant('agent/bob', { capabilities: ['read', 'commit'], paths: ['/large'] })
    const asBob = (path: string, body?: string) =>
      fetch(server.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
    const written = await asBob('/api/state/main/set', large)
    expect([written.status, await written.json()]).toMatchObject([200, { agent: 'agent/bob' }])
    expect((await asBob('/api/state/main/set', large.replace('/large', '/other'))).status).toBe(403)
    expect((await asBob('/api/export')).status).toBe(403)
  })

  test('leaves the server free: it is healthy before a verification has ended', async () => {
    const server = await started()
    for (let n = 0; n < 20; n++) await ask(server, 'POST', '/api/state/main/set', setting('/n', n))
    const order: string[] = []
    const verifying = ask(server, 'GET', '/api/verify').then(({ text }) =>
      order.push(JSON.parse(text).ok ? 'verified' : text),
    )
    for (let n = 0; n < 3; n++) await ask(server, 'GET', '/healthz').then(({ status }) => order.push(String(status)))
    await verifying
    expect(order).toEqual(['200', '200', '200', 'verified'])
  })

  test('stops an export whose reader has gone, and one that nobody reads', async () => {
    const server = await started({ limits: { stallTimeoutMs: 200 } })
    for (let n = 0; n < 12; n++) {
      const value = setting(`/n${n}`, `${n}${'x'.repeat(900_000)}`)
      expect((await ask(server, 'POST', '/api/state/main/set', value)).status).toBe(200)
    }
    const begin = async () =>
      new Promise<IncomingMessage>((resolve, reject) =>
        httpRequest(`${server.url}/api/export`, { headers: { authorization } }, resolve).on('error', reject).end(),
      )
    const left = await begin()
    left.destroy()
    await noStreams(server)
    const unread = await begin()
    await noStreams(server)
    await expect(textOf(unread)).rejects.toThrow('aborted')
    const whole = await ask(server, 'GET', '/api/export')
    expect(whole.text.trimEnd().split('\n').at(-1)).toMatch(/^\{"end":/)
  })

  test('has closed the store when the server has ended', async () => {
    const server = await started()
    await ask(server, 'POST', '/api/state/main/set', large)
    await ask(server, 'GET', '/api/verify')
    await server.close()
    // Without a connection the log is empty: all of it is in the file.
    expect(statSync(join(folder, '0.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  })

  test('that cannot open the store fails its requests, and the next one tries again', async () => {
    const store = join(folder, 'no-store')
    writeFileSync(store, 'text '.repeat(1000))
    const worker = serverWorker({ store, agent: undefined, token: undefined, limits: undefined, mounts: [] }, () => {})
    const identity = { principal: 'operator', agent: 'operator', home: undefined }
    const request = {
      url: 'http://localhost/api/verify',
      method: 'GET',
      headers: [],
      body: undefined,
      caller: {},
      identity,
    }
    for (let n = 0; n < 2; n++) await expect(worker.answer(request)).rejects.toThrow('no-store')
    await worker.close(new AbortController().signal)
  })
})

async function noStreams(server: RunningServer): Promise<void> {
  while (!(await ask(server, 'GET', '/metrics')).text.includes('asg_http_streams_open 0\n'));
}

describe('a message of MCP with a large body', () => {
  /** A server whose endpoint tells how often its own thread was asked. */
  async function startedWithMcp(options: ServeOptions = {}): Promise<{ server: RunningServer; here: () => number }> {
    let asked = 0
    const server = await started({
      ...options,
      mounts: host => {
        const mount = mcpMount({ host, tools: toolSet('all'), onUnexpected() {} })
        const counted: typeof mount.fetch = (request, caller) => {
          asked++
          return mount.fetch(request, caller)
        }
        return [{ ...mount, fetch: counted }]
      },
    })
    return { server, here: () => asked }
  }

  async function call({ url }: RunningServer, name: string, given: string, more: Record<string, string> = {}) {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        ...more,
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agentstategraph_${name}","arguments":${given}}}`,
    })
    return { status: response.status, text: await response.text() }
  }
  const text = 'x'.repeat(100_000)
  const set = (more = '') => `{"path":"/a","value":"${text}","description":"Large"${more}}`

  test('is answered by the worker thread, as strictly as others', async () => {
    const { server, here } = await startedWithMcp()
    expect((await call(server, 'set', set())).text).toContain('Commit')
    expect((await call(server, 'set', set(',"path":"/b"'))).text).toContain('twice')
    expect(here()).toBe(0)
    expect((await call(server, 'get', '{"path":"/a"}')).text).toContain(text)
    expect((await call(server, 'get', '{"path":"/b"}')).text).toContain('path-not-found')
    expect(here()).toBe(2)
  })

  test('stays where the app is, when it names a tool that may use it', async () => {
    const { server, here } = await startedWithMcp({ storeOptions: { apps: { agents: {} } } })
    await call(server, 'set', set())
    expect(here()).toBe(0)
    await call(server, 'run_task', `{"agent":"a","task":"t","input":"${text}"}`)
    expect(here()).toBe(1)
  })

  test('that would open a stream is refused', async () => {
    const { server } = await startedWithMcp()
    const { status } = await call(server, 'set', set(), { 'mcp-method': 'subscriptions/listen' })
    expect(status).toBe(413)
  })
})
