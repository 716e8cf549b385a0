/**
 * A folder beside a store in object storage: chunks that were read, and the index of queries, in SQLite files.
 *
 * All of it can be read or derived again, so the folder can be deleted at any time, also while it is open. What fails then, or is damaged, is
 * not used any more by this process. Only a folder that cannot be opened at all is an error.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { leafId } from '../../core/index.ts'
import { createPrivateFile } from '../../node/private-file.ts'
import type { Backend, Seen } from '../../store/contract/backend.ts'
import type { SyncLogIndex } from '../../store/contract/index-log.ts'
import { memoryIndex } from '../../store/memory/memory-index.ts'
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
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // SQLite gives the files beside it the mode of this one.
    createPrivateFile(join(folder, 'chunks.db'), '')
    const { DatabaseSync } = loadSqliteDriver()
    database = new DatabaseSync(join(folder, 'chunks.db'))
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 1000;' +
        'CREATE TABLE IF NOT EXISTS chunks (name TEXT PRIMARY KEY, sum BLOB, bytes BLOB) WITHOUT ROWID;' +
        'CREATE TABLE IF NOT EXISTS seen (journal TEXT PRIMARY KEY, first TEXT, seq INTEGER, leaf TEXT) WITHOUT ROWID',
    )
    indexes = sqlite(join(folder, 'index.db'))
  } catch (cause) {
    const reason = `it is the cache of a store in object storage, and can be deleted (${reasonOf(cause)})`
    throw backendError('store-failed', { file: resolve(folder), reason }, { cause })
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
      const index = whileItWorks(() => {
        const log = indexes.namespace(nameOf(journal)).sync!
        // An index belongs to a namespace, which begins with an entry.
        if (log.head().seq === 0) {
          log.append({ time: 0, entries: [{ text: '', leaf: leafId(''), parts: [] }], moves: [] })
        }
        return log.index!
      })
      return { index, seen: ignoring(() => findSeen.get(nameOf(journal))) as Seen | undefined }
    },
    noteSeen(journal, { first, seq, leaf }) {
      ignoring(() => keepSeen.run(nameOf(journal), first, seq, leaf))
    },
    async close() {
      ignoring(() => database.close())
      await indexes.close().catch(() => {})
    },
  }
}

function sumOf(name: string, bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(name).update(bytes).digest().subarray(0, sumBytes)
}

/** An index that is empty and in memory from the first call on that fails. Its users build it again, as after a `clear`. */
function whileItWorks(openIndex: () => SyncLogIndex): SyncLogIndex {
  let used: SyncLogIndex | undefined
  const call = <T>(one: (index: SyncLogIndex) => T): T => {
    try {
      used ??= openIndex()
      return one(used)
    } catch {
      used = memoryIndex()
      return one(used)
    }
  }
  return {
    mark: () => call(index => index.mark()),
    add: batch => call(index => index.add(batch)),
    search: search => call(index => index.search(search)),
    counts: groups => call(index => index.counts(groups)),
    hashes: {
      mark: () => call(({ hashes }) => hashes.mark()),
      add: batch => call(({ hashes }) => hashes.add(batch)),
      read: places => call(({ hashes }) => hashes.read(places)),
    },
    clear: () => call(index => index.clear()),
  }
}

/** What the cache cannot answer is asked from the store. */
function ignoring<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
