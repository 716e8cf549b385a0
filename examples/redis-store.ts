/**
 * A store of your own: repositories in Redis.
 *
 * Five methods make a key-value store for `open`. A batch is one script, which Redis runs atomically: it compares, and then
 * writes everything or nothing. Keys are listed by SCAN, a few at a time, which does not block other clients.
 *
 *     const store = new RedisStore(new Redis('redis://localhost'), { prefix: 'agents:' })
 *     await using repo = await open(store)
 *
 * How much survives a crash of the server is the server's setting: with `appendonly yes` and `appendfsync always` it is
 * everything that was acknowledged. With Redis Cluster, put a hash tag into the prefix, such as `{agents}:`, so that all
 * keys lie on one node: a script reaches no further.
 */
import type { KVStore } from 'agentstategraph'
import type { Redis } from 'ioredis'

type Batch = Parameters<KVStore['batch']>[0]

/**
 * KEYS: those to compare, to put, to delete. ARGV: how many of the first and of the second; then for each comparison
 * whether a value is expected, that value, and the new one; then the values to put.
 */
const batchScript = `
local compared, put = tonumber(ARGV[1]), tonumber(ARGV[2])
local at = 2
for i = 1, compared do
  local found = redis.call('GET', KEYS[i])
  local expected = ARGV[at + 1] == '1' and ARGV[at + 2]
  if found ~= expected then return 0 end
  at = at + 3
end
for i = compared + put + 1, #KEYS do redis.call('DEL', KEYS[i]) end
for i = 1, put do redis.call('SET', KEYS[compared + i], ARGV[at + i]) end
for i = 1, compared do redis.call('SET', KEYS[i], ARGV[2 + 3 * i]) end
return 1
`

export class RedisStore implements KVStore {
  readonly #redis: Redis
  readonly #prefix: string

  constructor(redis: Redis, { prefix = '' }: { prefix?: string } = {}) {
    this.#redis = redis
    this.#prefix = prefix
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return (await this.#redis.getBuffer(this.#prefix + key)) ?? undefined
  }

  async getMany(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    if (keys.length === 0) return []
    const values = await this.#redis.mgetBuffer(...keys.map(key => this.#prefix + key))
    return values.map(value => value ?? undefined)
  }

  async batch({ put = new Map(), delete: deleted = [], compareAndSet = [] }: Batch): Promise<boolean> {
    const keys = [...compareAndSet.map(({ key }) => key), ...put.keys(), ...deleted].map(key => this.#prefix + key)
    const compared = compareAndSet.flatMap(({ expect, value }) => [
      expect === undefined ? '0' : '1',
      bufferOf(expect ?? new Uint8Array()),
      bufferOf(value),
    ])
    const values = [...put.values()].map(bufferOf)
    const sizes = [compareAndSet.length, put.size]
    return (await this.#redis.eval(batchScript, keys.length, ...keys, ...sizes, ...compared, ...values)) === 1
  }

  async *list(prefix: string): AsyncIterable<string> {
    const match = `${escaped(this.#prefix + prefix)}*`
    // SCAN may name a key twice while the server moves its table.
    const seen = new Set<string>()
    for await (const keys of this.#redis.scanStream({ match, count: 1000 }) as AsyncIterable<string[]>) {
      for (const key of keys) {
        if (seen.has(key)) continue
        seen.add(key)
        yield key.slice(this.#prefix.length)
      }
    }
  }

  async close(): Promise<void> {
    await this.#redis.quit()
  }
}

/** The same bytes as the client sends them. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A text that a pattern of SCAN takes for itself. */
function escaped(text: string): string {
  return text.replace(/[\\*?[\]^-]/g, '\\$&')
}
