/**
 * Going on with a journal that does not match its marks.
 *
 * The loss stays on record: a note in the journal says what was expected and why the history is accepted without it. The
 * marks then restart at that note.
 */

import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { signedHead } from '../log/signed-head.ts'
import { tailText } from '../log/tail-mark.ts'
import type { HistoryFault } from '../records/signing.ts'
import { recordEntries } from './record-entries.ts'

/** Records that a history is accepted as it is, and lets the marks go on from there. */
export async function acceptFault(handle: Handle, { code, expected }: HistoryFault, reason: string): Promise<void> {
  const { journal, shared, who } = handle
  if (shared.isOpenedToRead) throw repoError('read-only', { operation: 'Accepting a history' })
  const body = { accepted: code, reason, ...(expected === undefined ? {} : { expected }) }
  const record = { kind: 'note', agent: who.agent, body }
  const { assertAppendable } = journal
  // This note is the one entry that a history with a fault takes.
  journal.assertAppendable = undefined
  const outcome = await journal.run(recordEntries(handle, [{ capability: 'admin' }], [record])).catch(error => {
    journal.assertAppendable = assertAppendable
    throw error
  })
  if (outcome.kind !== 'done') throw new Error(`An entry without moves was answered with ${outcome.kind}`)
  await restartMarks(handle, outcome.first)
  shared.fault = undefined
  shared.isReadOnly = false
}

async function restartMarks({ journal, shared }: Handle, size: number): Promise<void> {
  const { backend, signing } = shared
  const { namespace } = journal
  if (signing !== undefined || (await backend.marks?.read(namespace)) !== undefined) {
    // Without the key, the head has no signature; who has the key signs the next one.
    const head = signing === undefined ? await signedHead(journal, [], size) : await signing.headAt(size)
    await backend.marks?.replace(namespace, head, () => true)
  }
  const tail = tailText(journal)
  if (tail !== undefined) await backend.tails?.replace(namespace, tail, () => true)
}
