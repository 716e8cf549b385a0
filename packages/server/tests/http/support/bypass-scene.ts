/** The store that the table of bypasses asks over HTTP, and those who ask: each with a key of their own. */
import { access, type Capability } from 'agentstategraph/access'
import { plans } from 'agentstategraph/plans'
import { type Answer, setting, type TestApp } from './open-app.ts'
import { type Ask, addPrincipal, openPeopled } from './principals.ts'

export const SECRET = 'classified'
export const set = '/api/state/main/set'

/** An attempt, and the code of the refusal. */
export type Row = readonly [name: string, code: string, attempt: (scene: HttpScene) => Promise<Answer>]

export interface HttpScene {
  readonly app: TestApp
  /** Works below `/a/b` on `main` and `feature/*`, and reads nothing else. */
  readonly bob: Ask
  /** May decide. */
  readonly ann: Ask
  /** May do everything that deciding and delegating take, and tries to do both alone. */
  readonly pup: Ask
  /** The commit that main is at, which bob may not read. */
  readonly head: string
}

const everything = ['read', 'propose', 'commit', 'grant', 'approve', 'policy', 'release', 'taint'] as const

export async function bypassScene(): Promise<HttpScene> {
  const { app, bob, ann } = await openPeopled()
  const pup = await addPrincipal(app, 'agent/pup', { capabilities: everything, depth: 4 })
  const secret = `/a/${SECRET}`
  await app.ask('POST', '/api/access/intents', { id: 'plan', description: SECRET })
  await app.ask('POST', '/api/access/policies', { name: 'r', effect: 'deny', when: { paths: [secret] } })
  await app.ask('POST', '/api/access/taints', { path: `/**/${SECRET}`, effect: 'warn', reason: SECRET })
  await app.ask('POST', '/api/branches', { name: 'feature/two' })
  await app.ask('POST', '/api/state/feature/two/set', setting(secret, 1))
  const repo = await app.host.context({}).repo()
  const plan = await plans(repo).create('work')
  await plan.add({ title: 'Ship' })
  await plan.take({ id: 't-1' })
  for (const [effect, path] of [
    ['deny', '/guarded'],
    ['require-approval', '/asked'],
  ] as const) {
    const when = { agents: ['agent/pup'], paths: [path] }
    const rule = await access(repo).proposePolicy({ name: `${effect}-pup`, effect, when })
    await ann('POST', `/api/access/policies/${rule.id}/ratify`, { reason: 'Agreed' })
  }
  const why = { description: SECRET, reasoning: SECRET, intent_id: 'rotate' }
  const { body } = await app.ask('POST', set, setting(secret, 2, why))
  return { app, bob, ann, pup, head: String(body['id']) }
}

/** A session of an agent that pup makes, with these rights. */
export async function puppetOf({ pup }: HttpScene, name: string, capabilities: readonly Capability[]): Promise<string> {
  const { body } = await pup('POST', '/api/sessions', { agent: `agent/pup/${name}`, capabilities })
  return String(body['id'])
}

/** The code of an answer, or its status. */
export function codeOf({ status, body }: Answer): string {
  return status < 400 ? `${status}` : String(body?.['code'])
}
