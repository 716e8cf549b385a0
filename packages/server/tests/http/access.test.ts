/** Principals, sessions and proposals over HTTP, from the first key to the approved change. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeApp } from '../../src/http/app.ts'
import { type Answer, answerOf, openApp, requestTo, setting, type TestApp } from './support/open-app.ts'
import { type Ask, addPrincipal, openPeopled } from './support/principals.ts'

let app: TestApp
let bob: Ask
let ann: Ask
let eve: Ask
beforeEach(async () => {
  const opened = await openPeopled()
  app = opened.app
  bob = opened.bob
  ann = opened.ann
  eve = opened.eve
})
afterEach(() => app.close())

const set = '/api/state/main/set'
const codeOf = ({ status, body }: Answer): unknown => [status, body['code']]

/** The body of an answer, whatever ids it names. */
function bodyWithout({ status, text }: Answer, id: string): string {
  return `${status} ${text.replaceAll(id, 'THE-ID')}`
}

describe('keys', () => {
  test('a principal is made, granted something, and is who its key says', async () => {
    const made = await app.ask('POST', '/api/access/principals', { id: 'agent/new', kind: 'agent' })
    const headers = { authorization: `Bearer ${made.body['key']}` }
    const grant = { to: 'agent/new', capabilities: ['commit'], paths: ['/new'], commits_per_minute: 1 }
    const granted = await app.ask('POST', '/api/access/grants', grant)
    const written = await app.ask('POST', set, setting('/new/x', 1), headers)
    expect(written.body).toMatchObject({ agent: 'agent/new', principal: 'agent/new', authority: [granted.body['id']] })
    const again = await app.ask('POST', set, setting('/new/x', 2), headers)
    expect([...(codeOf(again) as unknown[]), again.headers.get('retry-after')]).toEqual([429, 'rate-exceeded', '60'])
  })

  test('a key that was revoked is as good as none', async () => {
    const { body } = await app.ask('POST', '/api/admin/keys', { principal: 'agent/bob' })
    const headers = { authorization: `Bearer ${body['key']}` }
    expect((await app.ask('GET', '/api/admin/keys', undefined, headers)).text).not.toContain('hash')
    await app.ask('POST', '/api/admin/keys/revoke', { id: body['id'], reason: 'It leaked', descendants: false })
    const refused = await app.ask('GET', '/api/sessions', undefined, headers)
    const unknown = await app.ask('GET', '/api/sessions', undefined, { authorization: 'Bearer asg_nobody' })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect([refused.status, refused.text]).toEqual([401, unknown.text])
  })

  test('a grant that is taken back ends at once', async () => {
    expect((await bob('POST', set, setting('/a/b/x', 5))).status).toBe(200)
    const { body } = await app.ask('GET', '/api/access/grants?principal=agent/bob')
    await app.ask('POST', `/api/access/grants/${body['items']![0]!['id']}/revoke`, { reason: 'Enough' })
    expect((await bob('POST', set, setting('/a/b/x', 6))).status).toBe(403)
    const explained = await bob('GET', '/api/access/explain?principal=agent/bob&capability=commit')
    expect(explained.body).toMatchObject({ allowed: false, links: [{ reason: expect.stringContaining('Enough') }] })
  })
})

test('metrics are for the operator, and for those who may read everything in the default namespace', async () => {
  await app.host.context({}).storeAdmin.createNamespace('tenant')
  const tenant = await addPrincipal(app, 'agent/tenant', { capabilities: ['read'] }, 'tenant')
  expect(codeOf(await bob('GET', '/metrics'))).toEqual([403, 'access-denied'])
  expect(codeOf(await tenant('GET', '/metrics'))).toEqual([403, 'access-unavailable'])
  expect((await ann('GET', '/metrics')).status).toBe(200)
  expect((await app.ask('GET', '/metrics')).status).toBe(200)
})

describe('what may not be known', () => {
  test('a forbidden id and an unknown one are answered alike', async () => {
    const hidden = String((await app.ask('POST', '/api/state/hidden/set', setting('/a/b/x', 'c2'))).body['id'])
    const nothing = '0'.repeat(hidden.length)
    await app.ask('POST', '/api/access/taints', { path: '/a/kept', effect: 'review', reason: 'r' })
    const proposal = String((await app.ask('POST', set, setting('/a/kept', 2))).body['data']!['proposal'])
    const session = String((await app.ask('POST', '/api/sessions', { agent: 'agent/eve' })).body['id'])
    const { items } = (await app.ask('GET', '/api/access/grants?principal=human/ann')).body
    const grant = String(items![0]!['id'])
    const pairs: readonly [(id: string) => Promise<Answer>, string, string][] = [
      [id => bob('GET', `/api/state/${id}`), hidden, nothing],
      [id => bob('GET', `/api/commits/${id}`), hidden, nothing],
      [id => bob('GET', `/api/log/${id}`), 'hidden', 'nowhere'],
      [id => bob('GET', `/api/proposals/${id}`), proposal, 'none'],
      [id => bob('POST', `/api/proposals/${id}/approve`, { reason: 'r' }), proposal, 'none'],
      [id => bob('GET', `/api/sessions/${id}`), session, 'none'],
      [id => bob('POST', `/api/sessions/${id}/end`, { outcome: 'failed', summary: 's' }), session, 'none'],
      [id => bob('POST', set, setting('/a/b/x', 1, { session: id })), session, 'none'],
      [id => bob('POST', `/api/access/grants/${id}/revoke`, { reason: 'r' }), grant, 'none'],
    ]
    for (const [ask, forbidden, unknown] of pairs) {
      const [one, other] = [await ask(forbidden), await ask(unknown)]
      expect(one.status, one.text).toBeGreaterThanOrEqual(400)
      expect(bodyWithout(one, forbidden)).toBe(bodyWithout(other, unknown))
    }
  })

  test('nothing that a reader gets tells of places he may not read', async () => {
    const asks = [
      '/api/state/main',
      '/api/state/main/search?text=classified',
      '/api/log/main',
      '/api/branches',
      '/api/history/main?path=/',
      '/api/activity',
    ]
    for (const path of asks) {
      const { text } = await bob('GET', path)
      expect(text, path).not.toMatch(/classified|hidden/)
    }
  })

  test('tenants are apart: a key reaches its own namespace, and cannot tell whether there are others', async () => {
    for (const name of ['tenant', 'other']) await app.ask('POST', '/api/namespaces', { name })
    const tom = await addPrincipal(app, 'agent/tom', { capabilities: ['read', 'commit'] }, 'tenant')
    expect((await tom('POST', set, setting('/mine', 1))).status).toBe(200)
    expect((await tom('GET', '/api/state/main?namespace=tenant')).body['value']).toEqual({ mine: 1 })
    expect((await tom('GET', '/api/namespaces')).body['namespaces']).toEqual(['tenant'])
    const [there, nowhere] = [
      await tom('GET', '/api/state/main?namespace=other'),
      await tom('GET', '/api/state/main?namespace=nowhere'),
    ]
    expect(bodyWithout(there, 'other')).toBe(bodyWithout(nowhere, 'nowhere'))
    expect(codeOf(await bob('GET', '/api/state/main?namespace=tenant'))).toEqual([404, 'namespace-not-found'])
    for (const name of ['tenant', 'nowhere']) expect((await tom('DELETE', `/api/namespaces/${name}`)).status).toBe(403)
  })
})

describe('sessions', () => {
  const open = async (ask: Ask, more: Record<string, unknown>): Promise<string> => {
    const { body, text } = await ask('POST', '/api/sessions', more)
    return String(body['id'] ?? expect.fail(text))
  }

  test('span calls: work is handed on twice, done within its limits, and reported', async () => {
    const first = await open(app.ask, { agent: 'agent/bob', paths: ['/a'], intent: 'tidy' })
    const second = await open(bob, { agent: 'agent/bob/sub', paths: ['/a/b'], session: first })
    const inFirst = await bob('POST', set, setting('/a/kept', 9, { session: first }))
    expect(inFirst.body).toMatchObject({ agent: 'agent/bob', session: first, intent: { parent: 'tidy' } })
    // An agent without a key works through whoever made it.
    const bySub = await bob('POST', set, setting('/a/b/x', 9, { session: second }))
    expect(bySub.body).toMatchObject({ agent: 'agent/bob/sub', principal: 'agent/bob/sub', session: second })
    expect(bySub.body['authority']).toHaveLength(2)
    expect((await bob('POST', set, setting('/a/kept', 10, { session: second }))).status).toBe(403)
    expect(codeOf(await eve('POST', set, setting('/a/b/x', 9, { session: second })))).toEqual([403, 'session-unknown'])
    const end = { outcome: 'fulfilled', summary: 'All is tidy' }
    expect(codeOf(await bob('POST', `/api/sessions/${first}/end`, end))).toEqual([409, 'session-busy'])
    expect((await bob('POST', `/api/sessions/${second}/end`, end)).status).toBe(200)
    const reports = await bob('GET', `/api/session-reports?session=${first}`)
    expect(reports.body['items']).toMatchObject([{ session: second, agent: 'agent/bob/sub', summary: 'All is tidy' }])
    expect((await bob('POST', `/api/sessions/${first}/end`, end)).status).toBe(200)
    expect((await bob('GET', '/api/sessions?status=open')).body['items']).toEqual([])
    expect((await app.ask('GET', '/api/access/intents/tidy')).body).toMatchObject({ status: 'completed' })
  })

  test('what a session may do, its agent may not do outside it', async () => {
    const session = await open(app.ask, { agent: 'agent/eve', paths: ['/a/b'] })
    expect((await eve('POST', set, setting('/a/b/x', 3))).status).toBe(403)
    expect((await eve('POST', set, setting('/a/b/x', 3, { session }))).status).toBe(200)
    expect((await eve('POST', set, setting('/a/kept', 3, { session }))).status).toBe(403)
  })
})

describe('proposals', () => {
  test('a change under a rule waits, is shown, approved by another, and lands as it was shown', async () => {
    const rule = { name: 'careful', effect: 'require-approval', when: { paths: ['/a/b'] }, approvers: ['human/ann'] }
    const { body } = await ann('POST', '/api/access/policies', rule)
    expect((await ann('POST', `/api/access/policies/${body['id']}/ratify`, { reason: 'r' })).status).toBe(403)
    await app.ask('POST', `/api/access/policies/${body['id']}/ratify`, { reason: 'Agreed' })
    const refused = await bob('POST', set, setting('/a/b/x', 7))
    expect(refused.body).toMatchObject({ status: 403, code: 'approval-required', data: { approvers: ['human/ann'] } })
    const id = refused.body['data']!['proposal']
    const shown = await ann('GET', `/api/proposals/${id}`)
    expect(shown.body).toMatchObject({
      by: 'agent/bob',
      changes: [{ path: '/a/b/x', before: 1, after: 7 }],
      status: 'open',
    })
    expect(codeOf(await app.ask('POST', `/api/proposals/${id}/approve`, { reason: 'r' }))).toEqual([
      403,
      'approver-unnamed',
    ])
    const landed = await ann('POST', `/api/proposals/${id}/approve`, { reason: 'Fine' })
    expect(landed.body).toMatchObject({
      agent: 'agent/bob',
      approval: { by: 'human/ann', reason: 'Fine', proposal: id },
    })
    expect((await app.ask('GET', '/api/state/main?path=/a/b/x')).body['value']).toBe(7)
    expect(codeOf(await ann('POST', `/api/proposals/${id}/reject`, { reason: 'r' }))).toEqual([409, 'proposal-decided'])
  })

  test('a server that proposes changes nothing itself, for anybody', async () => {
    const proposing = makeApp(app.host, { mode: 'propose' })
    const ask = async (method: string, path: string, body?: unknown): Promise<Answer> =>
      answerOf(await proposing.fetch(requestTo(method, path, body)))
    const before = await app.ask('GET', '/api/state/main')
    const proposed = await ask('POST', set, setting('/a/b/x', 8))
    expect(codeOf(proposed)).toEqual([403, 'approval-required'])
    const refused: readonly (readonly [string, string, unknown])[] = [
      ['POST', '/api/branches', { name: 'feature/x' }],
      ['POST', '/api/tags', { name: 't' }],
      ['POST', '/api/access/principals', { id: 'agent/y' }],
      ['POST', '/api/access/freeze', { branch: 'main', reason: 'r' }],
      ['POST', '/api/sessions', { agent: 'agent/y' }],
      ['POST', '/api/access/intents', { description: 'd' }],
      ['POST', '/api/namespaces', { name: 'other' }],
    ]
    for (const request of refused) expect((await ask(...request)).status, request[1]).toBeGreaterThanOrEqual(403)
    expect((await app.ask('GET', '/api/state/main')).body).toEqual(before.body)
    expect((await ask('GET', '/api/proposals?status=open')).body['items']).toHaveLength(1)
    const landed = await ann('POST', `/api/proposals/${proposed.body['data']!['proposal']}/approve`, { reason: 'Fine' })
    expect(landed.status, landed.text).toBe(200)
    expect((await ask('GET', '/api/state/main?path=/a/b/x')).body['value']).toBe(8)
  })

  test('a server that only reads decides nothing', async () => {
    const reading = await openApp({ mode: 'read-only' })
    const { status, body } = await reading.ask('POST', '/api/access/principals', { id: 'agent/y' })
    expect([status, body['code']]).toEqual([403, 'read-only'])
    await reading.close()
  })
})
