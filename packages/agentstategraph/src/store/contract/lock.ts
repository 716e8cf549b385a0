/**
 * Locks of other processes, for callers that can wait without blocking the thread.
 *
 * A synchronous call that finds the store locked has to block. A caller that can wait sets `mode` to `try` around the call,
 * which then throws instead, and runs it again in `whenFree`.
 */

/** The lock of a store that several processes write. */
export interface Lock {
  /**
   * What a call does that finds the store locked: `block` waits in the thread; `try` throws `StoreLocked` and does nothing,
   * also when others wait; `turn` does so only for a lock of another process.
   */
  mode: 'block' | 'try' | 'turn'
  /**
   * Runs `work` in its turn after those who waited before, and again while it throws `StoreLocked`. Throws the error of the
   * backend when that takes too long.
   */
  whenFree<T>(work: () => T): Promise<T>
}

/** What a call throws that cannot block when another process has the lock. No caller of the library sees it. */
export class StoreLocked extends Error {}

/** Runs a call now or, when the store is locked, as soon as it is free. */
export function nowOrWhenFree<T>(lock: Lock, call: () => T): T | Promise<T> {
  try {
    return withMode(lock, 'try', call)
  } catch (e) {
    if (!(e instanceof StoreLocked)) throw e
    return lock.whenFree(call)
  }
}

/** Runs a call in a mode. */
export function withMode<T>(lock: Lock, mode: Lock['mode'], call: () => T): T {
  const before = lock.mode
  lock.mode = mode
  try {
    return call()
  } finally {
    lock.mode = before
  }
}
