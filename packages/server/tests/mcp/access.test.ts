/** Keys, sessions and proposals as a model meets them. */
import { access } from 'agentstategraph/access'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { connectTo, mountOn } from './support/mcp-connection.ts'

let host: StoreHost
beforeEach(async () => {
  host = await openHost(undefined)
})
afterEach(() => host.close())

const setting = (path: string, value: unknown, more = {}) => ({
  name: 'agentstategraph_set',
  arguments: { path, value, description: 'Try', ...more },
})

test('a session goes from call to call by its id, for the holder of the key alone', async () => {
  const control = access(await host.context({}).repo())
  const keys = new Map<string, string>()
  for (const id of ['agent/bob', 'agent/eve']) keys.set(id, (await control.addPrincipal(id, 'agent')).key)
  const operator = await connectTo(mountOn(host))
  const opened = await operator.callTool({
    name: 'agentstategraph_create_session',
    arguments: { agent: 'agent/bob', paths: ['/a'] },
  })
  const { id: session } = opened.structuredContent as { readonly id: string }
  const bob = await connectTo(mountOn(host), { caller: { key: keys.get('agent/bob') } })
  const eve = await connectTo(mountOn(host), { caller: { key: keys.get('agent/eve') } })
  const written = await bob.callTool(setting('/a', 1, { session }))
  const { id } = written.structuredContent as { readonly id: string }
  const made = await operator.callTool({ name: 'agentstategraph_get_commit', arguments: { id } })
  expect(made.structuredContent).toMatchObject({ agent: 'agent/bob', session })
  for (const chain of [false, true]) {
    const blamed = await operator.callTool({ name: 'agentstategraph_blame', arguments: { path: '/a', chain } })
    expect(blamed.structuredContent).toMatchObject({ delegation: [{ from: 'operator', to: 'agent/bob' }] })
  }
  for (const [client, call, code] of [
    [bob, setting('/b', 1, { session }), 'access-denied'],
    [bob, setting('/a', 2), 'access-denied'],
    [eve, setting('/a', 2, { session }), 'session-unknown'],
    [bob, setting('/a', 2, { agent: 'agent/eve' }), 'input-invalid'],
  ] as const) {
    const { isError, content } = await client.callTool(call)
    expect(isError).toBe(true)
    expect((content as readonly { readonly text: string }[])[0]!.text).toMatch(new RegExp(`^${code}: `))
  }
})

test('where writes are proposals, the model is told the id, and somebody else lets it land', async () => {
  const control = access(await host.context({}).repo())
  const { key } = await control.addPrincipal('human/ann', 'human')
  await control.grant('human/ann', { capabilities: ['read', 'approve'] })
  const model = await connectTo(mountOn(host), { caller: { agent: 'agent/model', mode: 'propose' } })
  const refused = await model.callTool(setting('/a', 1))
  const [{ text }] = refused.content as unknown as readonly [{ readonly text: string }]
  expect(text).toMatch(/^approval-required: /)
  const { proposal } = JSON.parse(text.slice(text.lastIndexOf('\n')))
  expect(text).toContain(`can approve ${proposal}; agentstategraph_get_proposal shows`)
  const ann = await connectTo(mountOn(host), { caller: { key } })
  const approved = await ann.callTool({
    name: 'agentstategraph_approve',
    arguments: { id: proposal, reason: 'Looks right' },
  })
  expect(approved.structuredContent).toMatchObject({ agent: 'agent/model', approval: { by: 'human/ann' } })
  expect(await (await host.context({}).repo()).get('/a')).toBe(1)
})
