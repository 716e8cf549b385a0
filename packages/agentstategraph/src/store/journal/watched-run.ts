/**
 * Running work on a journal so that nothing of another journal is told.
 *
 * A run that ended with an append was checked inside that append. Any other is checked when it is over.
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
    // Old pointers lead nowhere in another journal: that is what has to be told, and not where they led.
    if (!isClosed(error)) noteChecked(journal, sync.check(journal.seen))
    throw error
  }
  // Nothing comes between in a process that does not wait, so only an append of this run can have moved it.
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

/** A backend that was closed meanwhile cannot be asked, and what was read before that was read while it was open. */
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
