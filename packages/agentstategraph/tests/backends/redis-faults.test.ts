/**
 * Redis behind a network that fails, and killed and started again: nothing that was acknowledged is lost or there twice, and what
 * was not acknowledged is there at most once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { redis } from '../../src/backends/redis/index.ts'
import { isStateError } from '../../src/core/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { hasRedis, type RedisServer, startRedis } from '../processes/redis-server.ts'
import { seeded } from '../store/support/seeded.ts'
import { type NetworkFault, startProxy } from './support/redis-proxy.ts'

const isSoak = process.env['ASG_SOAK'] === '1'
const faults: readonly NetworkFault[] = ['reply-lost', 'cut', 'half-sent', 'half-reply', 'late', 'silent']

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'asg-redis-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function newServer(): Promise<RedisServer> {
  const server = await startRedis(newFolder())
  onTestFinished(() => server.kill())
  return server
}

/** A client that connects again at once and as often as it takes. Silence ends a connection. */
function newClient(
  at: { readonly port: number } | { readonly path: string },
  retryStrategy: () => number | null = () => 2,
): Redis {
  const client = new Redis({
    ...('path' in at ? { path: at.path } : { port: at.port }),
    retryStrategy,
    maxRetriesPerRequest: null,
    socketTimeout: 300,
  })
  client.on('error', () => {})
  onTestFinished(() => client.disconnect())
  return client
}

interface Account {
  readonly acknowledged: string[]
  readonly unknown: string[]
}

/** Appends elements to a list that all writers share, one after the other. */
async function write(client: Redis, writer: string, count: number, onWritten = () => {}): Promise<Account> {
  const account: Account = { acknowledged: [], unknown: [] }
  let repo = await open(redis(client))
  for (let n = 0; n < count; n++) {
    const label = `${writer}.${n}`
    try {
      await repo.set('/list/-', label, `Append ${label}`)
      account.acknowledged.push(label)
      onWritten()
    } catch (error) {
      account.unknown.push(label)
      // A server that lost its newest entries has another journal than the one this handle has read.
      if (isStateError(error, 'journal-replaced')) repo = await open(redis(client))
      else if (!isStateError(error, 'outcome-unknown')) throw error
    }
  }
  // Closing a repository whose server is gone fails.
  if (account.unknown.length === 0) await repo.close()
  return account
}

/** Compares what a server holds with what its writers were told. Returns the list that they appended to. */
async function expectKept(
  server: RedisServer,
  accounts: readonly Account[],
  mayLose = false,
): Promise<readonly string[]> {
  const client = newClient({ path: server.socket })
  const repo = await open(redis(client))
  const list = (await repo.get('/list')) as string[]
  expect(list.length).toBe(new Set(list).size)
  const acknowledged = accounts.flatMap(account => account.acknowledged)
  if (!mayLose) expect(acknowledged.filter(label => !list.includes(label))).toEqual([])
  const known = new Set([...acknowledged, ...accounts.flatMap(({ unknown }) => unknown)])
  expect(list.filter(label => !known.has(label))).toEqual([])
  const commits = await repo.log()
  expect(commits.map(({ intent }) => intent.description).reverse()).toEqual(list.map(label => `Append ${label}`))
  expect((await verify(repo)).damage).toEqual([])
  await repo.close()
  return list
}

describe.skipIf(!hasRedis())('redis (skipped without an installed redis-server)', () => {
  it.each(faults)('each append is made once when every second batch meets: %s', async fault => {
    const server = await newServer()
    let batches = 0
    const proxy = await startProxy(server.socket, () => (batches++ % 2 === 0 ? fault : undefined))
    onTestFinished(proxy.close)
    const count = isSoak ? 118 : fault === 'silent' ? 2 : 12
    const account = await write(newClient(proxy), 'a', count)
    expect(account.acknowledged.length).toBe(count)
    expect(proxy.met.get(fault)).toBeGreaterThanOrEqual(count)
    await expectKept(server, [account])
  })

  it('writers on a network that fails at random lose nothing and repeat nothing', async () => {
    const server = await newServer()
    const random = seeded(31)
    const next = (): NetworkFault | undefined =>
      random() < 0.4 ? faults[Math.floor(random() * (isSoak ? faults.length : faults.length - 1))] : undefined
    const proxy = await startProxy(server.socket, next)
    onTestFinished(proxy.close)
    const accounts = await Promise.all(
      ['a', 'b', 'c'].map(writer => write(newClient(proxy), writer, isSoak ? 300 : 10)),
    )
    await expectKept(server, accounts)
  })

  it('a writer that loses its connection for good is told that the outcome is unknown, and its write is there once', async () => {
    const server = await newServer()
    let isBroken = false
    const proxy = await startProxy(server.socket, () => (isBroken ? 'reply-lost' : undefined))
    onTestFinished(proxy.close)
    const client = newClient(proxy, () => (isBroken ? null : 2))
    const first = await write(client, 'a', 1)
    isBroken = true
    const second = await write(client, 'b', 1)
    expect(second).toEqual({ acknowledged: [], unknown: ['b.0'] })
    expect(await expectKept(server, [first, second])).toEqual(['a.0', 'b.0'])
  })

  it.each([
    ['always', 'loses nothing and repeats nothing'],
    ['everysec', 'repeats nothing'],
  ])('with appendfsync %s a server that is killed and started again under its writers %s', async appendfsync => {
    const folder = newFolder()
    let server = await startRedis(folder, { appendfsync })
    onTestFinished(() => server.kill())
    const random = seeded(47)
    const kills = isSoak ? 20 : 3
    let written = 0
    let wake = (): void => {}
    const onWritten = (): void => {
      written++
      wake()
    }
    const client = (): Redis => newClient({ path: server.socket })
    const writers = ['a', 'b'].map(writer => write(client(), writer, kills * 12, onWritten))
    for (let kill = 1; kill <= kills; kill++) {
      const until = kill * 12 + Math.floor(random() * 8)
      while (written < until) await new Promise<void>(resolve => (wake = resolve))
      await server.kill()
      server = await startRedis(folder, { appendfsync })
    }
    // Up to a second of what was acknowledged may not be on the disk yet.
    await expectKept(server, await Promise.all(writers), appendfsync === 'everysec')
  })
})
