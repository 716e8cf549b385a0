/** A server and the app without a port take the same steps: every request gets the same answer over both. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApp } from '../../src/http/app.ts'
import { type RunningServer, serve } from '../../src/http/serve.ts'

const token = 'token-of-the-test'
const authorization = `Bearer ${token}`
const type = { authorization, 'content-type': 'application/json' }
const set = (fields: object): string => JSON.stringify({ path: '/a', value: 1, description: 'Begin', ...fields })

type Row = readonly [method: string, path: string, headers?: Record<string, string>, body?: string]

const table: readonly Row[] = [
  ['GET', '/'],
  ['GET', '/healthz'],
  ['HEAD', '/healthz'],
  ['POST', '/healthz', { authorization }],
  ['GET', '/openapi.json', { authorization }],
  ['GET', '/api/state/main?path=/a'],
  ['GET', '/api/state/main?path=/a', { authorization: 'Bearer wrong' }],
  ['GET', '/api/state/main?path=/a&token=x', { authorization }],
  ['GET', '/api/state/main?path=/list/1', { authorization }],
  ['HEAD', '/api/state/main?path=/list', { authorization }],
  ['GET', '/api/state/main?path=/nowhere', { authorization }],
  ['GET', '/api/state/main?path=/%C3%A9&path=/b', { authorization }],
  ['GET', '/api/state/no%2Fsuch/branch', { authorization }],
  ['GET', '/api/../api/branches', { authorization }],
  ['GET', '/api/nothing', { authorization }],
  ['PATCH', '/api/state/main', { authorization }],
  ['GET', '/api/log/main?limit=1', { authorization }],
  ['GET', '/api/state/main', { authorization, accept: 'text/html' }],
  ['GET', '/api/state/main', { authorization, origin: 'https://evil.example' }],
  ['GET', '/api/state/main', { authorization, origin: 'https://page.example' }],
  ['OPTIONS', '/api/state/main', { origin: 'https://page.example', 'access-control-request-method': 'POST' }],
  ['GET', '/api/export', { authorization }],
  ['POST', '/api/state/main/set', type, set({ path: '' })],
  ['POST', '/api/state/main/set', type, set({ unknown: 1 })],
  ['POST', '/api/state/main/set', type, '{"path":'],
  ['POST', '/api/state/main/set', type, ''],
  ['POST', '/api/state/main/set', { authorization, 'content-type': 'text/plain' }, set({})],
  ['POST', '/api/state/main/set', type, set({ reasoning: 'long '.repeat(1000) })],
  ['POST', '/api/state/main/set', { ...type, 'if-match': '"nothing"' }, set({})],
  ['DELETE', '/api/branches/main', { authorization }],
]

let server: RunningServer
let fetchLocally: (request: Request) => Promise<Response>

beforeAll(async () => {
  const origins = ['https://page.example']
  const limits = { bodyBytes: 4000 }
  server = await serve({ token, port: 0, origins, limits, log: () => {} })
  await (await server.host.context({}).repo()).set('/list', [1, 2, 3], 'Begin')
  const app = makeApp(server.host, { origins, limits })
  fetchLocally = request => app.fetch(request)
})
afterAll(() => server.close())

/** Headers that belong to the connection or to one request. */
const ofConnection = ['connection', 'date', 'keep-alive', 'content-length', 'transfer-encoding', 'x-request-id']

async function answerOf(response: Response) {
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => !ofConnection.includes(name))
  return { status: response.status, headers: Object.fromEntries(headers), text: text.replaceAll(/"id":"[^"]*"/g, '') }
}

test.each(table.map(row => [row.slice(0, 2).join(' '), row] as const))('%s', async (_, row) => {
  const [method, path, headers = {}, body] = row
  const request = (): Request =>
    new Request(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const over = await answerOf(await fetch(request()))
  expect(await answerOf(await fetchLocally(request()))).toEqual(over)
})

/** The status line of the answer to a request as it is on the wire. */
async function statusOf(request: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.setEncoding('utf8').write(request)
  let text = ''
  for await (const part of socket) text += part
  return text.split('\r\n', 1)[0]!
}

test.each([
  [
    'two keys',
    `GET /api/branches HTTP/1.1\r\nHost: localhost\r\n${`Authorization: ${authorization}\r\n`.repeat(2)}`,
    401,
  ],
  ['an absolute target', `GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n`, 200],
  ['an absolute target of elsewhere', `GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\n`, 403],
  ['a target that is no path', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n', 400],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: localhost/x?\r\n', 400],
  ['no Host', 'GET / HTTP/1.0\r\n', 400],
  ['a backslash', 'GET /api\\branches HTTP/1.1\r\nHost: localhost\r\n', 400],
])('%s over a connection', async (_, head, status) => {
  expect(await statusOf(`${head}Connection: close\r\n\r\n`)).toContain(` ${status} `)
})
