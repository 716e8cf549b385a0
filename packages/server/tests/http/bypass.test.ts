/** The table of bypasses over HTTP: what a limited key asks for, and what no answer to it may hold. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { topics } from './support/bypass-cases.ts'
import { bypassScene, codeOf, type HttpScene, SECRET, set } from './support/bypass-scene.ts'
import { type Answer, setting } from './support/open-app.ts'
import type { Ask } from './support/principals.ts'

let scene: HttpScene
let bob: Ask
beforeAll(async () => {
  scene = await bypassScene()
  bob = scene.bob
})
afterAll(() => scene.app.close())

describe.each(Object.entries(topics).flatMap(([topic, rows]) => ('tests' in rows ? [] : [[topic, rows] as const])))(
  'around %s',
  (_topic, rows) => {
    test.each(rows)('%s is refused: %s', async (_name, code, attempt) => {
      const repo = await scene.app.host.context({}).repo()
      const answer = await attempt(scene)
      expect(codeOf(answer), answer.text).toBe(code)
      expect(await repo.get('/a')).toMatchObject({ kept: SECRET, b: { x: 1 } })
    })
  },
)

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
  [
    'an intent proposed under an id that is taken',
    () => bob('POST', '/api/access/intents', { id: 'plan', description: 'Mine' }),
  ],
  ['a precondition on another head', () => bob('POST', set, setting('/a/b/x', 2, { only_if_head: 'f'.repeat(64) }))],
  ['a path that is not there', () => bob('GET', '/api/state/main?path=/a/b/nowhere')],
  ['the graph of commits', () => bob('GET', '/api/commit-graph/main')],
  ['a query', () => bob('POST', '/api/query/main', {})],
  ['a new speculation', () => bob('POST', '/api/speculations', {})],
  ['a tag at the head', () => bob('POST', '/api/tags', { name: 'feature/tag' })],
  ['a branch at the head', () => bob('POST', '/api/branches', { name: 'feature/three' })],
]

test.each(questions)('%s tells nothing that is hidden', async (_name, ask) => {
  const { text } = await ask()
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('"root"')
  expect(text).not.toContain(scene.head)
  expect(text).not.toContain(scene.head.slice(0, 12))
})

test('a write that changes nothing tells nothing of a hidden head', async () => {
  const { status, text } = await bob('POST', set, setting('/a/b/x', 1))
  expect([status, text.includes(SECRET), text.includes('"root"'), text.includes(scene.head)]).toEqual([
    200,
    false,
    false,
    false,
  ])
})

test('policies of a merge do not tell which hidden key conflicts', async () => {
  const asked = async (key: string): Promise<string> => {
    const body = { source: 'feature/two', target: 'main', policies: { [`/a/${key}`]: 'ours' } }
    const { status, text } = await bob('POST', '/api/merge/preview', body)
    return `${status} ${text.replaceAll(key, 'KEY')}`
  }
  expect(await asked(SECRET)).toBe(await asked('nowhere'))
})
