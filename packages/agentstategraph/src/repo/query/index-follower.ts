/**
 * Lets the index follow the journal, behind the commits.
 *
 * The process whose append ends a stretch of entries indexes what is not indexed yet: when it has been quiet for a moment, or at
 * once when two stretches wait. So the processes of a store share the work without a word, an append costs one comparison,
 * a burst of commits costs nothing more, and a query finds little that it has to read by itself.
 */

import { ask, eventLoop, stretchEntries, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import type { IndexFollower } from '../records/index-follower.ts'
import { indexBatch, prepareIndex } from './index-build.ts'

/** How long nothing must have been appended here, and how many entries may wait meanwhile. */
const QUIET_MS = 20
const LONGEST_WAIT = 2 * stretchEntries

/** How many batches are indexed at most while a repository closes. */
const BATCHES_AT_CLOSE = 4

/** A timer: a number in browsers, and in Node an object with `unref`. */
type Timer = number | { unref(): void }

export function followWithIndex(handle: Handle): IndexFollower {
  const { journal } = handle
  let following: Promise<void> | undefined
  let isHurried = false
  let batchesLeft = Number.POSITIVE_INFINITY
  /** Ends a wait for quiet. */
  let wake: (() => void) | undefined

  async function follow(): Promise<void> {
    await eventLoop.nextTurn()
    while (!isHurried && (await journal.run(waiting(handle))) < LONGEST_WAIT) if (await isQuiet()) break
    for (; batchesLeft > 0; batchesLeft--) {
      if (!(await journal.run(indexStretch(handle)))) return
      await eventLoop.nextTurn()
    }
  }

  async function isQuiet(): Promise<boolean> {
    // It may have been told to hurry just before, and the timer keeps no process alive.
    if (isHurried) return true
    const { appended } = journal
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, QUIET_MS) as unknown as Timer
      // What is not indexed does not keep the process alive: the next one goes on.
      if (typeof timer === 'object') timer.unref()
      wake = () => {
        clearTimeout(timer as number)
        resolve()
      }
    })
    wake = undefined
    return journal.appended === appended
  }

  function hurry(): Promise<void> {
    isHurried = following !== undefined
    wake?.()
    return following ?? Promise.resolve()
  }

  journal.onStretch = () => {
    wake?.()
    following ??= follow()
      // A query that needs the index meets the same error and reports it.
      .catch(() => {})
      .finally(() => {
        following = undefined
        isHurried = false
      })
  }
  return {
    flush: hurry,
    close() {
      journal.onStretch = undefined
      batchesLeft = BATCHES_AT_CLOSE
      return hurry()
    },
  }
}

/** How many entries are not indexed; none where there is no index. */
function* waiting({ journal }: Handle): Work<number> {
  const mark = yield* prepareIndex(journal)
  return mark === undefined ? 0 : (yield* ask(log => log.head())).seq - mark
}

/** Indexes the next stretch, if it is whole, and ids; false when there is nothing more to do. */
function* indexStretch(handle: Handle): Work<boolean> {
  const isIdLeft = yield* ask(log => log.indexIds?.() ?? false)
  const isWhole = (yield* waiting(handle)) >= stretchEntries
  const isBatchLeft = isWhole && (yield* indexBatch(handle, (yield* prepareIndex(handle.journal))!))
  return isBatchLeft || isIdLeft
}
