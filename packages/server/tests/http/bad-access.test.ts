/** What principals ask for and may not have: status, code and words, and nothing changes but the count of refusals. */
import { access } from 'agentstategraph/access'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, setting, type TestApp } from './support/open-app.ts'
import { type Ask, openPeopled } from './support/principals.ts'
import { expectRefusal } from './support/refusals.ts'

interface People {
  readonly app: TestApp
  readonly bob: Ask
  readonly ann: Ask
  readonly eve: Ask
  /** Ids of what was made before. */
  readonly ids: Readonly<Record<string, string>>
}

let people: People
beforeAll(async () => {
  const opened = await openPeopled()
  people = { ...opened, ids: await prepare(opened) }
})
afterAll(() => people.app.close())

/** Sessions, grants, marks and proposals that the rows speak of. */
async function prepare({ app, bob }: Omit<People, 'ids'>): Promise<Record<string, string>> {
  const idOf = ({ body, text }: Answer): string => String(body['id'] ?? expect.fail(text))
  const at = (path: string, more = {}) => setting(path, 2, more)
  const session = async (agent: string, paths: string[]) =>
    idOf(await app.ask('POST', '/api/sessions', { agent, paths, intent: `work of ${agent}` }))
  const bobs = await session('agent/bob', ['/a/b/x'])
  const eves = await session('agent/eve', ['/a/b'])
  const over = await session('agent/bob', ['/a/b'])
  await app.ask('POST', `/api/sessions/${over}/end`, { outcome: 'fulfilled', summary: 'Done' })
  const taint = async (path: string, effect: string, more = {}) =>
    idOf(await app.ask('POST', '/api/access/taints', { path, effect, reason: 'Looks wrong', ...more }))
  const proposed = async (path: string) =>
    String((await bob('POST', '/api/state/main/set', at(path))).body['data']!['proposal'])
  await bob('POST', '/api/branches', { name: 'feature/side' })
  await bob('POST', '/api/state/feature/side/set', setting('/a/marked', 'on the side'))
  const before = idOf(await bob('POST', '/api/state/main/set', at('/a/b/x')))
  const changed = idOf(await bob('POST', '/api/state/main/set', at('/a/marked')))
  const { body: spec } = await bob('POST', '/api/speculations', {})
  await bob('POST', `/api/speculations/${spec['id']}/set`, { path: '/a/marked', value: 5 })
  await app.ask('POST', '/api/state/main/set', setting('/a/b/hush', 'classified'))
  await taint('/a/b/hush', 'warn', { quarantine: true })
  const review = await taint('/a/seen', 'review')
  const lapsed = await proposed('/a/seen')
  await bob('POST', '/api/state/main/set', at('/a/b/y'))
  const mine = await proposed('/a/seen')
  const block = await taint('/a/marked', 'block')
  await taint('/a/kept', 'isolate')
  return {
    bobs,
    eves,
    over,
    before,
    changed,
    review,
    lapsed,
    mine,
    block,
    spec: String(spec['id']),
  }
}

const set = '/api/state/main/set'
const why = { description: 'Because a test says so' }
const write = (path: string, more = {}) => [set, setting(path, 3, more)] as const
const taint = (expires: string) => ({ path: '/z', effect: 'warn', reason: 'r', expires })

/** What, asked by whom, of what; status, code, and a word of the answer. */
type Row = readonly [
  what: string,
  ask: (people: People) => Promise<Answer>,
  status: number,
  code: string,
  says?: string,
]

const identity: readonly Row[] = [
  [
    'an agent beside the key',
    ({ bob }) => bob('POST', ...write('/a/b/x', { agent: 'human/ann' })),
    400,
    'input-invalid',
    'agent',
  ],
  [
    'a principal beside the key',
    ({ bob }) => bob('POST', ...write('/a/b/x', { principal: 'human/ann' })),
    400,
    'input-invalid',
    'principal',
  ],
  [
    'an authority',
    ({ bob }) => bob('POST', ...write('/a/b/x', { authority: ['g'] })),
    400,
    'input-invalid',
    'authority',
  ],
  [
    'a session of somebody else',
    ({ bob, ids }) => bob('POST', ...write('/a/b/x', { session: ids['eves'] })),
    403,
    'session-unknown',
  ],
  [
    'a session that nobody opened',
    ({ bob }) => bob('POST', ...write('/a/b/x', { session: 'no-such' })),
    403,
    'session-unknown',
  ],
  [
    'a session that has ended',
    ({ bob, ids }) => bob('POST', ...write('/a/b/x', { session: ids['over'] })),
    403,
    'session-ended',
  ],
]

const places: readonly Row[] = [
  [
    'a sibling with the same beginning',
    ({ bob }) => bob('POST', ...write('/a/b-secret')),
    403,
    'access-denied',
    '/a/b-secret',
  ],
  ['a parent', ({ bob }) => bob('POST', set, setting('/a', {})), 403, 'access-denied'],
  ['the root', ({ bob }) => bob('POST', set, setting('/', {})), 403, 'access-denied'],
  [
    'another branch',
    ({ bob }) => bob('POST', '/api/state/hidden/set', setting('/a/b/x', 1)),
    403,
    'access-denied',
    'hidden',
  ],
  [
    'outside the session',
    ({ bob, ids }) => bob('POST', ...write('/a/b/y', { session: ids['bobs'] })),
    403,
    'access-denied',
    '/a/b/y',
  ],
  ['a place of nobody', ({ eve }) => eve('POST', ...write('/a/b/x')), 403, 'access-denied'],
  [
    'what takes admin',
    ({ bob }) => bob('POST', '/api/access/principals', { id: 'agent/x' }),
    403,
    'access-denied',
    'admin',
  ],
  [
    'what takes seal',
    ({ bob }) => bob('POST', '/api/epochs', { id: 'e', description: 'd', root_intents: [] }),
    403,
    'access-denied',
    'seal',
  ],
  ['what takes tag', ({ bob }) => bob('POST', '/api/tags', { name: 't' }), 403, 'access-denied', 'tag'],
  ['a key for another', ({ bob }) => bob('POST', '/api/admin/keys', { principal: 'human/ann' }), 403, 'key-foreign'],
]

const grant = (more: Record<string, unknown>) =>
  ['/api/access/grants', { to: 'agent/eve', capabilities: ['read'], ...more }] as const

const delegation: readonly Row[] = [
  [
    'a capability that one has not',
    ({ bob }) => bob('POST', ...grant({ capabilities: ['admin'] })),
    403,
    'grant-widened',
    'capabilities',
  ],
  ['a wider place', ({ bob }) => bob('POST', ...grant({ paths: ['/a'] })), 403, 'grant-widened', 'paths'],
  ['a wider branch', ({ bob }) => bob('POST', ...grant({ branches: ['*'] })), 403, 'grant-widened', 'branches'],
  [
    'a later end',
    ({ bob }) => bob('POST', ...grant({ expires: '2091-01-01T00:00:00Z' })),
    403,
    'grant-widened',
    'expiry',
  ],
  ['as far onward', ({ bob }) => bob('POST', ...grant({ depth: 2 })), 403, 'grant-widened', 'depth'],
  ['a depth that no chain has', ({ bob }) => bob('POST', ...grant({ depth: 99 })), 400, 'depth-invalid'],
  ['to oneself', ({ bob }) => bob('POST', ...grant({ to: 'agent/bob', paths: ['/a/b'] })), 400, 'grant-to-self'],
  [
    'a capability that there is not',
    ({ bob }) => bob('POST', ...grant({ capabilities: ['all'] })),
    400,
    'input-invalid',
    'capabilities',
  ],
  ['to nobody', ({ app }) => app.ask('POST', ...grant({ to: 'agent/nobody' })), 404, 'principal-unknown'],
  [
    'a session with more',
    ({ bob }) => bob('POST', '/api/sessions', { agent: 'agent/bob/sub', paths: ['/a'] }),
    403,
    'grant-widened',
    'paths',
  ],
]

const marks: readonly Row[] = [
  ['a blocked place', ({ app }) => app.ask('POST', ...write('/a/marked')), 403, 'tainted', '/a/marked'],
  ['its child', ({ app }) => app.ask('POST', set, setting('/a/marked/deep', 1)), 409, 'path-blocked'],
  ['its parent', ({ app }) => app.ask('POST', set, setting('/a', { b: 1 })), 403, 'tainted'],
  [
    'by a merge',
    ({ bob }) => bob('POST', '/api/merge', { source: 'feature/side', resolutions: { '/a/marked': 'theirs' }, ...why }),
    403,
    'tainted',
  ],
  ['by a speculation', ({ bob, ids }) => bob('POST', `/api/speculations/${ids['spec']}/commit`, why), 403, 'tainted'],
  ['by going back', ({ app, ids }) => app.ask('POST', '/api/rollback', { to: ids['before'], ...why }), 403, 'tainted'],
  ['by a revert', ({ bob, ids }) => bob('POST', '/api/revert', { commit: ids['changed'], ...why }), 403, 'tainted'],
  ['a read in quarantine', ({ bob }) => bob('GET', '/api/state/main?path=/a/b/hush'), 403, 'quarantined', '/a/b/hush'],
  ['a read of what is isolated', ({ eve }) => eve('GET', '/api/state/main?path=/a/kept'), 403, 'access-denied'],
  [
    'a release by who wrote it',
    ({ app, ids }) => app.ask('POST', `/api/access/taints/${ids['review']}/release`, { reason: 'r' }),
    403,
    'self-released',
  ],
  [
    'a release without the capability',
    ({ bob, ids }) => bob('POST', `/api/access/taints/${ids['block']}/release`, { reason: 'r' }),
    403,
    'access-denied',
    'release',
  ],
  [
    'a release of nothing',
    ({ ann }) => ann('POST', '/api/access/taints/none/release', { reason: 'r' }),
    404,
    'taint-unknown',
  ],
  [
    'a mark without a reason',
    ({ ann }) => ann('POST', '/api/access/taints', { path: '/z', effect: 'warn' }),
    400,
    'input-invalid',
    'reason',
  ],
  ...['2020-01-01T00:00:00Z', '9999999-01-01T00:00:00Z', '2027-02-30T00:00:00Z', '2027-01-01T00:00:00', 'tomorrow'].map(
    (expires): Row => [
      `an end at ${expires}`,
      ({ ann }) => ann('POST', '/api/access/taints', taint(expires)),
      400,
      'time-invalid',
      'expires',
    ],
  ),
]

const decisions: readonly Row[] = [
  [
    "approving what is one's own",
    ({ bob, ids }) => bob('POST', `/api/proposals/${ids['mine']}/approve`, { reason: 'r' }),
    403,
    'self-approved',
  ],
  [
    'approving what has lapsed',
    ({ ann, ids }) => ann('POST', `/api/proposals/${ids['lapsed']}/approve`, { reason: 'r' }),
    409,
    'proposal-lapsed',
  ],
  [
    'approving without a reason',
    ({ ann, ids }) => ann('POST', `/api/proposals/${ids['mine']}/approve`, {}),
    400,
    'input-invalid',
    'reason',
  ],
  [
    'approving without the capability',
    ({ eve, ids }) => eve('POST', `/api/proposals/${ids['mine']}/approve`, { reason: 'r' }),
    404,
    'proposal-unknown',
  ],
  [
    'ratifying nothing',
    ({ ann }) => ann('POST', '/api/access/policies/none/ratify', { reason: 'r' }),
    404,
    'rule-unknown',
  ],
  [
    'a rule with a selector too many',
    ({ ann }) => ann('POST', '/api/access/policies', { name: 'n', effect: 'deny', when: { paht: ['/'] } }),
    400,
    'input-invalid',
    'when.paht',
  ],
  ['freezing nothing', ({ app }) => app.ask('POST', '/api/access/freeze', { reason: 'r' }), 400, 'target-invalid'],
  [
    'freezing two things',
    ({ app }) => app.ask('POST', '/api/access/freeze', { principal: 'agent/bob', branch: 'main', reason: 'r' }),
    400,
    'target-invalid',
  ],
  [
    'thawing what is not frozen',
    ({ app }) => app.ask('POST', '/api/access/thaw', { branch: 'main', reason: 'r' }),
    409,
    'not-frozen',
  ],
  [
    'a second principal of one name',
    ({ app }) => app.ask('POST', '/api/access/principals', { id: 'agent/bob' }),
    409,
    'principal-exists',
  ],
  [
    'the name of the operator',
    ({ app }) => app.ask('POST', '/api/access/principals', { id: 'operator' }),
    400,
    'principal-invalid',
  ],
  ["authorising one's own intent", selfAuthorized, 403, 'access-denied', 'approve'],
]

async function selfAuthorized({ bob }: People): Promise<Answer> {
  return bob('POST', '/api/access/intents/work%20of%20agent%2Fbob/authorize', { reason: 'r' })
}

describe.each([
  ['identity', identity],
  ['places', places],
  ['delegation', delegation],
  ['marks', marks],
  ['decisions', decisions],
])('%s', (_title, rows) => {
  test.each(rows.map(row => [row[0], row] as const))('%s', async (_what, [, ask, status, code, says]) => {
    const before = await storeOf(people)
    expectRefusal(await ask(people), status, code, says)
    expect(await storeOf(people)).toEqual(before)
  })
})

test('a change under review waits for somebody, however sure its author is', async () => {
  const { bob } = people
  for (const more of [{}, { confidence: 1 }]) {
    expectRefusal(await bob('POST', ...write('/a/seen', more)), 403, 'approval-required', 'proposal')
  }
})

test('what is in quarantine is absent from a search, and marks mean their places exactly', async () => {
  const { app, ann } = people
  const { body } = await app.ask('POST', '/api/access/taints', { path: '/p%_Q', effect: 'block', reason: 'r' })
  expect(body['path']).toBe('/p%_Q')
  expect((await ann('POST', ...write('/pxyQ'))).status).toBe(200)
  expect((await ann('POST', ...write('/p%_q'))).status).toBe(200)
  expectRefusal(await ann('POST', ...write('/p%_Q')), 403, 'tainted')
  const found = await people.bob('GET', '/api/state/main/search?text=classified')
  expect([found.status, found.text.includes('classified')]).toEqual([200, false])
})

test('refusals are counted', async () => {
  const { body } = await people.app.ask('GET', '/api/access/refusals?principal=agent/bob')
  const rules = (body['items'] as unknown as readonly { readonly rule: string }[]).map(({ rule }) => rule)
  expect(rules).toContain('access-denied')
  expect(await access(await people.app.host.context({}).repo()).refusals()).not.toEqual([])
})

/** Where every ref is, but for the list of refusals. */
async function storeOf({ app }: People): Promise<unknown> {
  const repo = await app.host.context({}).repo()
  const refs = await repo.handle.journal.log.refs('')
  return refs.filter(({ name }) => name !== 'system/refusals')
}
