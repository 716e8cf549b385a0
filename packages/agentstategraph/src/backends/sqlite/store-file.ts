/**
 * Whether the name of an open store still leads to the file that was opened, and to the log beside it.
 *
 * A connection keeps a file that was deleted, renamed or replaced: it would answer from a store that is gone, and
 * acknowledge writes that nobody reads. Looking up both names takes about 5 µs, so it is done before every write, and not
 * before every read.
 */
import { realpathSync, rmSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backendError } from '../errors.ts'

export interface StoreFile {
  /**
   * Throws `store-moved`; once it did, it always does, because another store may use the log meanwhile. Before a write it looks
   * in any case.
   */
  assertInPlace(isForWrite: boolean): void
  /** Whether nothing has the name of the file now, so that no other store can use the log. */
  isNameFree(): boolean
  /** Deletes the empty log that SQLite leaves when a moved file is closed. */
  removeEmptyLog(): void
  /** A number that changes when the file was written by other means than the log: by a checkpoint, or past SQLite. */
  generation(): number
}

/**
 * The file that a path leads to through links. SQLite has the log of a store beside that file, so all else that lies beside a store
 * does too: an opener by another name finds the same log, marks and reserve.
 */
export function fileAt(path: string): string {
  const file = resolve(path)
  return find(file) === undefined ? file : realpathSync(file)
}

/** The file of a store that was just opened by a path that leads to it. A store that is opened without locks has no log. */
export function storeFile(file: string, path: string, hasLog: boolean): StoreFile {
  const opened = find(file)
  const name = resolve(path)
  const isDue = everyTurn()
  let log = hasLog ? find(logName(file)) : undefined
  let isMoved = false
  let writtenMs = opened?.mtimeMs
  let generation = 0

  function look(): void {
    const now = find(file)
    const logNow = hasLog ? find(logName(file)) : undefined
    isMoved = !isSame(opened, now) || (log !== undefined && !isSame(log, logNow))
    if (name !== file && !isMoved) isMoved = !isSame(opened, find(name))
    log ??= logNow
    if (now?.mtimeMs === writtenMs) return
    writtenMs = now?.mtimeMs
    generation++
  }

  return {
    assertInPlace(isForWrite) {
      if (!isMoved && (isForWrite || isDue())) look()
      if (isMoved) throw backendError('store-moved', { file })
    },
    isNameFree: () => find(file) === undefined,
    removeEmptyLog() {
      if (find(logName(file))?.size !== 0) return
      for (const end of logEnds) rmSync(file + end, { force: true })
    },
    generation: () => generation,
  }
}

/** How the names of the write-ahead log and of its index end. */
export const logEnds: readonly string[] = ['-wal', '-shm']

/** The write-ahead log of a SQLite file. */
export function logName(file: string): string {
  return `${file}-wal`
}

/**
 * Throws when a store would be made beside the log of another, whose file was moved or deleted without it. A process that
 * still has that store open would share the log. A log is made after the tables, so one without them is not of a new store.
 */
export function assertNoForeignLog(file: string): void {
  const log = logName(file)
  if (find(log) !== undefined && (find(file)?.size ?? 0) === 0) throw backendError('log-left', { file, log })
}

/** Why a file cannot be opened or made, where that is plain to see. */
export function findObstacle(file: string): string | undefined {
  if (find(file)?.isDirectory()) return 'it is a folder'
  const folder = dirname(file)
  return find(folder) === undefined ? `there is no folder "${folder}"` : undefined
}

function find(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw backendError('store-failed', { file: path, reason }, { cause })
  }
}

/** While the connection has a file open, no other file gets its number. */
function isSame(a: Stats | undefined, b: Stats | undefined): boolean {
  return a?.ino === b?.ino && a?.dev === b?.dev
}

/** How many reads of one turn may pass before the next look. */
const readsBetweenLooks = 256

/**
 * When to look again, before a read, at what another process may have changed: once in each turn of the event loop.
 *
 * A process hears of what others do through its event loop, so one look in each turn comes before everything that is done
 * because of such news. A turn that does not end looks again after some reads. No clock is needed.
 */
function everyTurn(): () => boolean {
  let readsLeft = 0
  let isSameTurn = false
  return () => {
    readsLeft--
    if (isSameTurn && readsLeft > 0) return false
    readsLeft = readsBetweenLooks
    if (!isSameTurn) {
      isSameTurn = true
      setImmediate(() => {
        isSameTurn = false
      })
    }
    return true
  }
}
