/**
 * Walks over the graph of commits.
 *
 * A parent precedes its children in the journal, so sequence numbers serve as generation numbers: a walk from the newest visits
 * every commit after all of its descendants.
 */

import { pausePoint, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { newestFirst } from '../records/newest-first.ts'

/** Whether a commit is an ancestor of another, or the same. */
export function* isAncestor(handle: Handle, older: StoredCommit, newer: StoredCommit): Work<boolean> {
  const queue = newestFirst([newer.seq])
  for (let seq = queue.take(); seq !== undefined && seq >= older.seq; seq = queue.take()) {
    if (seq === older.seq) return true
    yield pausePoint
    for (const parent of (yield* readCommit(handle.journal, seq)).parents) queue.add(parent)
  }
  return false
}

/** Walks back from commits, newest first, a step at a time. */
export interface Ancestry {
  /** The next commit, or undefined when all were visited. */
  next(): Work<StoredCommit | undefined>
  /** The start of a walk that continues this one. */
  frontier(): readonly number[]
}

export function ancestry(handle: Handle, from: readonly number[], isFirstParentOnly: boolean): Ancestry {
  const queue = newestFirst(from)
  return {
    *next(): Work<StoredCommit | undefined> {
      const seq = queue.take()
      if (seq === undefined) return undefined
      yield pausePoint
      const commit = yield* readCommit(handle.journal, seq)
      for (const parent of isFirstParentOnly ? commit.parents.slice(0, 1) : commit.parents) queue.add(parent)
      return commit
    },
    frontier: queue.all,
  }
}
