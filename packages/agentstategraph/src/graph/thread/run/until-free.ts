/**
 * Waits until no run holds a thread, in this process or another.
 *
 * It reads the thread again when the journal reports a change, and at intervals, which keep the process alive.
 */

import { type Handle, repoError } from '../../../repo/index.ts'
import { graphError } from '../../errors.ts'
import type { ThreadRefs } from '../records/refs.ts'
import { findResumePoint } from '../state/resume-point.ts'
import { findLiveRun } from './live-runs.ts'

const LOOK_MS = 1000

export async function untilFree(handle: Handle, refs: ThreadRefs, signal: AbortSignal | undefined): Promise<void> {
  const { journal, shared } = handle
  let ring = (): void => {}
  const onNews = (): void => ring()
  const stopListening = journal.log.onChange(onNews)
  shared.onClose.add(onNews)
  signal?.addEventListener('abort', onNews)
  try {
    for (;;) {
      // Listening begins before reading, so that no change in between is missed.
      const news = new Promise<void>(resolve => {
        ring = resolve
      })
      if (signal?.aborted === true) throw graphError('run-aborted', { reason: String(signal.reason) })
      if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
      const live = findLiveRun(journal, refs)
      if (live === undefined && (await journal.run(findResumePoint(handle, refs)))?.isHeld !== true) return
      const look = setTimeout(onNews, LOOK_MS)
      await Promise.race(live === undefined ? [news] : [news, live.ended])
      clearTimeout(look)
    }
  } finally {
    stopListening()
    shared.onClose.delete(onNews)
    signal?.removeEventListener('abort', onNews)
  }
}
