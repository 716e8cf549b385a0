/** What an append does for a handle that is for one write under a key: its entry names the key. */

import type { CommitOutcome, EntryRequest, Recorded } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Once } from '../records/once.ts'

/** The request that the next append has to carry. */
export function requestToCarry(once: Once): EntryRequest | undefined {
  return once.isCarried ? undefined : once.request
}

/** Notes that an append has carried the request. Throws `already-done` when another one did before. */
export function noteCarried(once: Once, outcome: Recorded | CommitOutcome): void {
  if (once.isCarried) return
  if (outcome.kind === 'repeated' && outcome.key === once.request.key)
    throw repoError('already-done', { key: once.given, entry: outcome.seq })
  if (outcome.kind === 'done') once.isCarried = true
}
