/** Statistics of a repository, and rebuilding what is derived from its journal. */

import { checkOptions } from '../core/index.ts'
import * as repository from '../repo/index.ts'
import {
  type AnyRepository,
  assertMayAdminister,
  type ProgressOptions,
  progressOptions,
  readable,
  writable,
} from './repository.ts'

/** Counts what a repository holds. */
export async function stats(repo: AnyRepository): Promise<repository.Stats> {
  const handle = readable(repo)
  await handle.journal.run(repository.assertReadsAll(handle))
  return await handle.journal.run(repository.stats(handle))
}

const reindexOptions = progressOptions('reindex')

/** Drops the query index and the hashes of the Merkle log, and derives them again from the journal. It takes `admin`. */
export async function reindex(repo: AnyRepository, options: ProgressOptions = {}): Promise<void> {
  checkOptions(reindexOptions, options)
  const handle = writable(repo, 'reindex')
  await handle.journal.run(assertMayAdminister(handle))
  await handle.journal.run(repository.reindex(handle, options.onProgress))
}
