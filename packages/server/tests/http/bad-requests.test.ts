/** Requests that are refused before anybody looks at what they ask for. */
import { expect, test } from 'vitest'
import { openApp, setting, token } from './support/open-app.ts'
import { ask, type Bad, bare, refuses, set } from './support/refusals.ts'

const state = '/api/state/main'
const evil = 'https://evil.example'
const from = (headers: Record<string, string>, path = state) => ask('GET', path, undefined, headers)

refuses('keys', [
  ['no key', bare(state), 401, 'unauthenticated'],
  ['a wrong key', bare(state, { authorization: 'Bearer wrong' }), 401, 'unauthenticated'],
  ['a key that only begins right', bare(state, { authorization: `Bearer ${token}x` }), 401, 'unauthenticated'],
  ['Basic', bare(state, { authorization: 'Basic YTpi' }), 401, 'unauthenticated'],
  ['a bare token', bare(state, { authorization: token }), 401, 'unauthenticated'],
  ['two keys', bare(state, { authorization: `Bearer ${token}, Bearer ${token}` }), 401, 'unauthenticated'],
  ['a key in another header', bare(state, { 'x-api-key': token }), 401, 'unauthenticated'],
  ['a key in the URL too', ask('GET', `${state}?key=${token}`), 400, 'token-in-url'],
  ['a key in the URL only', bare(`${state}?access_token=${token}`), 400, 'token-in-url'],
  ['metrics without a key', bare('/metrics'), 401, 'unauthenticated'],
  ['no route and no key', bare('/nowhere'), 401, 'unauthenticated'],
])

refuses('places', [
  ['another Host', from({ host: 'evil.example' }), 403, 'host-refused'],
  ['a Host that begins like ours', from({ host: 'localhost.evil.example:3001' }), 403, 'host-refused'],
  ['another Host on a public route', from({ host: 'evil.example' }, '/healthz'), 403, 'host-refused'],
  ['another Origin', from({ origin: evil }), 403, 'origin-refused'],
  ['the Origin null', from({ origin: 'null' }), 403, 'origin-refused'],
  [
    'a preflight from elsewhere',
    ask('OPTIONS', state, undefined, { origin: evil, 'access-control-request-method': 'POST' }),
    403,
    'origin-refused',
  ],
  ['no such route', ask('GET', '/api/nothing'), 404, 'route-not-found'],
  ['nothing in the braces', ask('GET', '/api/state/'), 400, 'input-invalid', 'ref'],
  ['another method', ask('PUT', '/api/query/main', {}), 405, 'method-not-allowed', 'POST'],
  ['a path twice', ask('PUT', `${state}/set`, setting('/x', 1)), 400, 'url-invalid', 'path'],
  ['OPTIONS without CORS', ask('OPTIONS', state), 405, 'method-not-allowed', 'GET'],
  ['an answer in HTML', from({ accept: 'text/html' }), 406, 'not-acceptable'],
  ['a broken % in the path', ask('GET', '/api/state/%E0%A4%A'), 400, 'url-invalid'],
  ['a path of 100 segments', ask('GET', `/api/state/${'a/'.repeat(100)}`), 400, 'url-invalid'],
  ['a field twice', ask('GET', `${state}?path=/a&path=/b`), 400, 'url-invalid', 'path'],
  ['a field that is not there', ask('GET', `${state}?pth=/a`), 400, 'input-invalid', 'pth'],
  ['the ref in path and query', ask('GET', `${state}?ref=main`), 400, 'url-invalid', 'ref'],
  ['the ref in path and body', set(setting('/x', 1, { ref: 'other' })), 400, 'url-invalid', 'ref'],
  ['a query in place of a body', ask('POST', `${state}/set?path=/x`, setting('/x', 1)), 400, 'url-invalid'],
])

const old = `"${'0'.repeat(64)}"`
const again: Bad[3] = 'idempotency-mismatch'

refuses('conditions', [
  ['If-Match with an old commit', set(setting('/x', 1), { 'if-match': old }), 412, 'precondition-failed'],
  [
    'only_if_head with an old commit',
    set(setting('/x', 1, { only_if_head: '0'.repeat(64) })),
    412,
    'precondition-failed',
  ],
  ['If-Match that is no ETag', set(setting('/x', 1), { 'if-match': 'abc' }), 400, 'header-invalid', 'If-Match'],
  ['If-Match with any commit', set(setting('/x', 1), { 'if-match': '*' }), 400, 'header-invalid', 'If-Match'],
  [
    'If-Match and only_if_head',
    asked => set(setting('/x', 1, { only_if_head: asked.head }), { 'if-match': `"${asked.head}"` })(asked),
    400,
    'header-invalid',
  ],
  ['If-Match on a read', from({ 'if-match': old }), 400, 'header-unsupported'],
  ['an idempotency key again', set(setting('/users/ann', 'Bob'), { 'idempotency-key': 'once' }), 409, again],
  ['the same in the body', set(setting('/users/ann', 'Bob', { idempotency_key: 'once' })), 409, again],
  ['a key of 300 characters', set(setting('/x', 1), { 'idempotency-key': 'k'.repeat(300) }), 400, 'input-invalid'],
  ['an idempotency key on a read', from({ 'idempotency-key': 'k' }), 400, 'header-unsupported'],
  ['Last-Event-ID that is no number', from({ 'last-event-id': 'x' }, '/api/watch'), 400, 'header-invalid'],
  ['Last-Event-ID of a later time', from({ 'last-event-id': '999999' }, '/api/watch'), 404, 'entry-not-found'],
  ['a watch with a broken pattern', ask('GET', '/api/watch?path=nothing'), 400, 'pattern-invalid'],
])

test('a missing and a wrong key get the very same answer', async () => {
  const app = await openApp()
  const none = await bare(state)({ app, head: '' })
  const wrong = await bare(state, { authorization: 'Bearer wrong' })({ app, head: '' })
  expect(wrong.text).toBe(none.text)
  const ofAll = ({ headers }: typeof none) => [...headers].filter(([name]) => name !== 'x-request-id')
  expect(ofAll(wrong)).toEqual(ofAll(none))
  expect(none.headers.get('www-authenticate')).toBe('Bearer')
  await app.close()
})
