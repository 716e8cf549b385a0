/**
 * Whether a journal still is the one that a process has read and cached.
 *
 * Caches are kept by entry number, and a namespace that was dropped and made again has the same numbers for other entries. So
 * what was seen of the journal is compared inside every append, and at the end of everything that was only read: entries never
 * change, so another journal never becomes this one again, and what is found to be the same at the end was the same all along.
 */

import type { Checked, Seen } from '../contract/backend.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'

/** What a journal keeps of this. */
export interface SeenJournal {
  readonly namespace: string
  /** Undefined as long as the journal was empty. */
  seen: Seen | undefined
  /** Whether another journal has taken its place. Then nothing is read or written any more. */
  isReplaced: boolean
}

export function assertNotReplaced(journal: SeenJournal): void {
  if (journal.isReplaced) throw replacedError(journal)
}

/** Takes what the backend found: remembers the newest entry, or that the journal is another one. */
export function noteChecked(journal: SeenJournal, checked: Checked): void {
  if (checked.kind === 'replaced') throw noteReplaced(journal)
  if (checked.newest !== undefined) noteNewest(journal, checked.newest)
}

/** Remembers an entry that was added. */
export function noteAppended(journal: SeenJournal, seq: number, leaf: string): void {
  noteNewest(journal, { first: journal.seen?.first ?? leaf, seq, leaf })
}

/** Answers of a backend that waits may come in another order than they were given. */
function noteNewest(journal: SeenJournal, newest: Seen): void {
  if (journal.seen === undefined || newest.seq > journal.seen.seq) journal.seen = newest
}

export function noteReplaced(journal: SeenJournal): Error {
  journal.isReplaced = true
  return replacedError(journal)
}

/** Throws when the journal is another one, before something is done that only this one may have done to it. */
export function* assertSameJournal(journal: SeenJournal): Work<void> {
  noteChecked(journal, yield* ask(log => log.check(journal.seen)))
}

function replacedError({ namespace, seen }: SeenJournal): Error {
  return storeError('journal-replaced', { namespace, seq: seen?.seq ?? 0 })
}
