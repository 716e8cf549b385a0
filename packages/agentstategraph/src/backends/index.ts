/** The places that can hold repositories. Node only: a browser takes what it needs from the store. */

export { subjectKey } from '../node/aes-gcm.ts'
export { memoryBackend as memory } from '../store/memory/memory-backend.ts'
export { type CachedBackend, type CacheOptions, cache } from './cache.ts'
export { type DiskOptions, disk } from './disk.ts'
export { type BackendErrors, backendError } from './errors.ts'
export { type KVOptions, kvBackend } from './kv/kv-backend.ts'
export type { CacheStats } from './lru.ts'
export { availableSqliteDrivers, type SqliteDriverName } from './sqlite/driver.ts'
export type { SqliteDatabase, SqliteModule, SqliteStatement, SqlValue } from './sqlite/module.ts'
export { type SqliteOptions, sqlite } from './sqlite/sqlite-backend.ts'
