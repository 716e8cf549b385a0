/**
 * A backend with a node cache of a chosen size, and statistics to choose the size by.
 *
 * It caches nodes that were read or written. Nodes never change, so no other process can make the cache wrong; refs are not
 * cached. All repositories that are opened on it share the budget.
 */
import { checkOptions, coreError, optionsOf } from '../core/index.ts'
import type { Backend, KVStore } from '../store/contract/backend.ts'
import { backendAt } from './backend-at.ts'
import { type CacheStats, lru } from './lru.ts'

/** A backend with the statistics of its cache. */
export interface CachedBackend extends Backend {
  stats(): CacheStats
}

const defaultMaxBytes = 64 * 2 ** 20

/** Options of `cache`. */
export interface CacheOptions {
  readonly maxBytes?: number | undefined
}

const cacheOptions = optionsOf<CacheOptions>('cache', { maxBytes: true })

/** A backend that caches up to `maxBytes` of nodes in memory; 64 MiB by default. */
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
    ...(backend.tails === undefined ? {} : { tails: backend.tails }),
    ...(backend.retention === undefined ? {} : { retention: backend.retention }),
    ...(backend.backup === undefined ? {} : { backup: (file, check) => backend.backup!(file, check) }),
    ...(backend.compact === undefined ? {} : { compact: () => backend.compact!() }),
    namespaces: () => backend.namespaces(),
    namespace: (name, options) => backend.namespace(name, options),
    dropNamespace: name => backend.dropNamespace(name),
    newCache,
    stats,
    close,
    [Symbol.asyncDispose]: close,
  }
}
