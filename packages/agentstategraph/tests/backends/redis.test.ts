/** The example of a user's own store, on a real Redis: it keeps the whole contract, and what it took is there later. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cache, kvBackend } from '../../src/backends/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { type KVStore, open } from '../../src/repository/index.ts'
import { backendConformance } from '../../src/testing/index.ts'
import { root } from '../architecture/support/source-file.ts'
import { hasRedis, type RedisServer, startRedis } from '../processes/redis-server.ts'

type RedisStoreClass = new (redis: Redis, options?: { prefix?: string }) => KVStore
const isHere = hasRedis()

it('redis-server is there where it must be', () => {
  // Elsewhere the tests below say that they were skipped.
  if (process.env['CI']) expect(isHere, 'install redis-server: CI has to run these tests').toBe(true)
})

describe.skipIf(!isHere)('RedisStore (skipped without an installed redis-server)', async () => {
  const { RedisStore } = (await import(`${root}examples/redis-store.ts`)) as { RedisStore: RedisStoreClass }
  const folder = mkdtempSync(join(tmpdir(), 'asg-redis-'))
  let server: RedisServer
  let places = 0
  const newStore = (prefix: string): KVStore =>
    new RedisStore(new Redis({ path: server.socket, retryStrategy: null }), { prefix })
  // As hostile as a prefix can be: each of these means something in a pattern.
  const newPrefix = (): string => `[a-z]*?\\{${places++}}:`

  beforeAll(async () => {
    server = await startRedis(folder)
  })
  afterAll(async () => {
    await server.kill()
    rmSync(folder, { recursive: true })
  })

  for (const { name, needs, run } of backendConformance) {
    it.skipIf(needs === 'sync')(name, () => {
      const prefix = newPrefix()
      return run({ open: () => kvBackend(newStore(prefix), { pollMs: 5 }) })
    })
  }

  it('a batch is all or nothing, and any bytes are kept as they are', async () => {
    const store = newStore(newPrefix())
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    expect(await store.batch({ compareAndSet: [{ key: 'a', expect: undefined, value: bytes }] })).toBe(true)
    const put = new Map([['b', Uint8Array.of(1)]])
    for (const expected of [undefined, new Uint8Array(), bytes.slice(1)]) {
      const compareAndSet = [{ key: 'a', expect: expected, value: Uint8Array.of(2) }]
      expect(await store.batch({ put, delete: ['a'], compareAndSet })).toBe(false)
    }
    expect(await store.get('b')).toBeUndefined()
    expect(Uint8Array.from((await store.get('a'))!)).toEqual(bytes)
    await store.batch({ put: new Map([['empty', new Uint8Array()]]), delete: ['a', 'never there'] })
    expect((await store.getMany(['a', 'empty', 'b'])).map(found => found?.length)).toEqual([undefined, 0, undefined])
    await store.close()
  })

  it('lists what begins with a prefix, and a prefix is no pattern', async () => {
    const store = newStore(newPrefix())
    const other = newStore(newPrefix())
    const keys = ['x/*', 'x/?', 'x/ab', 'x/[a]', 'y/*', ...Array.from({ length: 2500 }, (_, i) => `many/${i}`)]
    await store.batch({ put: new Map(keys.map(key => [key, Uint8Array.of(1)])) })
    expect(await listed(store, 'x/')).toEqual(['x/*', 'x/?', 'x/[a]', 'x/ab'])
    expect(await listed(store, 'x/*')).toEqual(['x/*'])
    expect(await listed(store, 'x/[a')).toEqual(['x/[a]'])
    expect((await listed(store, 'many/')).length).toBe(2500)
    expect(await listed(other, '')).toEqual([])
    await store.close()
    await other.close()
  })

  it('writers of several connections lose nothing, and all of it is there after the server was killed', async () => {
    const prefix = newPrefix()
    const repos = await Promise.all([1, 2, 3].map(() => open(newStore(prefix))))
    await Promise.all(
      repos.map(async (repo, writer) => {
        for (let n = 0; n < 10; n++) await repo.set(['writers', `${writer}`, `${n}`], n, 'Count')
      }),
    )
    await Promise.all(repos.map(repo => repo.close()))
    await server.kill()
    server = await startRedis(folder)
    await using repo = await open(cache(newStore(prefix)))
    const each = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}`, n]))
    expect(await repo.get('/writers')).toEqual({ 0: each, 1: each, 2: each })
    expect((await repo.log()).length).toBe(30)
    expect((await verify(repo)).damage).toEqual([])
  })
})

async function listed(store: KVStore, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const key of store.list(prefix)) found.push(key)
  return found.sort()
}
