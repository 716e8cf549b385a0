/**
 * The Redis backend: a key-value backend over hashes, sorted sets and one script.
 *
 * Appends, reads and the index are those of key-value stores. This file joins them to a client.
 */
import { checkOptions, optionsOf } from '../../core/index.ts'
import type { Backend } from '../../store/contract/backend.ts'
import { type KVOptions, kvBackend } from '../kv/kv-backend.ts'
import { clientOf, type RedisClient } from './client.ts'
import { redisStore } from './redis-store.ts'

/** Options of `redis`. */
export interface RedisOptions extends Pick<KVOptions, 'pollMs' | 'readOnly'> {
  /** What all keys begin with. `{agentstategraph}:` by default, whose braces keep them on one node of a cluster. */
  readonly prefix?: string
}

const redisOptions = optionsOf<RedisOptions>('redis', { prefix: true, pollMs: true, readOnly: true })

const defaultPrefix = '{agentstategraph}:'

/**
 * Opens a Redis server as a backend, by its address or through a client of `ioredis`.
 *
 * A client made for an address is closed with the backend; one that was given stays open.
 */
export function redis(server: string | URL | RedisClient, options: RedisOptions = {}): Backend {
  checkOptions(redisOptions, options)
  const { prefix = defaultPrefix, ...kvOptions } = options
  return kvBackend(redisStore(clientOf(server), prefix), kvOptions)
}
