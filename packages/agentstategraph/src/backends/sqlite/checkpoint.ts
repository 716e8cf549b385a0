/**
 * Checkpoints: when the write-ahead log of a SQLite store moves into its file.
 *
 * With SQLite's automatic checkpoints the log grows without end while several processes write, because it restarts only
 * when a writer finds all of it moved. So most of the log is moved without a lock, and the rest under the write lock; the
 * next writer then restarts the log. A checkpoint never waits for readers and never blocks them.
 *
 * On a disk that is nearly full the log is moved often: what has not moved needs room in the file, which there may be none of.
 */
import { ignoringFailure } from './busy.ts'
import type { Connection } from './connection.ts'
import { diskLeftBytes, pageBytes } from './limit.ts'
import type { SqliteDatabase, SqliteStatement } from './module.ts'

/** What one append costs in the log besides its own bytes: about two pages. */
const overheadBytes = 8192
/** How much this process writes between two looks at the length of the log, which other processes write too. */
const looksEveryBytes = 2 ** 20
/** The same on a disk that is nearly full, and before the first look. */
const looksOftenBytes = 2 ** 16
/**
 * How long the log may grow while an index is built. Its batches follow one another and mostly change pages of their own, so moving the
 * log often moves little twice, and each move is a short stretch of the thread.
 */
const builtLogBytes = 2 ** 21
const idleMs = 1000

const passive = 'PRAGMA store.wal_checkpoint(PASSIVE)'

export interface Checkpoints {
  /** Reports a committed transaction that wrote about so many bytes, perhaps one of many that build an index. */
  wrote(bytes: number, isBuilding?: boolean): void
  /** Moves all of the log and gives its room back to the disk, as far as readers allow. */
  shrinkLog(): void
  /** Closes the second connection. The last connection of all moves the rest when it closes. */
  close(): void
}

/**
 * Makes the checkpoints of one connection. They need a second connection, which `open` makes on first use. `onLook` is called
 * now and then while the store is written.
 */
export function checkpoints(
  connection: Connection,
  maxLogBytes: number,
  open: () => SqliteDatabase,
  onLook: () => void,
): Checkpoints {
  const { database } = connection
  // NOOP only counts. An older SQLite treats it as PASSIVE, which does no harm.
  const length = database.prepare('PRAGMA store.wal_checkpoint(NOOP)')
  const move = database.prepare(passive)
  const truncate = database.prepare('PRAGMA store.wal_checkpoint(TRUNCATE)')
  let looksAfterBytes = looksOftenBytes
  let second: { readonly database: SqliteDatabase; readonly move: SqliteStatement } | undefined
  let unseenBytes = 0
  let hasNews = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function openSecond(): NonNullable<typeof second> {
    const other = open()
    return { database: other, move: other.prepare(passive) }
  }

  function moveAll(waits: boolean): void {
    // Another store at this name may use the log by now.
    connection.assertInPlace()
    const { log, checkpointed } = move.get() as { log: number; checkpointed: number }
    // Without other writers all of it has moved, and the next writer restarts the log.
    if (log === checkpointed) return
    second ??= openSecond()
    const { move: moveRest } = second
    connection.whileLocked(waits, () => moveRest.get())
  }

  function startTimer(): void {
    hasNews = false
    timer = setTimeout(onTimer, idleMs)
    timer.unref()
  }

  function onTimer(): void {
    timer = undefined
    if (hasNews) startTimer()
    else ignoringFailure(() => moveAll(false))
  }

  function shrinkLog(): void {
    ignoringFailure(() => moveAll(true))
    ignoringFailure(() => truncate.get())
  }

  function look(isBuilding: boolean): void {
    const { log } = length.get() as { log: number }
    const isNearlyFull = diskLeftBytes(connection.file) < 2 * maxLogBytes
    looksAfterBytes = isNearlyFull ? looksOftenBytes : Math.min(looksEveryBytes, maxLogBytes)
    if (isNearlyFull) shrinkLog()
    else if (log * pageBytes > (isBuilding ? Math.min(builtLogBytes, maxLogBytes) : maxLogBytes)) moveAll(true)
  }

  return {
    wrote(bytes, isBuilding = false) {
      hasNews = true
      if (timer === undefined) startTimer()
      unseenBytes += bytes + overheadBytes
      if (unseenBytes < looksAfterBytes) return
      unseenBytes = 0
      ignoringFailure(() => look(isBuilding))
      onLook()
    },
    shrinkLog,
    close() {
      clearTimeout(timer)
      second?.database.close()
    },
  }
}
