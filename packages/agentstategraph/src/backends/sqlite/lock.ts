/**
 * The lock of a SQLite store: who waits for it by blocking the thread, and who waits in a queue.
 *
 * Those in the queue have their turns in the order in which they came, so that their writes land in that order. This file
 * knows nothing of transactions.
 */
import { type Lock, StoreLocked } from '../../store/contract/lock.ts'
import { isBusy, retryWhileBusy, retryWhileLocked } from './busy.ts'

/** How long a checkpoint blocks the thread of a caller that could wait: long enough for the short transactions of others. */
const shortPatienceMs = 20

export interface SqliteLock extends Lock {
  /** Begins a read, and waits for the file as the caller of the present call can wait. */
  attemptRead<T>(read: () => T): T
  /** Takes the write lock by `begin` in the same way, after those in the queue. */
  attempt(begin: () => unknown): void
  /** Takes the write lock for work that can be left out: where the caller can wait, it does not block the thread for long. */
  attemptBriefly(begin: () => unknown): void
}

export function sqliteLock(file: string): SqliteLock {
  /** How the present call waits: by blocking, not at all, or not at all because it has its turn in the queue. */
  let mode: 'block' | 'try' | 'turn' = 'block'
  let queue: Promise<unknown> = Promise.resolve()
  let queued = 0

  function within<T>(inside: 'try' | 'turn', work: () => T): T {
    const before = mode
    mode = inside
    try {
      return work()
    } finally {
      mode = before
    }
  }

  function attemptRead<T>(read: () => T): T {
    if (mode === 'block') return retryWhileBusy(file, read)
    try {
      return read()
    } catch (e) {
      throw isBusy(e) ? new StoreLocked('', { cause: e }) : e
    }
  }

  return {
    attemptRead,
    attempt(begin) {
      if (mode === 'try' && queued > 0) throw new StoreLocked()
      attemptRead(begin)
    },
    attemptBriefly(begin) {
      retryWhileBusy(file, begin, mode === 'block' ? undefined : shortPatienceMs)
    },
    tryNow: work => within('try', work),
    async whenFree(work) {
      const start = performance.now()
      const turn = queue.then(() => retryWhileLocked(file, start, () => within('turn', work)))
      queued++
      queue = turn
        .catch(() => {})
        .then(() => {
          queued--
        })
      return turn
    },
  }
}
