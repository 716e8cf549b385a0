/**
 * A folder of repositories with a bounded size: the SQLite backend in a file of that folder.
 *
 * When it is full it refuses writes and keeps all it has. A retention or a garbage collection frees space; what a branch or
 * a tag reaches is never dropped.
 */

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkOptions, coreError, optionsOf } from '../core/index.ts'
import type { Backend, Retention } from '../store/contract/backend.ts'
import { backendError } from './errors.ts'
import { type SqliteOptions, sqlite } from './sqlite/sqlite-backend.ts'

/** Options of `disk`. */
export interface DiskOptions extends Pick<SqliteOptions, 'driver'> {
  /** How many bytes the folder may take. 1 GB by default. */
  readonly maxBytes?: number | undefined
  /** What a write to a full folder drops first. Without it the write is refused. */
  readonly retention?: Retention | undefined
}

const defaultMaxBytes = 1e9

const diskOptions = optionsOf<DiskOptions>('disk', {
  driver: true,
  maxBytes: true,
  retention: optionsOf<Retention>('the retention of disk', { keepNewerMs: true }),
})

/** Opens a folder as a backend, and creates it when it does not exist. */
export function disk(folder: string, options: DiskOptions = {}): Backend {
  checkOptions(diskOptions, options)
  const { maxBytes = defaultMaxBytes, retention, driver } = options
  if (retention !== undefined) assertRetention(retention)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw backendError('store-failed', { file: resolve(folder), reason: (cause as Error).message }, { cause })
  }
  return { ...sqlite(join(folder, 'state.db'), { maxBytes, ...(driver === undefined ? {} : { driver }) }), retention }
}

function assertRetention({ keepNewerMs }: Retention): void {
  if (typeof keepNewerMs === 'number' && !Number.isNaN(keepNewerMs)) return
  throw coreError('option-invalid', { field: 'retention.keepNewerMs', reason: `${keepNewerMs} is not a number` })
}
