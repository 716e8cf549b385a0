/**
 * A store with a cache of a size that somebody chose, and the numbers to choose it by.
 *
 * It keeps nodes, which never change, as they were read and once they were written: never refs, never an answer that
 * another process could make untrue, and nothing that the store did not take. All that is opened on it shares the bytes.
 */
import { checkOptions, coreError, optionsOf } from '../core/index.ts'
import type { Backend, KVStore } from '../store/contract/backend.ts'
import { backendAt } from './backend-at.ts'
import { type CacheStats, lru } from './lru.ts'

/** A backend that tells how its cache does. */
export interface CachedBackend extends Backend {
  stats(): CacheStats
}

const defaultMaxBytes = 64 * 2 ** 20

export interface CacheOptions {
  readonly maxBytes?: number | undefined
}

const cacheOptions = optionsOf<CacheOptions>('cache', { maxBytes: true })

/** A store that keeps up to `maxBytes` of what was read in memory: 64 MiB unless given. */
export function cache(store: string | URL | Backend | KVStore, options: CacheOptions = {}): CachedBackend {
  checkOptions(cacheOptions, options)
  const { maxBytes = defaultMaxBytes } = options
  if (!(maxBytes > 0)) {
    throw coreError('option-invalid', { field: 'maxBytes', reason: `${maxBytes} is not a positive number` })
  }
  const { newCache, stats } = lru(maxBytes)
  const backend = backendAt(store)
  const close = (): Promise<void> => backend.close()
  return {
    capabilities: backend.capabilities,
    ...(backend.marks === undefined ? {} : { marks: backend.marks }),
    ...(backend.retention === undefined ? {} : { retention: backend.retention }),
    namespaces: () => backend.namespaces(),
    namespace: (name, options) => backend.namespace(name, options),
    dropNamespace: name => backend.dropNamespace(name),
    newCache,
    stats,
    close,
    [Symbol.asyncDispose]: close,
  }
}
