/**
 * Detects that a journal is no longer the one that a process has read and cached.
 *
 * Caches are keyed by entry number, and a namespace that was dropped and made again uses the same numbers for other
 * entries. So what was seen of the journal is compared inside every append and at the end of every read. Entries never
 * change, so a replaced journal never becomes the old one again: if it is the same at the end, it was the same all along.
 */

import type { Checked, Seen } from '../contract/backend.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'

export interface SeenJournal {
  readonly namespace: string
  /** Undefined while the journal is empty. */
  seen: Seen | undefined
  /** Whether the journal was replaced by another. Then nothing is read or written any more. */
  isReplaced: boolean
}

export function assertNotReplaced(journal: SeenJournal): void {
  if (journal.isReplaced) throw replacedError(journal)
}

/** Records what the backend found: the newest entry, or that the journal was replaced. */
export function noteChecked(journal: SeenJournal, checked: Checked): void {
  if (checked.kind === 'replaced') throw noteReplaced(journal)
  if (checked.newest !== undefined) noteNewest(journal, checked.newest)
}

export function noteAppended(journal: SeenJournal, seq: number, leaf: string): void {
  noteNewest(journal, { first: journal.seen?.first ?? leaf, seq, leaf })
}

/** Asynchronous answers may arrive out of order, so an older entry does not replace a newer one. */
function noteNewest(journal: SeenJournal, newest: Seen): void {
  if (journal.seen === undefined || newest.seq > journal.seen.seq) journal.seen = newest
}

export function noteReplaced(journal: SeenJournal): Error {
  journal.isReplaced = true
  return replacedError(journal)
}

/** Throws when the journal was replaced, before an operation that must not touch another journal. */
export function* assertSameJournal(journal: SeenJournal): Work<void> {
  noteChecked(journal, yield* ask(log => log.check(journal.seen)))
}

function replacedError({ namespace, seen }: SeenJournal): Error {
  return storeError('journal-replaced', { namespace, seq: seen?.seq ?? 0 })
}
