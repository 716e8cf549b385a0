/** The commit of an entry, if its nodes are still stored. */

import { isStateError } from '../../core/index.ts'
import { type Journal, readCommit, type StoredCommit, type Work } from '../../store/index.ts'

/** The commit of an entry; undefined when garbage collection dropped its nodes, for then no branch leads to it. */
export function* findKept(journal: Journal, seq: number): Work<StoredCommit | undefined> {
  try {
    return yield* readCommit(journal, seq)
  } catch (error) {
    if (isStateError(error, 'pack-dropped')) return undefined
    throw error
  }
}
