/** What looks wrong and is not: taken as it is, and given back exactly. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, setting, type TestApp } from './support/open-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openApp()
  await app.ask('POST', '/api/state/main/set', setting('/map', { a: 1 }))
})
afterAll(() => app.close())

const read = (path: string) => app.ask('GET', `/api/state/main?path=${encodeURIComponent(path)}`)

test.each([
  ['an empty segment', '/q//b'],
  ['a slash at the end', '/q/'],
  ['dots', '/q/../b'],
  ['one dot', '/q/./b'],
  ['dots that are encoded', '/q/%2e%2e%2fb'],
  ['NUL, a line feed and a turn of direction', '/q\u0000\n\u202e'],
  ['a number in a map', '/map/0'],
  ['é as one character', '/caf\u00e9'],
  ['é as two characters', '/cafe\u0301'],
  ['the name of a method', '/constructor/prototype/toString'],
  ['__proto__', '/__proto__/x'],
])('the path with %s', async (what, path) => {
  const { status, text } = await app.ask('POST', '/api/state/main/set', setting(path, what))
  expect(status, text).toBe(200)
  expect((await read(path)).body).toMatchObject({ path, value: what })
  expect(({} as { x?: unknown }).x).toBeUndefined()
})

test('paths that only look alike are different places', async () => {
  expect((await read('/caf\u00e9')).body['value']).not.toEqual((await read('/cafe\u0301')).body['value'])
  expect((await read('/q/b')).status).toBe(404)
})

test('−0 stays −0', async () => {
  await app.ask('POST', '/api/state/main/set', '{"path":"/zero","description":"w","value":-0}')
  expect((await read('/zero')).text).toContain('"value":{"$number":"-0"}}')
})

test.each(['Whatever I call it', 'Taint', 'Migrate'])('the category %s is a word like any other', async category => {
  const { body } = await app.ask('POST', '/api/state/main/set', setting('/category', category, { category: category }))
  expect(body['intent']).toMatchObject({ category })
})

test('what was thought is kept whole up to 1 MiB, and refused beyond that, never cut', async () => {
  const thought = (bytes: number) =>
    app.ask('POST', '/api/state/main/set', setting('/thought', bytes, { reasoning: 'r'.repeat(bytes) }))
  const { body } = await thought(2 ** 16 + 1)
  const { body: kept } = await app.ask('GET', `/api/commits/${body['id']}`)
  expect(String(kept['reasoning'])).toHaveLength(2 ** 16 + 1)
  expect((await thought(2 ** 20 + 1)).body).toMatchObject({ status: 400, code: 'option-invalid' })
})

test('a map may have as many keys, and a text as many characters, as a body can hold', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, n]))
  expect((await app.ask('POST', '/api/state/main/set', setting('/many', many))).status).toBe(200)
  expect((await app.ask('POST', '/api/state/main/set', setting('/long', 'x'.repeat(2 ** 20 + 1)))).status).toBe(200)
  const beyond = await app.ask('POST', '/api/state/main/set', setting('/long', 'x'.repeat(2 ** 22)))
  expect(beyond.body).toMatchObject({ status: 413, code: 'body-too-large' })
})

test('a pattern to look for is a text', async () => {
  await app.ask('POST', '/api/state/main/set', setting('/pattern', '(a+)+$'))
  const { body } = await app.ask('GET', `/api/state/main/search?text=${encodeURIComponent('(a+)+$')}`)
  expect(body['items']).toEqual([expect.objectContaining({ path: '/pattern' })])
})

test('branches whose names differ by case are two branches', async () => {
  await app.ask('POST', '/api/branches', { name: 'Main' })
  await app.ask('POST', '/api/state/Main/set', setting('/only/here', 1))
  expect((await read('/only/here')).status).toBe(404)
})

test('an epoch without commits can be sealed, and a branch merged with itself changes nothing', async () => {
  await app.ask('POST', '/api/epochs', { id: 'quiet', description: 'd', root_intents: [] })
  const sealed = await app.ask('POST', '/api/epochs/seal', { id: 'quiet', summary: 's' })
  expect(sealed.body).toMatchObject({ status: 'sealed', commits: 0 })
  const before = (await read('/map')).body['commit']
  const merged = await app.ask('POST', '/api/merge', { source: 'main', description: 'w' })
  expect([merged.status, merged.body['id']]).toEqual([200, before])
})
