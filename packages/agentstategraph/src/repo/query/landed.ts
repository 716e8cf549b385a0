/** Which entries of a journal are commits that a query ranges over. */

import type { EntryRecord } from '../../store/index.ts'
import { isLandingRef } from '../records/ref-names.ts'

/**
 * Whether an entry is a commit that came to a branch or a thread.
 *
 * A commit that moved no ref to itself was taken over from elsewhere together with the one that did. Commits of drafts and
 * of the system's own refs are not landed.
 */
export function isLanded({ commit, moves, body }: EntryRecord): boolean {
  if (commit === undefined) return false
  const arrivals = moves.filter(([, , to]) => to === 0)
  if (arrivals.length === 0) return !wasDraft(body)
  return arrivals.some(([name]) => isLandingRef(name))
}

/** Whether what was taken over had not landed where it came from either. */
function wasDraft(body: EntryRecord['body']): boolean {
  return (body as { readonly via?: { readonly draft?: boolean } } | undefined)?.via?.draft === true
}
