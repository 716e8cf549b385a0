/**
 * A connection to a SQLite store: opens and recognises the file, sets it up, and runs transactions that wait for locks.
 *
 * It knows the file and its locks. It does not know what its callers read and write, nor when checkpoints run.
 */
import { resolve } from 'node:path'
import { isStateError } from '../../core/errors.ts'
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { isBusy, isFull, retryWhileBusy, toBackendError } from './busy.ts'
import { everyTurn } from './every-turn.ts'
import { boundPages, fullError, pageBytes, type SizeLimit } from './limit.ts'
import type { SqliteDatabase, SqliteModule } from './module.ts'
import { formatError, makeStore, sqliteFormat } from './tables.ts'

/** Whether a commit returns when it is with the operating system (NORMAL) or on the disk (FULL). */
export type Synchronous = 'NORMAL' | 'FULL'

/**
 * A log that is truncated after each checkpoint must be extended again, which takes half as long as a commit. So the log
 * keeps its length up to this limit, which is above its usual length, and only an exceptional one is truncated.
 */
const keptLogBytes = 40 * 2 ** 20

/** `page_size` and the write-ahead log are stored in the file; the rest applies to one connection. */
const settings = `
PRAGMA busy_timeout = 0;
PRAGMA page_size = ${pageBytes};
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA cache_size = -16384;
PRAGMA wal_autocheckpoint = 0;
PRAGMA journal_size_limit = ${keptLogBytes};
PRAGMA synchronous = NORMAL;
`

/** How many writes of one turn of the event loop may pass before the format is read again. */
const callsBetweenLooks = 16

export interface Connection {
  readonly file: string
  readonly database: SqliteDatabase
  isOpen(): boolean
  assertOpen(): void
  /** Runs a read. Outside a transaction each statement sees the newest commit. */
  read<T>(work: () => T): T
  /** Runs reads in one snapshot. */
  readTogether<T>(work: () => T): T
  /**
   * Runs a write transaction; when `work` throws, nothing was written. In a store of bounded size, `leavesReserve` keeps
   * space for transactions that free some.
   */
  write<T>(synchronous: Synchronous, work: () => T, leavesReserve?: boolean): T
  /** Runs `work`, which writes nothing, under the write lock. When the lock is taken, waits for it or skips `work`. */
  whileLocked(waits: boolean, work: () => void): void
  close(): void
}

/** Opens a store, and creates it when there is none. */
export function openConnection(path: string, module: SqliteModule, limit?: SizeLimit): Connection {
  const file = resolve(path)
  if (path === '' || path === ':memory:') {
    throw backendError('store-failed', { file: path, reason: 'it names no file; use memory() for a store in memory' })
  }
  const database = openStore(file, module)
  try {
    return connectionOf(file, database, limit)
  } catch (e) {
    database.close()
    throw toBackendError(file, e)
  }
}

/** Opens the file with all settings, and throws when it is not a store. */
export function openStore(file: string, module: SqliteModule): SqliteDatabase {
  let database: SqliteDatabase | undefined
  try {
    database = new module.DatabaseSync(file)
    const opened = database
    retryWhileBusy(file, () => {
      opened.exec(settings)
      // Tables are made before WAL mode is set, so that the header in the file itself always says that it is a store.
      makeStore(opened, file)
    })
    retryWhileBusy(file, () => useWriteAheadLog(opened, file))
    return opened
  } catch (e) {
    database?.close()
    throw toBackendError(file, e)
  }
}

function useWriteAheadLog(database: SqliteDatabase, file: string): void {
  const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string }
  if (mode !== 'wal') throw backendError('store-failed', { file, reason: 'its disk does not allow a write-ahead log' })
}

function connectionOf(file: string, database: SqliteDatabase, limit: SizeLimit | undefined): Connection {
  if (limit !== undefined) database.exec(`PRAGMA journal_size_limit = ${Math.min(keptLogBytes, limit.logBytes)}`)
  const begin = database.prepare('BEGIN')
  const beginImmediate = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const format = database.prepare('PRAGMA user_version')
  const isFormatDue = everyTurn(callsBetweenLooks)
  let formatNow = sqliteFormat
  let synchronousNow: Synchronous = 'NORMAL'
  let pagesNow = 0
  let isClosed = false

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: `SQLite store "${file}"` })
  }

  function explain<T>(work: () => T): T {
    try {
      return work()
    } catch (e) {
      throw isFull(e) ? fullError(file, database, limit, e) : explained(e)
    }
  }

  /** A statement that fails may do so because a newer library has changed the tables. */
  function explained(e: unknown): unknown {
    const error = toBackendError(file, e)
    if (!isStateError(error, 'store-failed')) return error
    try {
      readFormat()
    } catch {
      return error
    }
    return formatNow === sqliteFormat ? error : formatError(file, formatNow)
  }

  function readFormat(): void {
    formatNow = (format.get() as { user_version: number }).user_version
  }

  /** Throws when a newer library has taken over the file since it was opened. */
  function assertFormat(): void {
    if (isFormatDue()) readFormat()
    if (formatNow !== sqliteFormat) throw formatError(file, formatNow)
  }

  function bound(pages: number): void {
    if (pages !== pagesNow) boundPages(database, pages)
    pagesNow = pages
  }

  function undo(): void {
    try {
      rollback.run()
    } catch {
      // After some errors SQLite has rolled back already.
    }
  }

  function finish<T>(work: () => T): T {
    try {
      const result = work()
      commit.run()
      return result
    } catch (e) {
      undo()
      throw e
    }
  }

  /** Takes the write lock; false when it is taken and not waited for. */
  function lock(waits: boolean): boolean {
    try {
      beginImmediate.run()
      return true
    } catch (e) {
      if (!isBusy(e)) throw e
    }
    if (waits) retryWhileBusy(file, () => beginImmediate.run())
    return waits
  }

  function read<T>(work: () => T): T {
    assertOpen()
    return explain(() => retryWhileBusy(file, work))
  }

  return {
    file,
    database,
    isOpen: () => !isClosed,
    assertOpen,
    read,
    readTogether: work =>
      read(() => {
        begin.run()
        return finish(work)
      }),
    write(synchronous, work, leavesReserve = false) {
      assertOpen()
      return explain(() => {
        if (synchronous !== synchronousNow) database.exec(`PRAGMA synchronous = ${synchronous}`)
        synchronousNow = synchronous
        if (limit !== undefined) bound(leavesReserve ? limit.pagesForAppends : limit.pages)
        lock(true)
        return finish(() => {
          assertFormat()
          return work()
        })
      })
    },
    whileLocked(waits, work) {
      assertOpen()
      explain(() => {
        if (!lock(waits)) return
        try {
          work()
        } finally {
          undo()
        }
      })
    },
    close() {
      if (isClosed) return
      isClosed = true
      database.close()
    },
  }
}
