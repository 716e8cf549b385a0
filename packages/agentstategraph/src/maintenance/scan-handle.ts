/**
 * A handle for work that reads or writes a whole namespace once.
 *
 * It has small caches of its own. So the work takes little memory, does not evict what others read often, and reads from
 * the store what this process may have cached.
 */

import type { Handle } from '../repo/index.ts'
import { journalWithCache } from '../store/index.ts'

const CACHE_BYTES = 8 * 1024 * 1024

export function scanHandle(handle: Handle): Handle {
  const journal = journalWithCache(handle.journal, CACHE_BYTES)
  return { ...handle, journal, shared: { ...handle.shared, journal, heads: new Map(), queues: new Map() } }
}
