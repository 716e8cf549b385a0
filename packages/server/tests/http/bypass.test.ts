/** The table of bypasses over HTTP: what a limited key asks for, and what no answer to it may hold. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, setting, type TestApp } from './support/open-app.ts'
import { type Ask, openPeopled } from './support/principals.ts'

const SECRET = 'classified'
const set = '/api/state/main/set'
let app: TestApp
let bob: Ask
let head: string

beforeAll(async () => {
  const opened = await openPeopled()
  app = opened.app
  bob = opened.bob
  const secret = `/a/${SECRET}`
  await app.ask('POST', '/api/access/intents', { id: 'plan', description: SECRET })
  await app.ask('POST', '/api/access/policies', { name: 'r', effect: 'deny', when: { paths: [secret] } })
  await app.ask('POST', '/api/access/taints', { path: `/**/${SECRET}`, effect: 'warn', reason: SECRET })
  await app.ask('POST', '/api/branches', { name: 'feature/two' })
  await app.ask('POST', '/api/state/feature/two/set', setting(secret, 1))
  const why = { description: SECRET, reasoning: SECRET }
  head = String((await app.ask('POST', set, setting(secret, 2, why))).body['id'])
})
afterAll(() => app.close())

/** What is asked for. */
const questions: readonly (readonly [name: string, ask: () => Promise<Answer>])[] = [
  ['an intent that another proposed', () => bob('GET', '/api/intents/main?intent=plan')],
  ['the intents that were proposed', () => bob('GET', '/api/access/intents')],
  ['the rules', () => bob('GET', '/api/access/policies')],
  ['the taints', () => bob('GET', '/api/access/taints')],
  ['the log', () => bob('GET', '/api/log/main')],
  ['a blame', () => bob('GET', '/api/blame/main?path=/a/b/x')],
  ['the branches', () => bob('GET', '/api/branches')],
  ['the numbers of the whole', () => bob('GET', '/api/stats/main')],
  ['the metrics', () => bob('GET', '/metrics')],
]

test.each(questions)('%s tells nothing that is hidden', async (_name, ask) => {
  const { text } = await ask()
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('"root"')
  expect(text.replaceAll(/"parents":\[[^\]]*\]/g, '')).not.toContain(head)
})

test('a write that changes nothing tells of a hidden head only that it is there', async () => {
  const { status, text } = await bob('POST', set, setting('/a/b/x', 1))
  expect([status, text.includes(SECRET), text.includes('"root"')]).toEqual([200, false, false])
})

test('policies of a merge do not tell which hidden key conflicts', async () => {
  const asked = async (key: string): Promise<string> => {
    const body = { source: 'feature/two', target: 'main', policies: { [`/a/${key}`]: 'ours' } }
    const { status, text } = await bob('POST', '/api/merge/preview', body)
    return `${status} ${text.replaceAll(key, 'KEY')}`
  }
  expect(await asked(SECRET)).toBe(await asked('nowhere'))
})

test.each([
  [
    'a taint whose pattern takes for ever',
    '/api/access/taints',
    { effect: 'warn', reason: 'r' },
    400,
    'pattern-invalid',
  ],
  ['encrypted text of elsewhere', set, { value: { $sealed: ['k', '/{subject}', 'AAAA'] } }, 400, 'tag-invalid'],
])('%s is refused', async (_name, route, body, status, code) => {
  const path = route === set ? '/a/b/x' : `/a/b${'/**/a'.repeat(14)}`
  const answer = await bob('POST', route, { path, ...body, ...(route === set ? { description: 'Try' } : {}) })
  expect([answer.status, answer.body['code']]).toEqual([status, code])
})
