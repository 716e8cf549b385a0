/**
 * Accepts a history that does not match its high-water mark.
 *
 * The loss stays on record: a note in the journal says which head was expected and who accepted the history without it.
 * Receipts and heads that others hold still show the loss.
 */

import { toBase64 } from '../core/index.ts'
import { findMark, recordEntries, repoError } from '../repo/index.ts'
import { checkedText } from '../repo/records/info.ts'
import type { Repository } from '../repository/index.ts'
import { trustError } from './errors.ts'

const MAX_REASON_BYTES = 1024

/** Makes a repository writable again that its high-water mark made read-only. The mark restarts at the present head. */
export async function acceptHistory(repo: Pick<Repository, 'handle'>, reason: string): Promise<void> {
  const { journal, shared, who } = repo.handle
  const { fault, signing } = shared
  if (fault === undefined || signing === undefined) throw trustError('history-whole', {})
  if (signing.place === undefined) throw repoError('read-only', { operation: 'acceptHistory' })
  const { marks, namespace } = signing.place
  checkedText('reason', reason, MAX_REASON_BYTES)
  const kept = await marks.read(namespace)
  const mark = kept === undefined ? undefined : findMark(kept)
  const expected =
    mark === undefined ? {} : { expected: { origin: mark.origin, root: toBase64(mark.root), size: mark.size } }
  const record = { kind: 'note', agent: who.agent, body: { accepted: fault.code, reason, ...expected } }
  const { assertAppendable } = journal
  // This note is the one entry that a history with a fault takes.
  journal.assertAppendable = undefined
  const outcome = await journal.run(recordEntries(repo.handle, [{ capability: 'admin' }], [record])).catch(error => {
    journal.assertAppendable = assertAppendable
    throw error
  })
  if (outcome.kind !== 'done') throw new Error(`An entry without moves was answered with ${outcome.kind}`)
  const head = await signing.headAt(outcome.first)
  await marks.replace(namespace, head, () => true)
  shared.fault = undefined
  shared.isReadOnly = false
}
