import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { memory, sqlite } from 'agentstategraph/backends'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { digestOf } from './operator-token.ts'
import { openHost, type StoreHost } from './store-host.ts'

let host: StoreHost
beforeEach(async () => {
  host = await openHost(undefined, { token: digestOf('the token') })
  await host.context({}).storeAdmin.createNamespace('tenant')
})
afterEach(() => host.close())

async function keyOf(principal: string, namespace?: string): Promise<string> {
  const control = access(await host.context({}).repo(namespace))
  const { key } = await control.addPrincipal(principal, 'agent')
  await control.grant(principal, { capabilities: ['read', 'commit'] })
  return key
}

describe('who a caller is', () => {
  test('without a key, and with the token, the operator; only without one, under any name', async () => {
    expect(await host.identify({ agent: 'human/ann' })).toMatchObject({ principal: 'operator', agent: 'human/ann' })
    const byToken = await host.identify({ key: 'the token', agent: 'human/ann' })
    expect(byToken).toMatchObject({ principal: 'operator', agent: 'operator' })
  })

  test('with a key, its principal and nobody else', async () => {
    const key = await keyOf('agent/bob')
    expect(await host.identify({ key, agent: 'root' })).toMatchObject({ principal: 'agent/bob', agent: 'agent/bob' })
    const repo = await host.context({ key, agent: 'root' }).repo()
    expect((await repo.set('/a', 1, 'Because')).agent).toBe('agent/bob')
  })

  test('with a key that is wrong or was revoked, nobody', async () => {
    const key = await keyOf('agent/bob')
    const refused = (given: string) =>
      expect(host.identify({ key: given })).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await host.identify({ key })).toMatchObject({ principal: 'agent/bob' })
    await refused(`${key}x`)
    await refused('nonsense')
    const control = access(await host.context({}).repo())
    await control.revokeKey(key.split('_')[1]!, 'It leaked', { descendants: false })
    await refused(key)
    await expect(host.context({ key }).repo()).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})

test('a principal reaches its own namespace, and cannot tell whether there are others', async () => {
  const key = await keyOf('agent/bob', 'tenant')
  const mine = host.context({ key })
  await (await mine.repo()).set('/a', 'of the tenant', 'Because')
  expect(await (await host.context({}).repo('tenant')).get('/a')).toBe('of the tenant')
  expect(await mine.namespaces()).toEqual(['tenant'])
  for (const namespace of ['default', 'nowhere']) {
    await expect(mine.repo(namespace)).rejects.toMatchObject({ code: 'namespace-not-found' })
  }
  await expect(mine.storeAdmin.createNamespace('x')).rejects.toMatchObject({ code: 'access-unavailable' })
  await expect(mine.storeAdmin.deleteNamespace('default')).rejects.toMatchObject({ code: 'access-unavailable' })
})

test('a key is of no use once its namespace is gone', async () => {
  const key = await keyOf('agent/bob', 'tenant')
  expect(await host.identify({ key })).toMatchObject({ home: 'tenant' })
  await host.context({}).storeAdmin.deleteNamespace('tenant')
  await expect(host.identify({ key })).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a key, right or wrong, opens no namespace but its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'host-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'state.db')
  await using first = await open(file, { namespace: 'tenant' })
  const { key } = await access(first).addPrincipal('agent/bob', 'agent')
  await using backend = sqlite(file)
  // A namespace that cannot be opened: whoever tries to fails.
  const entry = { text: '{"v":99}', leaf: 'A'.repeat(43), parts: [] }
  await backend.namespace('broken').append({ time: 1, entries: [entry], moves: [] })
  const strange = async (namespace: string): Promise<string> => {
    await using store = memory()
    return (await access(await open(store, { namespace })).addPrincipal('agent/eve', 'agent')).key
  }
  const filed = await openHost(file)
  onTestFinished(() => filed.close())
  await expect(filed.context({}).repo('broken')).rejects.toMatchObject({ code: 'object-corrupt' })
  expect(await filed.identify({ key })).toMatchObject({ home: 'tenant' })
  for (const wrong of [await strange('broken'), await strange('nowhere'), await strange('tenant'), 'nonsense']) {
    await expect(filed.identify({ key: wrong })).rejects.toMatchObject({ code: 'unauthenticated' })
  }
})

test('a key that another process makes is known at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'host-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'state.db')
  const filed = await openHost(file)
  onTestFinished(() => filed.close())
  await using elsewhere = await open(file, { namespace: 'made elsewhere' })
  const { key } = await access(elsewhere).addPrincipal('agent/bob', 'agent')
  expect(await filed.identify({ key })).toMatchObject({ home: 'made elsewhere' })
  const [{ id }] = (await access(elsewhere).keys()) as unknown as readonly [{ id: string }]
  const next = await access(elsewhere).rotateKey(id, 'Handed over', { descendants: true })
  expect(await filed.identify({ key: next.key })).toMatchObject({ home: 'made elsewhere' })
  await expect(filed.identify({ key })).rejects.toMatchObject({ code: 'unauthenticated' })
})

describe('a session', () => {
  test('gives its repository to whom it concerns, and to nobody else', async () => {
    const [bob, eve] = [await keyOf('agent/bob'), await keyOf('agent/eve')]
    const control = access(await host.context({}).repo())
    const { id } = await control.openSession({ agent: 'agent/bob', scope: { paths: ['/a'] } })
    const repo = await host.context({ key: bob, trace: 'trace-1' }).repo(undefined, id)
    expect(await repo.set('/a', 1, 'Because')).toMatchObject({ agent: 'agent/bob', session: id, trace: 'trace-1' })
    await expect(repo.set('/b', 1, 'Because')).rejects.toMatchObject({ code: 'access-denied' })
    for (const session of [id, 'nothing']) {
      await expect(host.context({ key: eve }).repo(undefined, session)).rejects.toMatchObject({
        code: 'session-unknown',
      })
    }
  })

  test('proposes where its caller may only propose', async () => {
    const control = access(await host.context({}).repo())
    const { id } = await control.openSession({ agent: 'agent/bob' })
    const proposing = await host.context({ mode: 'propose' }).repo(undefined, id)
    await expect(proposing.set('/a', 1, 'Because')).rejects.toMatchObject({ code: 'approval-required' })
    await expect(access(proposing).openSession({ agent: 'agent/sub' })).rejects.toMatchObject({
      code: 'proposal-impossible',
    })
  })
})

test('a commit carries the client and the trace', async () => {
  const repo = await host.context({ client: { name: 'robot', version: '2' }, trace: 'trace-1' }).repo()
  const { intent, trace } = await repo.set('/a', 1, { description: 'Because', tags: ['own'] })
  expect([intent.tags, trace]).toEqual([['client:robot/2', 'own'], 'trace-1'])
})

test('a file that is no store is told when it is opened', async () => {
  await expect(openHost(import.meta.url)).rejects.toMatchObject({ code: 'not-a-store' })
})
