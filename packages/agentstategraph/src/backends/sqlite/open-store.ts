/**
 * Opens the file of a SQLite store, for writing or only for reading, and recognises it.
 *
 * The file is attached to a database in memory, as `store`. Detaching it returns its descriptors and locks at once, while a
 * driver may keep a closed connection until its statements are garbage-collected. Pragmas about the file name `store`.
 */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { backendError } from '../errors.ts'
import { ignoringFailure, isUnopenable, retryWhileBusy, toBackendError } from './busy.ts'
import { pageBytes } from './limit.ts'
import type { SqliteDatabase, SqliteModule } from './module.ts'
import { assertNoForeignLog, logName } from './store-file.ts'
import { makeStore, missingIn } from './tables.ts'

/**
 * A log that is truncated after each checkpoint must be extended again, which takes half as long as a commit. So the log
 * keeps its length up to this limit, which is above its usual length, and only an exceptional one is truncated.
 */
export const keptLogBytes: number = 40 * 2 ** 20

/** `page_size` and the write-ahead log are stored in the file; the rest applies to one connection. */
const settings = `
PRAGMA busy_timeout = 0;
PRAGMA store.page_size = ${pageBytes};
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA store.cache_size = -16384;
PRAGMA wal_autocheckpoint = 0;
PRAGMA store.journal_size_limit = ${keptLogBytes};
PRAGMA store.synchronous = NORMAL;
`

/** The mode of a new store: what it holds is for its owner. */
const OWNER_ONLY = 0o600

/** Opens the file with all settings, and creates it when there is none. Throws when it is not a store. */
export function openStore(file: string, module: SqliteModule): SqliteDatabase {
  assertNoForeignLog(file)
  // SQLite gives its log the mode of the file. Where the file cannot be made, SQLite says why.
  if (!existsSync(file)) ignoringFailure(() => closeSync(openSync(file, 'a', OWNER_ONLY)))
  return attached(file, new module.DatabaseSync(':memory:'), file, database => {
    database.exec(settings)
    // Tables are made before WAL mode is set, so that the header in the file itself always says that it is a store.
    makeStore(database, file)
    const { journal_mode: mode } = database.prepare('PRAGMA store.journal_mode = WAL').get() as { journal_mode: string }
    if (mode !== 'wal') {
      throw backendError('store-failed', { file, reason: 'its disk does not allow a write-ahead log' })
    }
  })
}

/** A file that was opened for reading. Without locks it has no log, and must not change. */
export interface ReadStore {
  readonly database: SqliteDatabase
  readonly hasLog: boolean
}

/**
 * Opens the file for reading, also on a file system that is read-only. No file is created that is still there after closing.
 */
export function openForReading(file: string, module: SqliteModule): ReadStore {
  if (!existsSync(file)) throw backendError('store-missing', { file })
  const hadLog = existsSync(logName(file))
  const openAt = (address: string): SqliteDatabase =>
    attached(file, new module.DatabaseSync(':memory:', { readOnly: true }), address, database => {
      database.exec(settings)
      assertWhole(database, file)
    })
  try {
    const opened = openAt(file)
    const database = hadLog ? opened : { ...bound(opened), close: () => closeAndTidy(opened, file, module) }
    return { database, hasLog: true }
  } catch (e) {
    // Where no lock file can be made, nobody writes either, and the file can be read without locks.
    if (!(e instanceof Error && isUnopenable(e.cause))) throw e
    if (logBytes(file) > 0) throw backendError('store-failed', { file, reason: unreadableLog }, { cause: e })
    return { database: openAt(`${pathToFileURL(file).href}?immutable=1`), hasLog: false }
  }
}

const unreadableLog =
  'a part of it is in the -wal file beside it, which can be read only in a folder that may be written'

function assertWhole(database: SqliteDatabase, file: string): void {
  const missing = missingIn(database, file)
  if (missing.length === 0) return
  throw backendError('store-failed', { file, reason: 'it lacks tables, which are made when it is opened for writing' })
}

/** Attaches a file and sets it up; on failure nothing stays open. */
function attached(
  file: string,
  memory: SqliteDatabase,
  address: string,
  setUp: (database: SqliteDatabase) => void,
): SqliteDatabase {
  const database: SqliteDatabase = {
    ...bound(memory),
    close() {
      try {
        memory.exec('DETACH store')
      } finally {
        memory.close()
      }
    },
  }
  try {
    const attach = memory.prepare('ATTACH ? AS store')
    retryWhileBusy(file, () => attach.run(address))
    retryWhileBusy(file, () => setUp(database))
    return database
  } catch (e) {
    ignoringFailure(() => database.close())
    throw toBackendError(file, e)
  }
}

function bound(database: SqliteDatabase): Pick<SqliteDatabase, 'exec' | 'prepare'> {
  return { exec: sql => database.exec(sql), prepare: sql => database.prepare(sql) }
}

/** A connection that only reads cannot delete the empty log that it made; one that may write deletes it when it closes. */
function closeAndTidy(database: SqliteDatabase, file: string, module: SqliteModule): void {
  database.close()
  if (!existsSync(file) || !existsSync(logName(file)) || logBytes(file) > 0) return
  ignoringFailure(() => attached(file, new module.DatabaseSync(':memory:'), file, () => {}).close())
}

function logBytes(file: string): number {
  return statSync(logName(file), { throwIfNoEntry: false })?.size ?? 0
}
