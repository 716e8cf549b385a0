/** A real server on a real port, over a real file. */
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, type ServeOptions, serve } from '../../src/http/serve.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { setting } from './support/open-app.ts'
import { eventsIn } from './support/server-events.ts'

let folder: string
let store: string
const running = new Set<RunningServer>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'asg-http-'))
  store = join(folder, 'state.db')
})
afterEach(async () => {
  for (const server of running) await server.close()
  running.clear()
  rmSync(folder, { recursive: true, force: true })
})

const token = 'a-token-of-our-own'
const authorization = `Bearer ${token}`
const WATCHERS = process.env['ASG_SOAK'] === '1' ? 500 : 50

async function started(options: ServeOptions = {}): Promise<RunningServer> {
  const server = await serve({ store, port: 0, token, log: () => {}, ...options })
  running.add(server)
  return server
}

function write({ url }: RunningServer, path: string, value: unknown, headers: Record<string, string> = {}) {
  return fetch(`${url}/api/state/main/set`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(setting(path, value)),
  })
}

test('a read-only server does not create the store that is missing, nor a token for it', async () => {
  await expect(started({ mode: 'read-only', token: undefined })).rejects.toMatchObject({ code: 'store-missing' })
  expect(readdirSync(folder)).toEqual([])
})

describe('the token', () => {
  test('is made once, shown once, and kept as a digest that only its owner reads', async () => {
    const first = await started({ token: undefined })
    const shown = first.shownToken!
    expect(shown).toMatch(/^asg_operator_[\w-]{43}$/)
    const file = `${store}.token`
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(shown.slice(-43))
    await first.close()
    const second = await started({ token: undefined })
    expect(second.shownToken).toBeUndefined()
    const status = async (key: string) =>
      (await fetch(`${second.url}/api/state/main`, { headers: { authorization: `Bearer ${key}` } })).status
    expect([await status(shown), await status(`${shown}x`)]).toEqual([200, 401])
    await second.close()
    const third = await started({ token: undefined, renewToken: true })
    expect(third.shownToken).not.toBe(shown)
  })
})

test('it does not listen where others can reach it without keys, or without names to be called by', async () => {
  const refused = (options: ServeOptions) =>
    expect(serve({ port: 0, ...options })).rejects.toMatchObject({ code: 'bind-refused' })
  await refused({ address: '0.0.0.0' })
  await refused({ address: '0.0.0.0', authentication: 'none', hosts: ['state.example'] })
  await refused({ address: '192.0.2.1', authentication: 'none' })
})

test('a repetition is known after a restart, and so is another request under its key', async () => {
  const key = { 'idempotency-key': 'k' }
  const first = await started()
  const { id } = (await (await write(first, '/a', 1, key)).json()) as { id: string }
  await first.close()
  const second = await started()
  expect(await (await write(second, '/a', 1, key)).json()).toMatchObject({ id, changed: false })
  expect((await write(second, '/a', 2, key)).status).toBe(409)
})

describe('events', () => {
  const watch = (server: RunningServer, headers: Record<string, string> = {}, query = '') =>
    fetch(`${server.url}/api/watch${query}`, { headers: { authorization, ...headers } })

  test('a client that reconnects with the last id misses nothing and gets nothing twice', async () => {
    const server = await started()
    await write(server, '/n', 0)
    const first = eventsIn(await watch(server, {}, '?after=0'))
    const seen = [await first.next()]
    await first.leave()
    for (const n of [1, 2, 3]) await write(server, '/n', n)
    await server.close()
    const later = await started()
    const second = eventsIn(await watch(later, { 'last-event-id': seen[0]!.id }, '?after=0'))
    for (let count = 0; count < 3; count++) seen.push(await second.next())
    await write(later, '/n', 4)
    seen.push(await second.next())
    await second.leave()
    expect(seen.map(({ data }) => data['changes']?.[0]?.['after'])).toEqual([0, 1, 2, 3, 4])
    const ids = seen.map(({ id }) => Number(id))
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(seen.every(({ id, event, data }) => id === String(data['seq']) && event === 'commit')).toBe(true)
  })

  test('many watchers see each event once and in order, also those that came before they did', async () => {
    const server = await started()
    await write(server, '/n', 0)
    const streams = await Promise.all(Array.from({ length: WATCHERS }, () => watch(server, {}, '?after=0')))
    for (let n = 1; n < 6; n++) await write(server, '/n', n)
    const seen = await Promise.all(
      streams.map(async response => {
        const stream = eventsIn(response)
        const values: unknown[] = []
        for (let n = 0; n < 6; n++) values.push((await stream.next()).data['changes']?.[0]?.['after'])
        await stream.leave()
        return values
      }),
    )
    expect(seen).toEqual(Array(WATCHERS).fill([0, 1, 2, 3, 4, 5]))
    await metric(server, 'asg_http_streams_open', 0)
  })

  test('a stream in which nothing happens says that it is still there', async () => {
    const server = await started({ heartbeatMs: 5 })
    await write(server, '/n', 0)
    const stream = eventsIn(await watch(server))
    expect(await stream.comment()).toBe(': still here')
    await stream.leave()
  })

  test('a slow reader costs nobody anything: what it has not read is not sent', async () => {
    const server = await started()
    const large = 'x'.repeat(200_000)
    for (let n = 0; n < 40; n++) await write(server, `/n${n}`, `${n} ${large}`)
    const stream = eventsIn(await watch(server, {}, '?after=0'))
    await stream.next()
    expect((await write(server, '/after', 1)).status).toBe(200)
    for (let n = 1; n < 40; n++)
      expect(String((await stream.next()).data['changes']?.[0]?.['after'])).toMatch(new RegExp(`^${n} `))
    await stream.leave()
  })
})

test('a watcher that does not read is cut, is told why behind what it had not read, and costs no writer anything', async () => {
  const server = await started({ limits: { stallTimeoutMs: 50 } })
  const large = 'x'.repeat(2_000_000)
  for (let n = 0; n < 8; n++) expect((await write(server, `/n${n}`, large)).status).toBe(200)
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    httpRequest(`${server.url}/api/watch?after=0`, { headers: { authorization } }, resolve).on('error', reject).end(),
  )
  await metric(server, 'asg_http_streams_open', 0)
  expect((await write(server, '/after', 1)).status).toBe(200)
  const blocks = (await textOf(response)).trim().split('\n\n')
  const last = blocks.pop()!
  expect(last).toMatch(/^event: fault\ndata: \{.*"code":"reader-stalled".*\}$/)
  expect(blocks.filter(block => block.includes('event: commit')).length).toBeLessThan(8)
  const next = eventsIn(
    await fetch(`${server.url}/api/watch`, {
      headers: { authorization, 'last-event-id': /^id: (\d+)$/m.exec(blocks.at(-1)!)![1]! },
    }),
  )
  expect((await next.next()).event).toBe('commit')
  await next.leave()
})

test('a bundle streams as the lines it consists of', async () => {
  const server = await started()
  await write(server, '/a', 1)
  const post = (path: string, body: unknown) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/api/epochs', { id: 'e1', description: 'first', root_intents: [] })
  await write(server, '/a', 2)
  expect((await post('/api/epochs/seal', { id: 'e1', summary: 'done' })).status).toBe(200)
  const response = await fetch(`${server.url}/api/epochs/e1/export`, { headers: { authorization } })
  const text = await response.text()
  expect([response.status, response.headers.get('content-type')], text).toEqual([200, 'application/jsonl'])
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) expect(typeof JSON.parse(line)).toBe('object')
})

describe('slow and broken clients', () => {
  test('a body that does not come is given up', async () => {
    const server = await started({ limits: { bodyTimeoutMs: 50 } })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization, 'content-type': 'application/json', 'content-length': '100' }
      const request = httpRequest(`${server.url}/api/state/main/set`, { method: 'POST', headers }, response => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.on('error', reject)
      request.write('{')
    })
    expect(status).toBe(408)
    expect((await write(server, '/a', 1)).status).toBe(200)
  })

  test.each([
    ['headers that do not come', 'GET / HTTP/1.1\r\nHost: localhost\r\n', 408, 'headers-late'],
    ['headers without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, 431, 'headers-too-large'],
    ['an address without end', `GET /?${'x'.repeat(20_000)}`, 431, 'headers-too-large'],
    ['what is no request', 'Hello?\r\n\r\n', 400, 'request-malformed'],
    ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'request-malformed'],
  ])('%s: told, and the connection ends', async (_what, text, status, code) => {
    const server = await started({ limits: { headersTimeoutMs: 50 } })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(text)
    const ended = await new Promise<string>(resolve => {
      let said = ''
      socket.on('data', chunk => {
        said += chunk
      })
      socket.on('close', () => resolve(said))
    })
    const [head = '', body = ''] = ended.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*Content-Type: application/problem\\+json`, 's'))
    expect(JSON.parse(body)).toMatchObject({ status, code })
  })

  test('two Authorization headers are no key', async () => {
    const server = await started()
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    const key = `Authorization: ${authorization}\r\n`
    socket.write(`GET /api/state/main HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${key}${key}\r\n`)
    const [line] = await new Promise<string[]>(resolve =>
      socket.once('data', chunk => resolve(String(chunk).split('\r\n'))),
    )
    expect(line).toMatch(/^HTTP\/1\.1 401/)
    socket.destroy()
  })
})

test('a read whose client has left ends and gives its place back, and a write goes on', async () => {
  const events = new EventEmitter()
  const [reading, writing] = [once(events, 'get begun'), once(events, 'set begun')]
  const [read, written] = [once(events, 'get over'), once(events, 'set over')]
  const held: Readonly<Record<string, Operation['run']>> = {
    get: async context => {
      const repo = await context.repo()
      events.emit('get begun')
      for (;;) await repo.get('/')
    },
    set: async (context, input) => {
      const leave = once(events, 'leave')
      events.emit('set begun')
      await leave
      return operations.find(({ name }) => name === 'set')!.run(context, input)
    },
  }
  const server = await started({
    operations: operations.map(one => ({ ...one, run: held[one.name] ?? one.run })),
    limits: { workMs: Number.POSITIVE_INFINITY },
    log: ({ event, operation, status }) => event === 'request' && events.emit(`${operation} over`, status),
  })
  await (await server.host.context({}).repo()).set('/b', 1, 'Something to be read')
  const leaving = new AbortController()
  const asked = [
    fetch(`${server.url}/api/state/main/set`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(setting('/a', 1)),
      signal: leaving.signal,
    }),
    fetch(`${server.url}/api/state/main`, { headers: { authorization }, signal: leaving.signal }),
  ]
  await Promise.all([reading, writing])
  leaving.abort()
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read).toEqual([499])
  events.emit('leave')
  expect(await written).toEqual([200])
  await metric(server, 'asg_http_requests_open', 1)
})

describe('the end of a server', () => {
  test('finishes what is under way, ends what streams, and loses nothing', async () => {
    const server = await started()
    await write(server, '/start', 1)
    const stream = eventsIn(await fetch(`${server.url}/api/watch?after=0`, { headers: { authorization } }))
    await stream.next()
    const writes = Array.from({ length: 20 }, (_, n) =>
      write(server, `/n${n}`, n).then(
        response => response.status,
        () => 0,
      ),
    )
    // One answer means that the server has work in hand, and more of it on the way.
    await Promise.race(writes)
    await server.close()
    const acknowledged = (await Promise.all(writes)).flatMap((status, n) => (status === 200 ? [n] : []))
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(await stream.rest()).toMatch(/event: fault\ndata: \{.*"code":"shutting-down".*\}\n\n$/)
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
    const again = await started()
    const response = await fetch(`${again.url}/api/state/main`, { headers: { authorization } })
    const { value } = (await response.json()) as { value: Record<string, number> }
    for (const n of acknowledged) expect(value[`n${n}`]).toBe(n)
  })

  test('refuses new work with 503 and when to come back, while what is under way gets its answer', async () => {
    const server = await started()
    await write(server, '/start', 1)
    const stream = eventsIn(await fetch(`${server.url}/api/watch?after=0`, { headers: { authorization } }))
    await stream.next()
    const body = JSON.stringify(setting('/late', 'written'))
    const headers = { authorization, 'content-type': 'application/json', 'content-length': String(body.length) }
    const slow = httpRequest(`${server.url}/api/state/main/set`, { method: 'POST', headers })
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.on('response', response => {
        response.resume()
        resolve(response.statusCode)
      })
      slow.on('error', reject)
    })
    slow.write(body.slice(0, 10))
    await metric(server, 'asg_http_requests_open', 2)
    const closed = server.close()
    for (const path of ['/healthz', '/api/state/main']) {
      const response = await fetch(server.url + path, { headers: { authorization } })
      expect([response.status, response.headers.get('retry-after'), response.headers.get('connection')]).toEqual([
        503,
        '10',
        'close',
      ])
      expect(await response.json()).toMatchObject({ code: 'shutting-down', kind: 'unavailable' })
    }
    expect(await stream.rest()).toContain('"code":"shutting-down"')
    slow.end(body.slice(10))
    expect(await answered).toBe(200)
    await closed
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
    await expect(server.host.context({}).repo()).rejects.toMatchObject({ code: 'closed' })
    const again = await started()
    const response = await fetch(`${again.url}/api/state/main?path=/late`, { headers: { authorization } })
    expect(await response.json()).toMatchObject({ value: 'written' })
  })

  test('does not wait longer than it may for what is under way', async () => {
    const server = await started({ limits: { stopTimeoutMs: 1 } })
    const headers = { authorization, 'content-type': 'application/json', 'content-length': '100' }
    const slow = httpRequest(`${server.url}/api/state/main/set`, { method: 'POST', headers })
    const broken = new Promise(resolve => slow.on('error', resolve))
    slow.write('{')
    await metric(server, 'asg_http_requests_open', 2)
    await server.close()
    expect(await broken).toBeInstanceOf(Error)
  })
})

/** Waits until a number of the server is what it should be. */
async function metric({ url }: RunningServer, name: string, value: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`, { headers: { authorization } })).text()
    if (text.includes(`${name} ${value}\n`)) return
  }
}
