/** The first hour of a client in TypeScript, with types that a generator made from the description of the server. */
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const [baseUrl, key] = process.argv.slice(2) as [string, string]
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

/** The answer to a call that has to succeed. */
function answerOf<T>({ data, error }: { readonly data?: T; readonly error?: unknown }): T {
  assert.equal(error, undefined, JSON.stringify(error))
  return data!
}

const main = { params: { path: { ref: 'main' } } }
const begin = { path: '/cluster', value: { name: 'prod', replicas: 2 }, description: 'Initialize cluster' }
answerOf(await client.POST('/api/state/{ref}/set', { ...main, body: begin }))
const scale = { path: '/cluster/replicas', value: 3, description: 'Scale to 3 replicas', confidence: 0.85 }
const scaled = answerOf(await client.POST('/api/state/{ref}/set', { ...main, body: scale }))
assert.equal(scaled.intent.description, 'Scale to 3 replicas')

answerOf(await client.POST('/api/branches', { body: { name: 'feature/net' } }))
const flannel = { path: '/cluster/replicas', value: 5, description: 'Try five' }
const branch = { params: { path: { ref: 'feature/net' } } }
answerOf(await client.POST('/api/state/{ref}/set', { ...branch, body: flannel }))
const changes = answerOf(await client.GET('/api/diff', { params: { query: { from: 'main', to: 'feature/net' } } }))
assert.deepEqual(
  changes.changes.map(({ path }) => path),
  ['/cluster/replicas'],
)
const four = { path: '/cluster/replicas', value: 4, description: 'Four are enough' }
answerOf(await client.POST('/api/state/{ref}/set', { ...main, body: four }))

const merge = { source: 'feature/net', target: 'main', description: 'Adopt five' }
const conflict = await client.POST('/api/merge', { body: merge })
assert.equal(conflict.error?.code, 'merge-conflict')
answerOf(await client.POST('/api/merge', { body: { ...merge, resolutions: { '/cluster/replicas': 'theirs' } } }))

const { id } = answerOf(await client.POST('/api/speculations', { body: { label: 'NFS' } }))
const trial = { params: { path: { id } } }
const nfs = { path: '/cluster/storage', value: 'nfs' }
answerOf(await client.POST('/api/speculations/{id}/set', { ...trial, body: nfs }))
answerOf(await client.POST('/api/speculations/{id}/commit', { ...trial, body: { description: 'Use NFS' } }))

const query = { path: '/cluster/replicas' }
const blame = answerOf(await client.GET('/api/blame/{ref}', { params: { path: { ref: 'main' }, query } }))
assert.equal(blame.intent.description, 'Try five')
const state = answerOf(
  await client.GET('/api/state/{ref}', { params: { path: { ref: 'main' }, query: { path: '/' } } }),
)
assert.deepEqual(state.value, { cluster: { name: 'prod', replicas: 5, storage: 'nfs' } })
const log = answerOf(await client.GET('/api/log/{ref}', { params: { path: { ref: 'main' }, query: { limit: 3 } } }))
assert.equal(log.items.length, 3)
console.log('TypeScript: the flow holds')
