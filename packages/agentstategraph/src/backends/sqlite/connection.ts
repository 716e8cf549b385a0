/**
 * A connection to a SQLite store, which runs transactions that wait for locks.
 *
 * It knows the file and its locks. It does not know what its callers read and write, nor when checkpoints run.
 */
import { coreError, isStateError } from '../../core/index.ts'
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { ignoringFailure, isBusy, isFull, toBackendError } from './busy.ts'
import { boundPages, fullError, type Purpose, type SizeLimit } from './limit.ts'
import { type SqliteLock, sqliteLock } from './lock.ts'
import type { SqliteDatabase, SqliteModule } from './module.ts'
import { keptLogBytes, openForReading, openStore } from './open-store.ts'
import { fileAt, type StoreFile, storeFile } from './store-file.ts'
import { formatError, sqliteFormat } from './tables.ts'

/** Whether a commit returns when it is with the operating system (NORMAL) or on the disk (FULL). */
export type Synchronous = 'NORMAL' | 'FULL'

export interface Connection {
  readonly file: string
  readonly database: SqliteDatabase
  readonly lock: SqliteLock
  readonly isReadOnly: boolean
  isOpen(): boolean
  assertOpen(): void
  /** Throws when the file was moved, deleted or replaced. */
  assertInPlace(): void
  /**
   * Changes when something in the store may have changed since it was last asked: by this connection, by another, or past both.
   * To be asked before what is read, so that a later write is noticed at the next time. The file is asked once for all of a stretch
   * without other code in which nothing is read: a look at it is most of what answering from a cache costs.
   */
  version(): number
  /** Lets the next `version` ask the file. */
  forgetVersion(): void
  /** Runs what asks for the version, and may then not need to read. */
  readIfChanged<T>(work: () => T): T
  /** Runs a read. Outside a transaction each statement sees the newest commit. */
  read<T>(work: () => T): T
  /** Runs reads in one snapshot. */
  readTogether<T>(work: () => T): T
  /**
   * Runs a write transaction; when `work` throws, nothing was written. In a store of bounded size, a part of it is for what
   * frees space. What is derived is the usual purpose.
   */
  write<T>(synchronous: Synchronous, work: () => T, purpose?: Purpose): T
  /** Writes all that is in the store at one moment into an empty file. */
  copyInto(file: string): void
  /** Rewrites the file without its free pages. */
  vacuum(): void
  /** Runs `work`, which writes nothing, under the write lock. When the lock is taken, waits for it or skips `work`. */
  whileLocked(waits: boolean, work: () => void): void
  close(): void
}

export interface ConnectionOptions {
  readonly limit?: SizeLimit | undefined
  readonly readOnly?: boolean | undefined
}

/** Opens a store, and creates it when there is none and it is not opened for reading. */
export function openConnection(path: string, module: SqliteModule, options: ConnectionOptions): Connection {
  if (path === '' || path === ':memory:') {
    const reason = `${JSON.stringify(path)} names no file; open() without a name keeps the state in memory`
    throw coreError('option-invalid', { field: 'file name', reason })
  }
  const file = fileAt(path)
  const { limit, readOnly: isReadOnly = false } = options
  const opened = isReadOnly ? openForReading(file, module) : { database: openStore(file, module), hasLog: true }
  const { database } = opened
  try {
    return connectionOf(file, database, storeFile(file, path, opened.hasLog), limit, isReadOnly)
  } catch (e) {
    database.close()
    throw toBackendError(file, e)
  }
}

function connectionOf(
  file: string,
  database: SqliteDatabase,
  stored: StoreFile,
  limit: SizeLimit | undefined,
  isReadOnly: boolean,
): Connection {
  if (limit !== undefined) database.exec(`PRAGMA store.journal_size_limit = ${Math.min(keptLogBytes, limit.logBytes)}`)
  const lock = sqliteLock(file)
  const begin = database.prepare('BEGIN')
  const beginImmediate = database.prepare('BEGIN IMMEDIATE')
  const beginWrite = (): unknown => beginImmediate.run()
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const format = database.prepare('PRAGMA store.user_version')
  const dataVersion = database.prepare('PRAGMA store.data_version')
  let generationNow = 0
  let versionNow = 0
  let foreignNow = 0
  let isVersionKnown = false
  let synchronousNow: Synchronous = 'NORMAL'
  let pagesNow = 0
  let isClosed = false

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: `SQLite store "${file}"` })
  }

  function assertInPlace(isForWrite = false): void {
    assertOpen()
    stored.assertInPlace(isForWrite)
    const generation = stored.generation()
    if (generation === generationNow) return
    generationNow = generation
    versionNow++
    // Pages that were read before may not be those of the file now, if it was overwritten past SQLite's locks.
    database.exec('PRAGMA shrink_memory')
  }

  function assertWritable(): void {
    assertInPlace(true)
    if (isReadOnly) throw backendError('read-only', { operation: `Writing to the store "${file}"` })
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
      const found = formatInFile()
      return found === sqliteFormat ? error : formatError(file, found)
    } catch {
      return error
    }
  }

  function formatInFile(): number {
    return (format.get() as { user_version: number }).user_version
  }

  /** Throws when a newer library has taken over the file since it was opened. */
  function assertFormat(): void {
    const found = formatInFile()
    if (found !== sqliteFormat) throw formatError(file, found)
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

  /** Takes the write lock if nothing has it or waits for it. */
  function takeFree(): boolean {
    if (lock.queued > 0) return false
    try {
      beginWrite()
      return true
    } catch (e) {
      if (isBusy(e)) return false
      throw e
    }
  }

  /** Takes the write lock for work that can be left out; false when it is taken and not waited for. */
  function takeLock(waits: boolean): boolean {
    if (takeFree()) return true
    if (waits) lock.attemptBriefly(beginWrite)
    return waits
  }

  /** SQLite leaves the log of a moved file alone. Where no other store can use it, what it holds goes into that file. */
  function closeMoved(): void {
    ignoringFailure(() => database.exec('PRAGMA store.wal_checkpoint(TRUNCATE)'))
    database.close()
    ignoringFailure(stored.removeEmptyLog)
  }

  function readIfChanged<T>(work: () => T): T {
    assertInPlace()
    return explain(() => lock.attemptRead(work))
  }

  function read<T>(work: () => T): T {
    isVersionKnown = false
    return readIfChanged(work)
  }

  function forgetVersion(): void {
    isVersionKnown = false
  }

  return {
    file,
    database,
    lock,
    isReadOnly,
    isOpen: () => !isClosed,
    assertOpen,
    assertInPlace: () => assertInPlace(),
    version() {
      if (isVersionKnown) return versionNow
      const { data_version: foreign } = dataVersion.get() as { data_version: number }
      if (foreign !== foreignNow) versionNow++
      foreignNow = foreign
      isVersionKnown = true
      queueMicrotask(forgetVersion)
      return versionNow
    },
    forgetVersion,
    readIfChanged,
    read,
    readTogether: work =>
      read(() => {
        begin.run()
        return finish(work)
      }),
    write(synchronous, work, purpose = 'derive') {
      assertWritable()
      return explain(() => {
        if (synchronous !== synchronousNow) database.exec(`PRAGMA store.synchronous = ${synchronous}`)
        synchronousNow = synchronous
        if (limit !== undefined) bound(limit.pages[purpose])
        lock.attempt(beginWrite)
        try {
          return finish(() => {
            assertFormat()
            return work()
          })
        } finally {
          versionNow++
          isVersionKnown = false
        }
      })
    },
    copyInto(target) {
      read(() => database.prepare('VACUUM store INTO ?').run(target))
    },
    vacuum() {
      assertWritable()
      explain(() => {
        if (limit !== undefined) bound(limit.pages.free)
        lock.attempt(() => database.exec('VACUUM store'))
      })
    },
    whileLocked(waits, work) {
      assertWritable()
      explain(() => {
        if (!takeLock(waits)) return
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
      if (stored.isNameFree()) closeMoved()
      else database.close()
    },
  }
}
