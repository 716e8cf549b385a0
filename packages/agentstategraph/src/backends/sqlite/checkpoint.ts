/**
 * When the write-ahead log of a SQLite store moves into its file.
 *
 * SQLite's own rule lets the log grow without end while several processes write: it starts over only when a writer finds
 * all of it moved. So most is moved without any lock, and the rest while no one can write; the next writer then starts
 * the log over. A checkpoint here never waits for readers and never makes them wait.
 */
import type { Connection } from './connection.ts'
import { pageBytes } from './limit.ts'
import type { SqliteDatabase, SqliteStatement } from './module.ts'

/** What one append costs in the log besides its own bytes: about two pages. */
const overheadBytes = 8192
/** How much this process writes before it asks again how long the log is, with all that others wrote to it. */
const looksEveryBytes = 2 ** 20
const idleMs = 1000

const passive = 'PRAGMA wal_checkpoint(PASSIVE)'

export interface Checkpoints {
  /** Tells that a transaction was committed that wrote about so many bytes. */
  wrote(bytes: number): void
  /** Moves what can be moved and stops. */
  close(): void
}

/** Makes the checkpoints of one connection. They need a second one, which `open` gives when it is first needed. */
export function checkpoints(connection: Connection, maxLogBytes: number, open: () => SqliteDatabase): Checkpoints {
  const { database } = connection
  // NOOP only counts. A SQLite that does not know it yet takes it for PASSIVE, which does no harm.
  const length = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  const move = database.prepare(passive)
  const looksAfterBytes = Math.min(looksEveryBytes, maxLogBytes)
  let second: { readonly database: SqliteDatabase; readonly move: SqliteStatement } | undefined
  let unseenBytes = 0
  let hasNews = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function openSecond(): NonNullable<typeof second> {
    const other = open()
    return { database: other, move: other.prepare(passive) }
  }

  function moveAll(waits: boolean): void {
    const { log, checkpointed } = move.get() as { log: number; checkpointed: number }
    // With nobody else writing, all of it has moved and the next writer starts the log over.
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

  return {
    wrote(bytes) {
      hasNews = true
      if (timer === undefined) startTimer()
      unseenBytes += bytes + overheadBytes
      if (unseenBytes < looksAfterBytes) return
      unseenBytes = 0
      ignoringFailure(() => {
        const { log } = length.get() as { log: number }
        if (log * pageBytes > maxLogBytes) moveAll(true)
      })
    },
    close() {
      clearTimeout(timer)
      second?.database.close()
      // Empties the log when nobody else uses the file, so that a closed store is whole in its one file: a driver may
      // keep the connection half open until its statements are collected, and SQLite then does not do it.
      ignoringFailure(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    },
  }
}

/** A checkpoint is a service to later writers: what was committed is safe without it, so its failure fails no call. */
function ignoringFailure(work: () => void): void {
  try {
    work()
  } catch {
    // The next append, or the next checkpoint, meets the same trouble and has a caller to tell.
  }
}
