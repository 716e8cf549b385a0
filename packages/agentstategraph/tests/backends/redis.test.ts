/** Redis as a backend, on a real server: it keeps every contract, also with many keys, and says what is wrong with a server. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listBlocks } from '../../../../scripts/pages/page-blocks.mjs'
import { cache } from '../../src/backends/index.ts'
import { type RedisOptions, redis } from '../../src/backends/redis/index.ts'
import { redisStore } from '../../src/backends/redis/redis-store.ts'
import { verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import type { Backend } from '../../src/store/contract/backend.ts'
import { backendConformance, graphConformance, kvConformance, sampleEntry } from '../../src/testing/index.ts'
import { root } from '../architecture/support/source-file.ts'
import { runBlocks } from '../docs/support/run-blocks.ts'
import { hasRedis, type RedisServer, startRedis } from '../processes/redis-server.ts'
import { startProxy } from './support/redis-proxy.ts'

const isHere = hasRedis()

it('redis-server is there where it must be', () => {
  // Elsewhere the tests below say that they were skipped.
  if (process.env['CI']) expect(isHere, 'install redis-server: CI has to run these tests').toBe(true)
})

describe.skipIf(!isHere)('redis (skipped without an installed redis-server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-redis-'))
  let server: RedisServer
  let client: Redis
  let prefixes = 0
  // As hostile as a prefix can be: each of these means something in a pattern.
  const newPrefix = (): string => `[a-z]*?\\{${prefixes++}}:`
  const backendOn = (prefix: string, options: RedisOptions = {}): Backend => redis(client, { prefix, ...options })

  beforeAll(async () => {
    server = await startRedis(folder)
    client = new Redis({ path: server.socket, retryStrategy: () => 5 })
    client.on('error', () => {})
  })
  afterAll(async () => {
    client.disconnect()
    await server.kill()
    rmSync(folder, { recursive: true })
  })

  it('a clock that is ahead of the server writes nothing', async () => {
    const prefix = newPrefix()
    const ahead = await open(backendOn(prefix), { clock: () => new Date('2999-12-31T00:00:00.000Z') })
    await expect(ahead.set('/n', 1, 'Ahead')).rejects.toMatchObject({ code: 'clock-ahead', data: { of: 'store' } })
    const repo = await open(backendOn(prefix))
    await repo.set('/n', 1, 'In time')
    expect(await repo.get('/n')).toBe(1)
  })

  for (const { name, needs, run } of backendConformance) {
    it.skipIf(needs === 'sync')(name, () => {
      const prefix = newPrefix()
      return run({ open: () => backendOn(prefix, { pollMs: 5 }) })
    })
  }

  describe('as a key-value store', () => {
    for (const { name, run } of kvConformance) {
      it(name, () => {
        const prefix = newPrefix()
        return run({ open: () => redisStore({ client, close: async () => {} }, prefix) })
      })
    }
  })

  describe('under graphs', () => {
    for (const { name, run } of graphConformance) {
      it(name, () => {
        const prefix = newPrefix()
        return run({ open: () => open(backendOn(prefix)) })
      })
    }
  })

  it('writers of several connections lose nothing, and all of it is there after the server was killed', async () => {
    const prefix = newPrefix()
    const clients = [1, 2, 3].map(() => client.duplicate())
    const repos = await Promise.all(clients.map(one => open(redis(one, { prefix }))))
    await Promise.all(
      repos.map(async (repo, writer) => {
        for (let n = 0; n < 10; n++) await repo.set(['writers', `${writer}`, `${n}`], n, 'Count')
      }),
    )
    await Promise.all(repos.map(repo => repo.close()))
    for (const one of clients) one.disconnect()
    await server.kill()
    server = await startRedis(folder)
    await using repo = await open(cache(backendOn(prefix)))
    const each = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}`, n]))
    expect(await repo.get('/writers')).toEqual({ 0: each, 1: each, 2: each })
    expect((await repo.log()).length).toBe(30)
    expect((await verify(repo)).damage).toEqual([])
  })

  it('200,000 refs are written at once, listed, and dropped', async () => {
    const prefix = newPrefix()
    const backend = backendOn(prefix)
    const log = backend.namespace('main')
    const names = Array.from({ length: 200_000 }, (_, i) => `ref/${i.toString(36).padStart(4, '0')}`)
    const moves = names.map(name => ({ name, expect: null, to: { entry: 0 } }))
    const appended = await log.append({ time: 1, entries: [sampleEntry('a')], moves })
    expect(appended).toEqual({ kind: 'done', first: 1 })
    const refs = await log.refs('')
    expect(refs.length).toBe(200_000)
    expect(refs.every(({ name, seq }, i) => name === names[i] && seq === 1)).toBe(true)
    expect((await log.refs('ref/00')).length).toBe(36 ** 2)
    await backend.dropNamespace('main')
    expect(await log.refs('')).toEqual([])
    // The cell and the marks of the index are left, so that what is made again is told from what was dropped.
    expect((await client.keys(`*{${prefixes - 1}}:*`)).map(key => key.slice(prefix.length)).sort()).toEqual([
      'i/main',
      'n',
      'names/n',
    ])
  })

  it('a query is answered from the index, and a lookup from a sorted set: no command walks all keys', async () => {
    const prefix = newPrefix()
    const backend = backendOn(prefix)
    await using repo = await open(backend)
    for (let n = 0; n < 300; n++) await repo.as(`agent-${n % 7}`).set('/n', n, `Count ${n}`)
    await repo.handle.shared.index!.flush()
    const watcher = client.duplicate()
    onTestFinished(() => watcher.disconnect())
    const monitor = await watcher.monitor()
    const commands: string[] = []
    monitor.on('monitor', (_time: string, args: string[]) => commands.push(args[0]!.toLowerCase()))
    const found = await repo.query({ agent: 'agent-3', text: '10' })
    expect(found.map(({ intent }) => intent.description)).toEqual(['Count 10'])
    const { id } = await repo.head()
    expect((await repo.at(id.slice(0, 9)).head()).id).toBe(id)
    expect((await repo.branches()).length).toBe(1)
    await client.ping()
    while (!commands.includes('ping')) await new Promise(setImmediate)
    monitor.disconnect()
    expect(commands).toContain('zrangebylex')
    expect(commands.filter(name => /scan|^keys$|hgetall|hkeys|smembers/.test(name))).toEqual([])
    // The tail that is not indexed yet is short; the other entries are not read.
    expect(await backend.namespace('default').index!.mark()).toBeGreaterThan(200)
  })

  it('a server that evicts any key is refused when it is opened, and one that evicts only expiring ones is not', async () => {
    const prefix = newPrefix()
    for (const policy of ['allkeys-lru', 'allkeys-random']) {
      await client.config('SET', 'maxmemory-policy', policy)
      await expect(open(backendOn(prefix))).rejects.toMatchObject({ code: 'redis-unsafe', data: { prefix, policy } })
    }
    for (const policy of ['volatile-lru', 'noeviction']) {
      await client.config('SET', 'maxmemory-policy', policy)
      await (await open(backendOn(prefix))).close()
    }
    expect(await client.keys(`*{${prefixes - 1}}:*`)).toEqual([])
  })

  it('a server that is full refuses a write, keeps what it has, and takes writes again when it has room', async () => {
    await using repo = await open(backendOn(newPrefix()))
    await repo.set('/list/-', 1, 'First')
    await client.config('SET', 'maxmemory', '1')
    await expect(repo.set('/list/-', 2, 'Second')).rejects.toMatchObject({
      code: 'redis-failed',
      data: { reason: expect.stringMatching(/OOM/) },
    })
    expect(await repo.get('/list')).toEqual([1])
    await client.config('SET', 'maxmemory', '0')
    await repo.set('/list/-', 3, 'Third')
    expect(await repo.get('/list')).toEqual([1, 3])
  })

  async function clientWith(...rights: string[]): Promise<Redis> {
    await client.call('ACL', 'SETUSER', 'narrow', 'reset', 'on', 'nopass', 'allkeys', ...rights)
    const narrow = new Redis({ path: server.socket, username: 'narrow', password: 'x', enableReadyCheck: false })
    narrow.on('error', () => {})
    onTestFinished(() => narrow.disconnect())
    return narrow
  }

  it('an account that may not ask for the policy can use the server', async () => {
    await using repo = await open(redis(await clientWith('+@all', '-info'), { prefix: newPrefix() }))
    await repo.set('/a', 1, 'First')
    expect(await repo.get('/a')).toBe(1)
  })

  it('an account that may only read opens what is there with readOnly, and queries it', async () => {
    const prefix = newPrefix()
    await using repo = await open(backendOn(prefix))
    for (let n = 0; n < 100; n++) await repo.set('/n', n, `Count ${n}`)
    await using reader = await open(redis(await clientWith('+@read', '+@connection'), { prefix, readOnly: true }))
    expect((await reader.query({ text: '7' })).map(({ intent }) => intent.description)).toEqual(['Count 7'])
    await expect(reader.set('/n', 0, 'Reset')).rejects.toMatchObject({ code: 'read-only' })
  })

  it('an address is opened by open and closed with the repository, and a client that was given stays open', async () => {
    const proxy = await startProxy(server.socket, () => undefined)
    onTestFinished(proxy.close)
    const address = `redis://127.0.0.1:${proxy.port}/3`
    for (const store of [address, new URL(address)]) {
      const repo = await open(store)
      await repo.set('/a', 1, 'First')
      await repo.close()
    }
    const reader = await open(address, { readOnly: true })
    expect(await reader.get('/a')).toBe(1)
    await reader.close()
    await client.select(3)
    expect(await client.hkeys('{agentstategraph}:n')).toEqual(['default'])
    await client.select(0)
    const given = await open(backendOn(newPrefix()))
    await given.close()
    expect(await client.ping()).toBe('PONG')
  })

  it('a server that cannot be reached is named by the reason, and a closed backend says so', async () => {
    const nowhere = new Redis({ path: join(folder, 'nowhere.sock'), retryStrategy: null })
    nowhere.on('error', () => {})
    await expect(open(redis(nowhere))).rejects.toMatchObject({ code: 'redis-failed' })
    const backend = backendOn(newPrefix())
    await backend.close()
    await expect(backend.namespaces()).rejects.toMatchObject({ code: 'closed' })
  })

  it('the programs of docs/redis.md run and print what the page says', async () => {
    const proxy = await startProxy(server.socket, () => undefined)
    onTestFinished(proxy.close)
    const page = readFileSync(`${root}docs/redis.md`, 'utf8')
    const blocks = listBlocks('docs/redis.md', page).filter(({ language }) => language === 'typescript')
    expect(blocks.length).toBeGreaterThan(0)
    const local = (code: string): string => code.replaceAll('localhost:6379', `127.0.0.1:${proxy.port}`)
    const outcomes = await runBlocks(
      root,
      blocks.map(({ code }) => ({ language: 'ts', code: local(code) })),
    )
    expect(outcomes.map(({ failure }) => failure)).toEqual(blocks.map(() => undefined))
    expect(outcomes.map(({ printed }) => printed)).toEqual(blocks.map(({ printed }) => printed ?? ''))
  })
})
