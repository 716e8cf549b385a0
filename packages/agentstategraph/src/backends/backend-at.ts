/** Opens the backend for a store: a file name or URL, the URL of a Redis or PostgreSQL server or of a bucket, a key-value store, or a backend as it is. */
import { fileURLToPath } from 'node:url'
import type { Backend, KVStore } from '../store/contract/backend.ts'
import { backendError } from './errors.ts'
import { kvBackend } from './kv/kv-backend.ts'
import { postgres } from './postgres/postgres-backend.ts'
import { redis } from './redis/redis-backend.ts'
import { s3 } from './s3/s3-backend.ts'
import { type SqliteOptions, sqlite } from './sqlite/sqlite-backend.ts'

/** A scheme has two letters or more: one letter and a colon is a drive of Windows. */
const schemeOf = /^([a-z][a-z0-9+.-]+):/i

/** The backend that `open` uses for a store: a file name, a `file:`, `redis:`, `rediss:`, `postgres:` or `s3:` URL, a key-value store or a backend. */
export function backendAt(
  store: string | URL | Backend | KVStore,
  options: Pick<SqliteOptions, 'readOnly'> = {},
): Backend {
  if (typeof store === 'string' || store instanceof URL) return backendOfAddress(String(store), options)
  return typeof store === 'object' && store !== null && 'namespace' in store ? store : kvBackend(store)
}

function backendOfAddress(address: string, options: Pick<SqliteOptions, 'readOnly'>): Backend {
  const scheme = schemeOf.exec(address)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined:
      return sqlite(address, options)
    case 'file':
      return sqlite(fileURLToPath(address), options)
    case 'redis':
    case 'rediss':
      return redis(address, options)
    case 'postgres':
    case 'postgresql':
      return postgres(address, options)
    case 's3':
      return s3(address, options)
    default:
      throw backendError('scheme-unknown', { scheme })
  }
}
