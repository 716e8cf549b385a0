/**
 * Accepts a history that does not match its high-water mark.
 *
 * The loss stays on record: a note in the journal says which head was expected and who accepted the history without it.
 * Receipts and heads that others hold still show the loss.
 */

import { acceptFault } from '../repo/index.ts'
import { checkedText } from '../repo/records/info.ts'
import type { Repository } from '../repository/index.ts'
import { trustError } from './errors.ts'

const MAX_REASON_BYTES = 1024

/** Makes a repository writable again that its high-water mark made read-only. The mark restarts at the present head. */
export async function acceptHistory(repo: Pick<Repository, 'handle'>, reason: string): Promise<void> {
  const { fault } = repo.handle.shared
  if (fault === undefined) throw trustError('history-whole', {})
  checkedText('reason', reason, MAX_REASON_BYTES)
  await acceptFault(repo.handle, fault, reason)
}
