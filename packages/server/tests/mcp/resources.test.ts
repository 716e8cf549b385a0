import type { Client } from '@modelcontextprotocol/client'
import { epochs } from 'agentstategraph/trust'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { connectTo, eras, mountOn, tell } from './support/mcp-connection.ts'
import { connectOverPipe } from './support/mcp-pipe.ts'

let host: StoreHost
beforeEach(async () => {
  host = await openHost(undefined)
})
afterEach(() => host.close())

const repoOf = () => host.context({ agent: 'human/ada' }).repo()

async function read(client: Client, uri: string): Promise<unknown> {
  const { contents } = await client.readResource({ uri })
  const [content] = contents
  return content !== undefined && 'text' in content ? JSON.parse(content.text) : undefined
}

describe.each(eras)('in %s', era => {
  test('states, commits and epochs are read by their addresses', async () => {
    const repo = await repoOf()
    const { id } = await repo.set('/a/b', { at: new Date(0) }, 'Begin')
    await (await repo.branch('feature/net')).set('/a/x~1y', 'z', 'Try')
    await epochs(repo).create('2026-04', 'Recovery', { rootIntents: [] })
    const client = await connectTo(mountOn(host), { era })
    expect(await read(client, 'state://main/a/b')).toEqual({ at: { $date: '1970-01-01T00:00:00.000Z' } })
    expect(await read(client, 'state://main')).toHaveProperty('a')
    expect(await read(client, 'state://feature%2Fnet/a/x%2Fy')).toBe('z')
    expect(await read(client, `state://${id}/a`)).toHaveProperty('b')
    expect(await read(client, `commit://${id}`)).toMatchObject({
      id,
      agent: 'human/ada',
      intent: { description: 'Begin' },
    })
    expect(await read(client, 'epoch://2026-04')).toMatchObject({ id: '2026-04', status: 'open' })
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'state://{ref}/{+path}',
      'state://{ref}',
      'commit://{id}',
      'epoch://{id}',
    ])
    const { resources } = await client.listResources()
    const places = resources.map(({ uri }) => uri).filter(uri => !uri.startsWith('commit:'))
    expect(places.sort()).toEqual(['epoch://2026-04', 'state://feature%2Fnet', 'state://main'])
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `commit://${id}`, name: `Commit ${id.slice(0, 12)}` }),
    )
  })

  test.each([
    'state://main/nothing',
    'state://nowhere/a',
    'commit://main',
    `commit://${'0'.repeat(64)}`,
    'epoch://none',
    'file:///etc/passwd',
    'state://main/%ff',
    'not a uri',
  ])('%s is not there, and says so', async uri => {
    await (await repoOf()).set('/a', 1, 'Begin')
    const client = await connectTo(mountOn(host), { era })
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
  })
})

test('what a commit names may be kept for long, what a branch names may not', async () => {
  const { id } = await (await repoOf()).set('/a', 1, 'Begin')
  const client = await connectTo(mountOn(host))
  const ttl = async (uri: string) => (await client.readResource({ uri }))['ttlMs']
  expect(await ttl(`commit://${id}`)).toBeGreaterThan(86_400_000)
  expect(await ttl(`state://${id}/a`)).toBeGreaterThan(86_400_000)
  expect(await ttl('state://main/a')).toBe(0)
})

describe('a followed resource', () => {
  /** Follows in whichever way the client can, and collects what it is told. */
  async function follow(client: Client, uris: readonly string[]) {
    const told: string[] = []
    let wake = () => {}
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      told.push(params.uri)
      wake()
    })
    const subscription =
      client.getNegotiatedProtocolVersion() === '2026-07-28'
        ? await client.listen({ resourceSubscriptions: [...uris] })
        : await Promise.all(uris.map(uri => client.subscribeResource({ uri }))).then(() => undefined)
    return {
      subscription,
      async next(): Promise<string> {
        while (told.length === 0)
          await new Promise<void>(resolve => {
            wake = resolve
          })
        return told.shift()!
      },
    }
  }

  const ways = [
    ['over HTTP', (at: StoreHost) => connectTo(mountOn(at))],
    ['over stdio', (at: StoreHost) => connectOverPipe(at)],
    ['over stdio in the older protocol', (at: StoreHost) => connectOverPipe(at, { era: '2025-11-25' })],
  ] as const

  test.each(ways)('%s tells of changes at it, above it and below it, and of nothing else', async (_, connect) => {
    const repo = await repoOf()
    await repo.set('/a', { b: { c: 1 } }, 'Begin')
    const client = await connect(host)
    const { next } = await follow(client, ['state://main/a/b', 'epoch://e1'])
    await repo.set('/z', 1, 'Elsewhere')
    await repo.set('/a/b/c', 2, 'Below')
    expect(await next()).toBe('state://main/a/b')
    await (await repo.branch('side')).set('/a/b', 1, 'On another branch')
    await epochs(repo).create('e1', 'An epoch', { rootIntents: [] })
    expect(await next()).toBe('epoch://e1')
    await repo.set('/a', 5, 'Above')
    expect(await next()).toBe('state://main/a/b')
    await client.close()
  })

  test('writes through tools are told as well, and none is told to a client that left', async () => {
    const mount = mountOn(host)
    const client = await connectTo(mount)
    await tell(client, 'set', { path: '/a', value: 0, description: 'Begin' })
    const { next, subscription } = await follow(client, ['state://main/a'])
    await tell(client, 'set', { path: '/a', value: 1, description: 'One' })
    expect(await next()).toBe('state://main/a')
    await subscription?.close()
    expect(await subscription?.closed).toBe('local')
    await client.close()
  })

  test('a server that shuts down ends the streams, and answers what it is asked meanwhile', async () => {
    const mount = mountOn(host)
    const client = await connectTo(mount)
    await tell(client, 'set', { path: '/a', value: 0, description: 'Begin' })
    const { subscription } = await follow(client, ['state://main/a'])
    const asked = tell(client, 'set', { path: '/a', value: 1, description: 'One' })
    await mount.close()
    expect(await subscription?.closed).toBe('graceful')
    expect((await asked).isError).toBe(false)
  })

  test('over HTTP in the older protocol nothing can be followed, and the server does not claim it', async () => {
    const client = await connectTo(mountOn(host), { era: '2025-11-25' })
    expect(client.getServerCapabilities()?.resources?.subscribe).toBe(false)
  })
})
