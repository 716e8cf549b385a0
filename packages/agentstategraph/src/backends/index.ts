/** The places that can hold repositories. Node only: a browser takes what it needs from the store. */
export { memoryBackend as memory } from '../store/memory.ts'
export { type BackendErrors, backendError } from './errors.ts'
export { type KVOptions, kvBackend } from './kv.ts'
export { type SqliteOptions, sqlite } from './sqlite.ts'
export { availableSqliteDrivers, type SqliteDriverName } from './sqlite-driver.ts'
export type { SqliteDatabase, SqliteModule, SqliteStatement, SqlValue } from './sqlite-module.ts'
