/**
 * Locks of other processes, for callers that can wait without blocking the thread.
 *
 * A synchronous call that finds the store locked has to block. A caller that can wait runs it in `tryNow`, where it throws
 * instead, and then again in `whenFree`.
 */

/** The lock of a store that several processes write. */
export interface Lock {
  /** Runs `work`. A call in it that finds the store locked, or others waiting for it, throws `StoreLocked` and does nothing. */
  tryNow<T>(work: () => T): T
  /**
   * Runs `work` in the same way after those who waited before, and again while it throws `StoreLocked`. Throws the error of
   * the backend when that takes too long.
   */
  whenFree<T>(work: () => T): Promise<T>
}

/** What a call in `tryNow` of a `Lock` throws when another process has the lock. No caller of the library sees it. */
export class StoreLocked extends Error {}

/** Runs a call now or, when the store is locked, as soon as it is free. */
export function nowOrWhenFree<T>(lock: Lock, call: () => T): T | Promise<T> {
  try {
    return lock.tryNow(call)
  } catch (e) {
    if (!(e instanceof StoreLocked)) throw e
    return lock.whenFree(call)
  }
}
