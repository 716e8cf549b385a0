/**
 * A folder beside a store in object storage: chunks that were read, and the index of queries, in SQLite files.
 *
 * All of it can be read or derived again, so the folder can be deleted at any time, also while nobody has it open only. A file that is
 * damaged or cannot be written is not used.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { leafId } from '../../core/index.ts'
import type { Backend, Seen } from '../../store/contract/backend.ts'
import type { SyncLogIndex } from '../../store/contract/index-log.ts'
import { backendError, reasonOf } from '../errors.ts'
import { loadSqliteDriver } from '../sqlite/driver.ts'
import type { SqliteDatabase } from '../sqlite/module.ts'
import { sqlite } from '../sqlite/sqlite-backend.ts'
import type { ChunkFile } from './chunks.ts'

export interface CacheFolder extends ChunkFile {
  /** The index of a journal, and what of the journal was seen when it was last built. */
  index(journal: string): { readonly index: SyncLogIndex; readonly seen: Seen | undefined }
  noteSeen(journal: string, seen: Seen): void
  close(): Promise<void>
}

const sumBytes = 16

/** Opens the folder for one store. */
export function openCacheFolder(folder: string, store: string): CacheFolder {
  let database: SqliteDatabase
  let indexes: Backend
  try {
    mkdirSync(folder, { recursive: true })
    const { DatabaseSync } = loadSqliteDriver()
    database = new DatabaseSync(join(folder, 'chunks.db'))
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 1000;' +
        'CREATE TABLE IF NOT EXISTS chunks (name TEXT PRIMARY KEY, sum BLOB, bytes BLOB) WITHOUT ROWID;' +
        'CREATE TABLE IF NOT EXISTS seen (journal TEXT PRIMARY KEY, first TEXT, seq INTEGER, leaf TEXT) WITHOUT ROWID',
    )
    indexes = sqlite(join(folder, 'index.db'))
  } catch (cause) {
    throw backendError('store-failed', { file: resolve(folder), reason: reasonOf(cause) }, { cause })
  }
  const find = database.prepare('SELECT sum, bytes FROM chunks WHERE name = ?')
  const keep = database.prepare('INSERT OR REPLACE INTO chunks VALUES (?, ?, ?)')
  const findSeen = database.prepare('SELECT first, seq, leaf FROM seen WHERE journal = ?')
  const keepSeen = database.prepare('INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?)')
  const nameOf = (name: string): string => `${store}/${name}`
  return {
    find(name) {
      const row = ignoring(() => find.get(nameOf(name))) as { sum: Uint8Array; bytes: Uint8Array } | undefined
      if (row === undefined || !Buffer.from(row.sum).equals(sumOf(name, row.bytes))) return undefined
      return new Uint8Array(row.bytes)
    },
    keep(name, bytes) {
      ignoring(() => keep.run(nameOf(name), sumOf(name, bytes), bytes))
    },
    index(journal) {
      const log = indexes.namespace(nameOf(journal)).sync!
      // An index belongs to a namespace, which begins with an entry.
      if (log.head().seq === 0) log.append({ time: 0, entries: [{ text: '', leaf: leafId(''), parts: [] }], moves: [] })
      return { index: log.index!, seen: ignoring(() => findSeen.get(nameOf(journal))) as Seen | undefined }
    },
    noteSeen(journal, { first, seq, leaf }) {
      ignoring(() => keepSeen.run(nameOf(journal), first, seq, leaf))
    },
    async close() {
      database.close()
      await indexes.close()
    },
  }
}

function sumOf(name: string, bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(name).update(bytes).digest().subarray(0, sumBytes)
}

/** What the cache cannot answer is asked from the store. */
function ignoring<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
