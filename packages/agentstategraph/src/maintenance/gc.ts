/** Collecting garbage by hand: what it is, and what it never takes, is said where it is done (`repo/gc/collect-garbage.ts`). */

import { checkOptions, optionsOf } from '../core/index.ts'
import { collectGarbage, type GcReport } from '../repo/index.ts'
import { type AnyRepository, readable, writable } from './repository.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Options of `gc`. */
export interface GcOptions {
  /** What is newer stays, whether it is needed or not. A day unless given. */
  keepNewerMs?: number | undefined
  dryRun?: boolean | undefined
}

const gcOptions = optionsOf<GcOptions>('gc', { keepNewerMs: true, dryRun: true })

/** Drops what nothing needs, or with `dryRun` only tells what it would drop. */
export async function gc(repo: AnyRepository, options: GcOptions = {}): Promise<GcReport> {
  checkOptions(gcOptions, options)
  const { keepNewerMs = DAY_MS, dryRun = false } = options
  const handle = dryRun ? readable(repo) : writable(repo, 'gc')
  return handle.journal.run(collectGarbage(handle, { keepNewerMs, dryRun }))
}
