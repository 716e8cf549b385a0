/**
 * Runs work on a journal, and makes sure that the journal was not replaced meanwhile.
 *
 * A run that ended with an append was checked inside that append. Any other is checked at its end.
 */

import { isStateError } from '../../core/index.ts'
import type { Log, SyncLog } from '../contract/backend.ts'
import { assertNotReplaced, noteChecked, type SeenJournal } from './seen-journal.ts'

export function watchedSync<T>(journal: SeenJournal, sync: SyncLog, run: () => T): T {
  assertNotReplaced(journal)
  const { seen } = journal
  let result: T
  try {
    result = run()
  } catch (error) {
    // In a replaced journal old pointers lead nowhere; that error must not hide that the journal was replaced.
    if (!isClosed(error)) noteChecked(journal, sync.check(journal.seen))
    throw error
  }
  // A synchronous run is not interleaved with others, so only an append of this run can have changed `seen`.
  if (journal.seen === seen) whenOpen(() => noteChecked(journal, sync.check(seen)))
  return result
}

export async function watched<T>(journal: SeenJournal, log: Log, run: (log: Log) => Promise<T>): Promise<T> {
  assertNotReplaced(journal)
  let hasAppended = false
  const own: Log = {
    ...log,
    async append(batch) {
      const appended = await log.append(batch)
      hasAppended = appended.kind === 'done'
      return appended
    },
  }
  let result: T
  try {
    result = await run(own)
  } catch (error) {
    if (!isClosed(error)) noteChecked(journal, await log.check(journal.seen))
    throw error
  }
  if (hasAppended) return result
  const checked = await log.check(journal.seen).catch(openOnly)
  if (checked !== undefined) noteChecked(journal, checked)
  return result
}

/** A backend that was closed meanwhile cannot be checked; what was read came from the open one, so that is no error. */
function whenOpen(check: () => void): void {
  try {
    check()
  } catch (error) {
    openOnly(error)
  }
}

function openOnly(error: unknown): undefined {
  if (!isClosed(error)) throw error
}

function isClosed(error: unknown): boolean {
  return isStateError(error, 'closed')
}
