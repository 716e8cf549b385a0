/** What may no longer be stored: a commit's pack, or its state. */

import { isStateError } from '../../core/index.ts'
import { type Journal, readCommit, type StoredCommit, type Work } from '../../store/index.ts'

/** The commit of an entry; undefined when garbage collection dropped its nodes, for then no branch leads to it. */
export function findKept(journal: Journal, seq: number): Work<StoredCommit | undefined> {
  return unless('pack-dropped', readCommit(journal, seq))
}

/** What work gives; undefined when it needs a state that retention dropped. */
export function ifStored<T>(work: Work<T>): Work<T | undefined> {
  return unless('state-trimmed', work)
}

function* unless<T>(code: string, work: Work<T>): Work<T | undefined> {
  try {
    return yield* work
  } catch (error) {
    if (isStateError(error, code)) return undefined
    throw error
  }
}
