/**
 * Translates the driver's errors, and waits for locks.
 *
 * SQLite's own busy timeout waits longer and longer, which starves some processes; short random waits are fair. The first are
 * the shortest, because a transaction mostly takes a fraction of a millisecond. Patience is measured by the monotonic clock.
 */
import { StoreLocked } from '../../store/contract/lock.ts'
import { backendError } from '../errors.ts'
import { findObstacle } from './store-file.ts'

/** The longest wait after the first attempt, which doubles with each up to that of later ones. */
const firstPauseMs = 0.5
const longestPauseMs = 4
const patienceMs = 30_000

const sqliteBusy = 5
const sqliteReadOnly = 8
const sqliteCorrupt = 11
const sqliteNotADatabase = 26
const sqliteFull = 13
const sqliteCannotOpen = 14
const sqliteError = 1

const codesByMessage: ReadonlyMap<string, number> = new Map([
  ['database is locked', sqliteBusy],
  ['database disk image is malformed', sqliteCorrupt],
  ['file is not a database', sqliteNotADatabase],
  ['database or disk is full', sqliteFull],
  ['unable to open database file', sqliteCannotOpen],
  ['attempt to write a readonly database', sqliteReadOnly],
])

const never = new Int32Array(new SharedArrayBuffer(4))
let randomState = process.pid >>> 0

/** Retries `attempt` until the file is free, or throws `store-busy` when that takes too long. It blocks the thread. */
export function retryWhileBusy<T>(file: string, attempt: () => T, givesUpAfterMs: number = patienceMs): T {
  let start: number | undefined
  for (let failed = 0; ; failed++) {
    try {
      return attempt()
    } catch (e) {
      if (!isBusy(e)) throw e
      start ??= performance.now()
      assertPatience(file, start, givesUpAfterMs, e)
    }
    Atomics.wait(never, 0, 0, nextPauseMs(failed))
  }
}

/** Retries `attempt` while it throws `StoreLocked`; the event loop runs in between. `start` is when the wait began. */
export async function retryWhileLocked<T>(file: string, start: number, attempt: () => T): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      return attempt()
    } catch (e) {
      if (!(e instanceof StoreLocked)) throw e
      assertPatience(file, start, patienceMs, e.cause)
    }
    const pauseMs = nextPauseMs(failed)
    // A timer takes a millisecond at least.
    await new Promise(resolve => (pauseMs < 1 ? setImmediate(resolve) : setTimeout(resolve, pauseMs)))
  }
}

function assertPatience(file: string, start: number, givesUpAfterMs: number, cause: unknown): void {
  const waitedMs = Math.round(performance.now() - start)
  if (waitedMs >= givesUpAfterMs) throw backendError('store-busy', { file, waitedMs }, { cause })
}

/** Runs work whose failure must not fail a call: data is safe without it, and the next call fails for the same reason. */
export function ignoringFailure(work: () => void): void {
  try {
    work()
  } catch {
    // The caller has nothing to do about it.
  }
}

/** Whether another connection holds the lock. */
export function isBusy(e: unknown): boolean {
  return codeOf(e) === sqliteBusy
}

/** Whether a write failed for lack of space. */
export function isFull(e: unknown): boolean {
  return codeOf(e) === sqliteFull
}

/** Whether the file, or a file that SQLite needs beside it, could not be opened or made. */
export function isUnopenable(e: unknown): boolean {
  const code = codeOf(e)
  return code === sqliteCannotOpen || code === sqliteReadOnly
}

/** The `StateError` for an error of the driver; any other error is returned as it is. */
export function toBackendError(file: string, e: unknown): unknown {
  if (isOutOfRange(e))
    return backendError('store-damaged', { file, reason: 'a number in it is too large' }, { cause: e })
  const code = codeOf(e)
  if (code === undefined || !(e instanceof Error)) return e
  if (code === sqliteNotADatabase)
    return backendError('not-a-store', { file, found: 'no SQLite database' }, { cause: e })
  return backendError(
    code === sqliteCorrupt ? 'store-damaged' : 'store-failed',
    { file, reason: (code === sqliteCannotOpen ? findObstacle(file) : undefined) ?? e.message },
    { cause: e },
  )
}

/** Whether a driver refused to read an integer that no program of ours wrote. */
function isOutOfRange(e: unknown): boolean {
  return e instanceof RangeError && 'code' in e && e.code === 'ERR_OUT_OF_RANGE'
}

/** The primary result code of SQLite, without the extended part. */
function codeOf(e: unknown): number | undefined {
  if (!(e instanceof Error)) return undefined
  if ('errcode' in e && typeof e.errcode === 'number') return e.errcode & 0xff
  // Some calls of @photostructure/sqlite throw SQLite's message without its code.
  return 'code' in e && e.code === 'ERR_SQLITE_ERROR' ? (codesByMessage.get(e.message) ?? sqliteError) : undefined
}

/** A step of a linear congruential generator, seeded by the process id, which is random enough here. */
function nextPauseMs(failed: number): number {
  randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
  return (randomState / 2 ** 32) * Math.min(longestPauseMs, firstPauseMs * 2 ** failed)
}
