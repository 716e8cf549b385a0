/**
 * A folder that holds repositories, and does not grow beyond a bound.
 *
 * It is the SQLite backend in a file of that folder. When it is full it refuses to take more and keeps all it has: what
 * may go is for its owner to say, by collecting garbage.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Backend } from '../store/backend.ts'
import { backendError } from './errors.ts'
import { type SqliteOptions, sqlite } from './sqlite.ts'

export interface DiskOptions extends Pick<SqliteOptions, 'driver'> {
  /** How many bytes the folder may take. 1 GB unless given. */
  readonly maxBytes?: number | undefined
}

const defaultMaxBytes = 1e9

/** Opens a folder as a backend, making it when there is none. */
export function disk(folder: string, { maxBytes = defaultMaxBytes, driver }: DiskOptions = {}): Backend {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw backendError('store-failed', { file: resolve(folder), reason: (cause as Error).message }, { cause })
  }
  return sqlite(join(folder, 'state.db'), { maxBytes, ...(driver === undefined ? {} : { driver }) })
}
