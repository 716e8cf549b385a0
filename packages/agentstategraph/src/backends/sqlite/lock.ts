/**
 * The lock of a SQLite store: who waits for it by blocking the thread, and who waits in a queue.
 *
 * Those in the queue have their turns in the order in which they came, so that their writes land in that order. This file
 * knows nothing of transactions.
 */
import { type Lock, StoreLocked, withMode } from '../../store/contract/lock.ts'
import { isBusy, retryWhileBusy, retryWhileLocked } from './busy.ts'

/** How long a checkpoint blocks the thread of a caller that could wait: long enough for the short transactions of others. */
const shortPatienceMs = 20

export interface SqliteLock extends Lock {
  /** How many wait in the queue. */
  queued: number
  /** Begins a read, and waits for the file as the caller of the present call can wait. */
  attemptRead<T>(read: () => T): T
  /** Takes the write lock by `begin` in the same way, after those in the queue. */
  attempt(begin: () => unknown): void
  /** Takes the write lock for work that can be left out: where the caller can wait, it does not block the thread for long. */
  attemptBriefly(begin: () => unknown): void
}

export function sqliteLock(file: string): SqliteLock {
  let queue: Promise<unknown> = Promise.resolve()
  const lock: SqliteLock = {
    mode: 'block',
    queued: 0,
    attemptRead(read) {
      if (lock.mode === 'block') return retryWhileBusy(file, read)
      try {
        return read()
      } catch (e) {
        throw isBusy(e) ? new StoreLocked('', { cause: e }) : e
      }
    },
    attempt(begin) {
      if (lock.mode === 'try' && lock.queued > 0) throw new StoreLocked()
      lock.attemptRead(begin)
    },
    attemptBriefly(begin) {
      retryWhileBusy(file, begin, lock.mode === 'block' ? undefined : shortPatienceMs)
    },
    async whenFree(work) {
      const start = performance.now()
      const turn = queue.then(() => retryWhileLocked(file, start, () => withMode(lock, 'turn', work)))
      lock.queued++
      queue = turn
        .catch(() => {})
        .then(() => {
          lock.queued--
        })
      return turn
    },
  }
  return lock
}
