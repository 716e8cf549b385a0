/** An app with people in it: each asks with a key of their own. */
import { access, type GrantSpec } from 'agentstategraph/access'
import { type Answer, openApp, setting, type TestApp } from './open-app.ts'

export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>

/** A principal with a key, and what it was granted. */
export async function addPrincipal(app: TestApp, id: string, spec?: GrantSpec, namespace?: string): Promise<Ask> {
  const control = access(await app.host.context({}).repo(namespace))
  const { key } = await control.addPrincipal(id, 'agent')
  if (spec !== undefined) await control.grant(id, spec)
  return (method, path, body) => app.ask(method, path, body, { authorization: `Bearer ${key}` })
}

/** A store with `/a/b`, `/a/b-secret` and a hidden branch; bob works below `/a/b`, ann decides, eve may do nothing there. */
export async function openPeopled(): Promise<{ app: TestApp; bob: Ask; ann: Ask; eve: Ask }> {
  const app = await openApp()
  const a = { b: { x: 1, y: 1 }, 'b-secret': 'classified', marked: 1, seen: 1, kept: 'classified' }
  await app.ask('POST', '/api/state/main/set', setting('/a', a))
  await app.ask('POST', '/api/branches', { name: 'hidden' })
  await app.ask('POST', '/api/state/hidden/set', setting('/a/b/x', 'classified'))
  const work = ['read', 'commit', 'propose', 'branch', 'merge', 'grant'] as const
  const bob = await addPrincipal(app, 'agent/bob', {
    capabilities: work,
    branches: ['main', 'feature/*'],
    paths: ['/a/b', '/a/marked', '/a/seen'],
    depth: 2,
    expires: '2090-01-01T00:00:00Z',
  })
  const ann = await addPrincipal(app, 'human/ann', {
    capabilities: ['read', 'commit', 'approve', 'taint', 'release', 'policy'],
  })
  const eve = await addPrincipal(app, 'agent/eve', { capabilities: ['read', 'commit'], paths: ['/elsewhere'] })
  return { app, bob, ann, eve }
}
