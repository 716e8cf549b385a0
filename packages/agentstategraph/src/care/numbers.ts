/** Numbers about a repository, and making anew what is derived from its journal. */

import * as repository from '../repo/index.ts'
import { type AnyRepository, type OnProgress, readable, writable } from './repository.ts'

/** Counts what a repository holds. */
export async function stats(repo: AnyRepository): Promise<repository.Stats> {
  const handle = readable(repo)
  await handle.journal.run(repository.assertReadsAll(handle))
  return await handle.journal.run(repository.stats(handle))
}

/** Forgets what was derived for queries and proofs, and derives it again from the journal. */
export async function reindex(
  repo: AnyRepository,
  options: { onProgress?: OnProgress | undefined } = {},
): Promise<void> {
  const handle = writable(repo, 'reindex')
  await handle.journal.run(repository.reindex(handle, options.onProgress))
}
