/** The table of bypasses over HTTP: what a limited key asks for, and what no answer to it may hold. */
import { readFileSync } from 'node:fs'
import { open } from 'agentstategraph'
import { exportRepository } from 'agentstategraph/maintenance'
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
  ...['main', 'HEAD', 'main~0', 'main~1', 'main~2', 'main@{2090-01-01T00:00:00Z}', 'hidden~1'].flatMap(
    (ref): readonly (readonly [name: string, ask: () => Promise<Answer>])[] => {
      const at = encodeURIComponent(ref)
      return [
        [`a read of ${ref}`, () => bob('GET', `/api/state/${at}?path=/a/b/x`)],
        [`a tree of ${ref}`, () => bob('GET', `/api/state/${at}/tree?path=/a/b`)],
        [`the commit ${ref}`, () => bob('GET', `/api/commits/${at}`)],
        [`the log of ${ref}`, () => bob('GET', `/api/log/${at}`)],
        [`a difference to ${ref}`, () => bob('GET', `/api/diff?from=${at}&to=main`)],
        [`a revert of ${ref}`, () => bob('POST', '/api/revert', { commit: ref })],
        [`a cherry-pick of ${ref}`, () => bob('POST', '/api/cherry-pick', { commit: ref, ref: 'feature/two' })],
        [`a rollback to ${ref}`, () => bob('POST', '/api/rollback', { to: ref })],
        [`an observation of ${ref}`, () => bob('POST', '/api/observations', { commit: ref, held: true })],
        [
          `a branch at ${ref}`,
          () => bob('POST', '/api/branches', { name: `feature/${ref.replaceAll(/\W/g, '-')}`, from: ref }),
        ],
      ]
    },
  ),
]

test.each(questions)('%s tells nothing that is hidden', async (_name, ask) => {
  const answer = await ask()
  const text = `${answer.text} ${JSON.stringify([...answer.headers])}`
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

test('a hidden speculation is not told as an alternative', async () => {
  const repo = await scene.app.host.context({}).repo()
  const trial = await repo.on('hidden').speculate({ label: 'try' })
  await trial.set('/a/b/x', `${SECRET}!`)
  const alternatives = [{ label: 'that', speculation: trial.id }]
  const { text } = await bob('POST', set, setting('/a/b/y', 2, { alternatives }))
  expect(text + (await bob('GET', '/api/blame/main?path=/a/b/y&chain=true')).text).not.toContain(SECRET)
})

test('an import does not tell which hidden branches there are', async () => {
  const asked = async (name: string): Promise<string> => {
    await using made = await open(undefined, { agent: 'agent/bob' })
    await made.set('/a/b/x', 1, 'Mine')
    await made.branch(name)
    const lines = []
    for await (const line of exportRepository(made)) lines.push(line)
    const { status, text } = await bob('POST', '/api/import', { export: lines.join('') })
    return `${status} ${text.replaceAll(name, 'NAME')}`
  }
  expect(await asked('hidden')).toBe(await asked('nowhere'))
})

/** Bundles in which somebody acts without the right, with a key that was retired, or at a time that is none. */
const bundles =
  /^(access-node-edited|edit-principal|edit-authority|commit-with-a-time-of-(30-feb|hour-24)|rotated|.*retired)/
const folder = new URL('../../../../fixtures/bundles/', import.meta.url)

test('what a bundle claims is judged as the verifiers judge it', async () => {
  const { vectors } = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as {
    vectors: readonly { file: string; args: readonly string[]; exit: number }[]
  }
  const asked = vectors.filter(({ file }) => bundles.test(file) || file === 'good-authority.jsonl')
  expect(asked.length).toBeGreaterThan(8)
  for (const { file, args, exit } of asked) {
    const keys = args.flatMap((arg, n) =>
      args[n - 1] === '--key' ? [readFileSync(new URL(arg, folder), 'utf8').trim()] : [],
    )
    const bundle = readFileSync(new URL(file, folder), 'utf8')
    const { body } = await bob('POST', '/api/bundles/verify', { bundle, keys })
    expect({ file, isGood: body['failed'] === undefined }).toEqual({ file, isGood: exit === 0 })
  }
})
