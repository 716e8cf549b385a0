/** The API of garbage collection. `repo/gc/collect-garbage.ts` defines what is garbage and what is never collected. */

import { checkOptions, coreError, optionsOf } from '../core/index.ts'
import { assertReadsAll, collectGarbage, type GcReport } from '../repo/index.ts'
import { type AnyRepository, assertMayAdminister, type ProgressOptions, readable, writable } from './repository.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Options of `gc`. */
export interface GcOptions extends ProgressOptions {
  /** What is newer is kept, whether it is needed or not. One day unless given. */
  keepNewerMs?: number | undefined
  dryRun?: boolean | undefined
}

const gcOptions = optionsOf<GcOptions>('gc', { keepNewerMs: true, dryRun: true, onProgress: true })

/** Drops what nothing needs, which takes `admin`, or with `dryRun` only reports what it would drop to those who may read everything. */
export async function gc(repo: AnyRepository, options: GcOptions = {}): Promise<GcReport> {
  checkOptions(gcOptions, options)
  const { keepNewerMs = DAY_MS, dryRun = false, onProgress } = options
  if (Number.isNaN(Number(keepNewerMs))) {
    throw coreError('option-invalid', { field: 'keepNewerMs', reason: `${keepNewerMs} is not a number` })
  }
  const handle = dryRun ? readable(repo) : writable(repo, 'gc')
  // Before anything is counted: what there is to drop would tell of what is hidden.
  await handle.journal.run(dryRun ? assertReadsAll(handle) : assertMayAdminister(handle))
  return handle.journal.run(collectGarbage(handle, { keepNewerMs, dryRun, onProgress }))
}
