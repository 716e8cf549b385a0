/** Building the index of a journal and the hashes of its Merkle log again, from nothing. */

import { ask, pausePoint, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { deriveUntil } from '../log/merkle-log.ts'
import { indexBatch } from './index-build.ts'

/** Told how far something is. */
export type OnProgress = (progress: { readonly done: number; readonly total?: number }) => void

/** Forgets the index and builds it up to the newest entry. Does nothing where there is none. */
export function* reindex(handle: Handle, onProgress: OnProgress = () => {}): Work<void> {
  if (!(yield* ask(log => log.index !== undefined))) return
  yield* ask(log => log.index!.clear())
  const { seq: total } = yield* ask(log => log.head())
  for (;;) {
    yield pausePoint
    const done = yield* ask(log => log.index!.mark())
    onProgress({ done: Math.min(done, total), total })
    if (done >= total || !(yield* indexBatch(handle, done))) break
  }
  yield* deriveUntil(handle.journal, total)
}
