/** Giving room back to the file system. */

import { repoError } from '../repo/index.ts'
import type { Compacted } from '../store/index.ts'
import { type AnyRepository, assertOperator, writable } from './repository.ts'

/**
 * Gives the room that `gc` and deletions left unused in the store back to the file system, for all namespaces of the store. It is for
 * the operator.
 *
 * Other processes may use the store meanwhile, and their writes wait. It needs room for a copy of the data.
 */
export async function compact(repo: AnyRepository): Promise<Compacted> {
  const handle = writable(repo, 'compact')
  await assertOperator(handle, 'Compacting a store')
  const { backend } = handle.shared
  if (backend.compact === undefined) throw repoError('compact-unsupported', {})
  return await backend.compact()
}
