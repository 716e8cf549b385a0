/** Which entries of a journal are commits that a query ranges over. */

import type { EntryRecord } from '../../store/index.ts'
import { findBody } from '../records/entry-bodies.ts'
import { isLandingRef } from '../records/ref-names.ts'

/**
 * Whether an entry is a commit that came to a branch or a thread.
 *
 * A commit that moved no ref to itself was taken over from elsewhere together with the one that did. Commits of drafts and
 * of the system's own refs are not landed.
 */
export function isLanded(record: EntryRecord): boolean {
  if (record.commit === undefined) return false
  const arrivals = record.moves.filter(([, , to]) => to === 0)
  if (arrivals.length === 0) return findBody(record, 'commit')?.via?.draft !== true
  return arrivals.some(([name]) => isLandingRef(name))
}
