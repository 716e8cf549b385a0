/** Opens the backend for a store: a file name or URL, the URL of a Redis server, a key-value store, or a backend as it is. */
import { fileURLToPath } from 'node:url'
import type { Backend, KVStore } from '../store/contract/backend.ts'
import { kvBackend } from './kv/kv-backend.ts'
import { redis } from './redis/redis-backend.ts'
import { type SqliteOptions, sqlite } from './sqlite/sqlite-backend.ts'

export function backendAt(
  store: string | URL | Backend | KVStore,
  options: Pick<SqliteOptions, 'readOnly'> = {},
): Backend {
  if ((typeof store === 'string' || store instanceof URL) && isRedis(store)) return redis(store, options)
  if (typeof store === 'string') return sqlite(store, options)
  if (store instanceof URL) return sqlite(fileOf(store), options)
  return 'namespace' in store ? store : kvBackend(store)
}

function isRedis(address: string | URL): boolean {
  return /^rediss?:\/\//.test(String(address))
}

function fileOf(url: URL): string {
  if (url.protocol === 'file:') return fileURLToPath(url)
  throw new TypeError(`No backend knows the address ${url.href}: give a file:, redis: or rediss: URL, or a backend.`)
}
