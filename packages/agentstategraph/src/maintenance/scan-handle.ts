/**
 * A handle for work that reads a whole namespace once.
 *
 * It has caches of its own, and small ones: so the scan takes little memory, does not drop what others read often, and is
 * answered by the store, not by what this process knew.
 */

import type { Handle } from '../repo/index.ts'
import { openJournal } from '../store/index.ts'

const CACHE_BYTES = 8 * 1024 * 1024

export async function scanHandle(handle: Handle): Promise<Handle> {
  const { shared, journal: around } = handle
  const { namespace, ids, context } = around
  const journal = await openJournal(shared.backend, {
    namespace,
    ids,
    clock: () => new Date(around.now()),
    cacheBytes: CACHE_BYTES,
    treeLimits: context.limits,
    encryption: context.encryption,
    classes: context.classes,
  })
  return { ...handle, journal, shared: { ...shared, journal, heads: new Map() } }
}
