/**
 * A folder that holds repositories, and does not grow beyond a bound.
 *
 * It is the SQLite backend in a file of that folder. When it is full it refuses to take more and keeps all it has. What
 * may go is for its owner to say, by a retention or by collecting garbage; what a branch or a tag reaches never goes.
 */

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkOptions, coreError, optionsOf } from '../core/index.ts'
import type { Backend, Retention } from '../store/contract/backend.ts'
import { backendError } from './errors.ts'
import { type SqliteOptions, sqlite } from './sqlite/sqlite-backend.ts'

export interface DiskOptions extends Pick<SqliteOptions, 'driver'> {
  /** How many bytes the folder may take. 1 GB unless given. */
  readonly maxBytes?: number | undefined
  /** What a write to a full folder drops first. Without it nothing goes, and the write is refused. */
  readonly retention?: Retention | undefined
}

const defaultMaxBytes = 1e9

const diskOptions = optionsOf<DiskOptions>('disk', {
  driver: true,
  maxBytes: true,
  retention: optionsOf<Retention>('the retention of disk', { keepNewerMs: true }),
})

/** Opens a folder as a backend, making it when there is none. */
export function disk(folder: string, options: DiskOptions = {}): Backend {
  checkOptions(diskOptions, options)
  const { maxBytes = defaultMaxBytes, retention, driver } = options
  if (retention !== undefined) assertRetention(retention)
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw backendError('store-failed', { file: resolve(folder), reason: (cause as Error).message }, { cause })
  }
  return { ...sqlite(join(folder, 'state.db'), { maxBytes, ...(driver === undefined ? {} : { driver }) }), retention }
}

function assertRetention({ keepNewerMs }: Retention): void {
  if (typeof keepNewerMs === 'number' && !Number.isNaN(keepNewerMs)) return
  throw coreError('option-invalid', { field: 'retention.keepNewerMs', reason: `${keepNewerMs} is not a number` })
}
