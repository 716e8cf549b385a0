/** The table of bypasses as requests: what nobody may get around to, tried with the keys of those who would. */
import { createHash } from 'node:crypto'
import { open } from 'agentstategraph'
import { exportRepository } from 'agentstategraph/maintenance'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, TestApp } from './support/open-app.ts'
import { openApp, setting } from './support/open-app.ts'
import { type Ask, addPrincipal } from './support/principals.ts'

interface Scene {
  readonly app: TestApp
  /** Holds what work and decisions take, and may hand it on. */
  readonly eve: Ask
  /** Works below `/team`. */
  readonly mallory: Ask
}
interface Claimed {
  readonly claim: string
  readonly task: { readonly id: string }
}
/** What it is, the code it is refused with, and the requests: all but the last succeed. */
type Row = readonly [what: string, code: string, attempt: (scene: Scene) => Promise<Answer>]

const set = '/api/state/main/set'
const work = ['read', 'commit', 'propose', 'branch', 'merge', 'grant', 'tag'] as const

let scene: Scene
beforeEach(async () => {
  const app = await openApp({ limits: { failuresPerMinute: 1000 } })
  await app.ask('POST', set, setting('/', { team: { a: 1 }, secret: { k: 's' } }))
  const decisions = ['approve', 'taint', 'release', 'policy'] as const
  const eve = await addPrincipal(app, 'agent/eve', { capabilities: [...work, ...decisions], depth: 4 })
  const mallory = await addPrincipal(app, 'agent/mallory', { capabilities: work, paths: ['/team'], depth: 2 })
  scene = { app, eve, mallory }
})
afterEach(() => scene.app.close())

/** The answer to a request that has to succeed. */
async function ok(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, text } = await answer
  expect(status, text).toBeLessThan(300)
  return body
}

/** The id of a session that eve opens for a puppet without a key. */
async function puppet(eve: Ask, agent = 'agent/eve/sock'): Promise<string> {
  const capabilities = ['read', 'commit', 'propose', 'approve', 'grant']
  return String((await ok(eve('POST', '/api/sessions', { agent, capabilities })))['id'])
}

/** The id of what a write became under a rule that asks for an approval. */
async function proposal(write: Promise<Answer>): Promise<string> {
  const { body, text } = await write
  expect(body['code'], text).toBe('approval-required')
  return String(body['data']!['proposal'])
}

/** An export of a history that mallory made up, with the name of its branch as that of a tag. */
async function madeUp(): Promise<string> {
  await using elsewhere = await open(undefined, { agent: 'agent/mallory' })
  await elsewhere.set('/', { team: { a: 1 }, secret: { k: 'made up' } }, 'Make it up')
  const lines: string[] = []
  for await (const line of exportRepository(elsewhere)) lines.push(line.trimEnd())
  const tagged = lines.slice(0, -1).map(line => line.replaceAll('"branch/main"', '"tag/t"'))
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
  const hash = tagged.reduce((before, line) => sha256(before + line), '')
  return [...tagged, JSON.stringify({ end: { hash, lines: tagged.length } })].join('\n')
}

const table: readonly Row[] = [
  [
    'a proposal in a session, approved by its opener',
    'self-approved',
    async ({ app, eve }) => {
      await ok(app.ask('POST', '/api/access/taints', { path: '/secret', effect: 'review', reason: 'Careful' }))
      const session = await puppet(eve)
      const id = await proposal(eve('POST', set, setting('/secret/k', 'x', { session })))
      return eve('POST', `/api/proposals/${id}/approve`, { reason: 'Fine' })
    },
  ],
  [
    'a proposal in a session, approved in another of the same opener',
    'self-approved',
    async ({ app, eve }) => {
      await ok(app.ask('POST', '/api/access/taints', { path: '/secret', effect: 'review', reason: 'Careful' }))
      const id = await proposal(eve('POST', set, setting('/secret/k', 'x', { session: await puppet(eve) })))
      const session = await puppet(eve, 'agent/eve/second')
      return eve('POST', `/api/proposals/${id}/approve`, { reason: 'Fine', session })
    },
  ],
  [
    'a taint on what was written in a session, released by its opener',
    'self-released',
    async ({ app, eve }) => {
      await ok(eve('POST', set, setting('/planted', 1, { session: await puppet(eve) })))
      const taint = { path: '/planted', effect: 'block', reason: 'Suspect' }
      const { id } = (await ok(app.ask('POST', '/api/access/taints', taint))) as unknown as { id: string }
      return eve('POST', `/api/access/taints/${id}/release`, { reason: 'Fine' })
    },
  ],
  [
    'an import of a made-up history under a tag',
    'access-denied',
    async ({ mallory }) => mallory('POST', '/api/import', { export: await madeUp() }),
  ],
  [
    'a branch at a tag of a made-up history',
    'access-denied',
    async ({ app, mallory }) => {
      await ok(app.ask('POST', '/api/import', { export: await madeUp() }))
      return mallory('POST', '/api/branches', { name: 'feature/b', from: 't' })
    },
  ],
  [
    'an observation of what others wrote elsewhere',
    'access-denied',
    async ({ app, mallory }) => {
      const { items } = (await ok(app.ask('GET', '/api/log/main'))) as unknown as { items: readonly { id: string }[] }
      return mallory('POST', '/api/observations', { commit: items[0]!.id, held: false })
    },
  ],
  [
    'a session for a delegated intent of others',
    'access-denied',
    async ({ app, eve }) => {
      await ok(app.ask('POST', '/api/sessions', { agent: 'agent/x', intent: 'recover' }))
      return eve('POST', '/api/sessions', { agent: 'agent/eve/sock', intent: 'recover' })
    },
  ],
  [
    'a task of others given back with the id of their claim',
    'lease-lost',
    async ({ app }) => {
      await ok(app.ask('POST', '/api/plans', { name: 'p' }))
      await ok(app.ask('POST', '/api/plans/p/tasks', { title: 'Work' }))
      const { claim, task } = (await ok(app.ask('POST', '/api/plans/p/claim', {}))) as unknown as Claimed
      const planner = await addPrincipal(app, 'agent/planner', { capabilities: work, paths: ['/_plans'] })
      return planner('POST', `/api/plans/p/tasks/${task.id}/release`, { claim })
    },
  ],
  [
    'a key that was made with a leaked key, after its owner rotated that one',
    'unauthenticated',
    async ({ app, eve }) => {
      const { items } = (await ok(eve('GET', '/api/admin/keys'))) as unknown as { items: readonly { id: string }[] }
      const made = await ok(eve('POST', '/api/admin/keys', { principal: 'agent/eve' }))
      const rotation = { id: items[0]!.id, reason: 'Leaked', descendants: true }
      const { key } = (await ok(eve('POST', '/api/admin/keys/rotate', rotation))) as unknown as { key: string }
      await ok(app.ask('GET', '/api/state/main', undefined, { authorization: `Bearer ${key}` }))
      return app.ask('GET', '/api/state/main', undefined, { authorization: `Bearer ${made['key']}` })
    },
  ],
  [
    'a session under a name of another kind',
    'principal-invalid',
    async ({ eve }) => eve('POST', '/api/sessions', { agent: 'human/bob' }),
  ],
  [
    'a change that a rule denies to agents of one name, made in a session of theirs',
    'rule-denied',
    async ({ app, eve }) => {
      const rule = { name: 'no', effect: 'deny', when: { agents: ['agent/eve'] } }
      const { id } = (await ok(app.ask('POST', '/api/access/policies', rule))) as unknown as { id: string }
      const judge = await addPrincipal(app, 'human/judge', { capabilities: ['policy'] })
      await ok(judge('POST', `/api/access/policies/${id}/ratify`, { reason: 'Agreed' }))
      return eve('POST', set, setting('/secret/k', 'x', { session: await puppet(eve) }))
    },
  ],
]

describe('around who acts', () => {
  test.each(table)('%s is refused with %s', async (_what, code, attempt) => {
    const { body, text } = await attempt(scene)
    expect(body?.['code'], text).toBe(code)
    expect((await scene.app.ask('GET', '/api/state/main?path=/secret')).body['value']).toEqual({ k: 's' })
  })
})
