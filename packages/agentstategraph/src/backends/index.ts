/** The places that can hold repositories, and the contract for writing another. Node only. */

export { subjectKey } from '../node/aes-gcm.ts'
export type {
  Append,
  Appended,
  Backend,
  Capabilities,
  Checked,
  Column,
  Compacted,
  Durability,
  EntriesAt,
  FoundCommit,
  Head,
  KVBatch,
  KVStore,
  Log,
  LogOptions,
  Marks,
  Move,
  NewEntry,
  NewPart,
  PackTotal,
  PartPointer,
  RefCell,
  Repack,
  Retention,
  Seen,
  StoredEntry,
  StoredPart,
  SyncLog,
  Target,
} from '../store/contract/backend.ts'
export type {
  HashBatch,
  HashPlace,
  IndexBatch,
  IndexCount,
  IndexFound,
  IndexRow,
  IndexSearch,
  LogHashes,
  LogIndex,
  PlacedHash,
  SyncLogHashes,
  SyncLogIndex,
} from '../store/contract/index-log.ts'
export { type Lock, StoreLocked } from '../store/contract/lock.ts'
export { memoryBackend as memory } from '../store/memory/memory-backend.ts'
export { backendAt } from './backend-at.ts'
export { type CachedBackend, type CacheOptions, cache } from './cache.ts'
export { type DiskOptions, disk } from './disk.ts'
export { type BackendErrors, backendError } from './errors.ts'
export { type KVOptions, kvBackend } from './kv/kv-backend.ts'
export type { CacheStats } from './lru.ts'
export { availableSqliteDrivers, type SqliteDriverName } from './sqlite/driver.ts'
export type { SqliteDatabase, SqliteModule, SqliteStatement, SqlValue } from './sqlite/module.ts'
export { type SqliteOptions, sqlite } from './sqlite/sqlite-backend.ts'
