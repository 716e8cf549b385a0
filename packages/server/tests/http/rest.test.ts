/** A place of the state as a resource: PUT, PATCH and DELETE take the fields of the table, with the path in the URL. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LogEntry } from '../../src/http/log-line.ts'
import { openApp, type TestApp } from './support/open-app.ts'

let app: TestApp
let noted: LogEntry[]
beforeEach(async () => {
  noted = []
  app = await openApp({ log: entry => void noted.push(entry) })
})
afterEach(() => app.close())

const stateOf = async () => (await app.ask('GET', '/api/state/main')).body['value']

test('a value is put, changed below and deleted, each in one commit with its reason', async () => {
  const put = await app.ask('PUT', '/api/state/cluster', { value: { name: 'prod' }, description: 'Begin' })
  expect(put).toMatchObject({ status: 200, body: { intent: { description: 'Begin' }, changed: true } })
  const edits = [
    { op: 'set', path: '/replicas', value: 3 },
    { op: 'delete', path: '/name' },
  ]
  expect(await app.ask('PATCH', '/api/state/cluster', { edits, description: 'Scale' })).toMatchObject({ status: 200 })
  expect(await stateOf()).toEqual({ cluster: { replicas: 3 } })
  const etag = (await app.ask('GET', '/api/state/main')).headers.get('etag') ?? ''
  const path = '/api/state/cluster/replicas?description=Start%20over'
  expect((await app.ask('DELETE', path, undefined, { 'if-match': `"${'0'.repeat(64)}"` })).status).toBe(412)
  expect((await app.ask('DELETE', path, undefined, { 'if-match': etag })).status).toBe(200)
  expect(await stateOf()).toEqual({ cluster: {} })
})

test('a key with a slash is written ~1, and another branch is a field', async () => {
  await app.ask('PUT', '/api/state/a~1b', { value: 1, description: 'Begin' })
  expect(await stateOf()).toEqual({ 'a/b': 1 })
  await app.ask('POST', '/api/branches', { name: 'feature/net' })
  await app.ask('PUT', '/api/state/c', { ref: 'feature/net', value: 2, description: 'Try' })
  expect(await stateOf()).toEqual({ 'a/b': 1 })
})

test('what the schema refuses is refused, and hints name routes', async () => {
  expect(await app.ask('PUT', '/api/state/a', { value: 1 })).toMatchObject({
    status: 400,
    body: { code: 'input-invalid' },
  })
  await app.ask('PUT', '/api/state/a', { value: 1, description: 'Begin' })
  const missing = await app.ask('GET', '/api/state/main?path=/b')
  expect(missing.body['hint']).toBe('GET /api/state/{ref}/paths shows what is there.')
  const misplaced = await app.ask('GET', '/api/state/a')
  expect(misplaced).toMatchObject({ status: 404, body: { code: 'ref-not-found' } })
  expect(misplaced.body['hint']).toBe('Known: main (In a URL, a path goes into the query: GET /api/state/main?path=/a)')
})

test('a request is logged with its path and id, and answered with the id', async () => {
  const { headers } = await app.ask('GET', '/api/state/main?path=/a', undefined, { 'x-request-id': 'trace-7' })
  expect(headers.get('x-request-id')).toBe('trace-7')
  const own = await app.ask('GET', '/healthz', undefined, { 'x-request-id': 'not\tone' })
  expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const requests = noted.filter(({ event }) => event === 'request')
  expect(requests).toMatchObject([
    { id: 'trace-7', path: '/api/state/main', operation: 'get' },
    { id: own.headers.get('x-request-id'), path: '/healthz', operation: 'health' },
  ])
})

test('the document and the health need no key', async () => {
  for (const path of ['/openapi.json', '/healthz'])
    expect((await app.fetch(new Request(`http://localhost${path}`))).status).toBe(200)
})
