/** Giving room back to the file system. */

import { currentAccess } from '../repo/access/access-state.ts'
import { assertMay } from '../repo/access/assert-may.ts'
import { type Handle, repoError } from '../repo/index.ts'
import type { Compacted, Work } from '../store/index.ts'
import { type AnyRepository, writable } from './repository.ts'

/**
 * Gives the room that `gc` and deletions left unused in the store back to the file system, for all namespaces of the store.
 *
 * Other processes may use the store meanwhile, and their writes wait. It needs room for a copy of the data.
 */
export async function compact(repo: AnyRepository): Promise<Compacted> {
  const handle = writable(repo, 'compact')
  await handle.journal.run(assertMayCompact(handle))
  const { backend } = handle.shared
  if (backend.compact === undefined) throw repoError('compact-unsupported', {})
  return await backend.compact()
}

function* assertMayCompact(handle: Handle): Work<void> {
  yield* assertMay(handle, yield* currentAccess(handle), { capability: 'admin' })
}
