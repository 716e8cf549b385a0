/**
 * Replaces the signing key of a log.
 *
 * The change is an entry. The first head that covers it is signed by both keys and stored in a note, so that a verifier who
 * trusts the old key can trust the new one. After that the old key no longer signs.
 */

import { canonicalText } from '../core/index.ts'
import {
  assertWritable,
  checkedSigner,
  type Handle,
  type KeyBody,
  keyChanges,
  keysRef,
  type NoteBody,
  recordEntries,
  type Signer,
  signedHead,
} from '../repo/index.ts'
import type { Repository } from '../repository/index.ts'
import { ask, type Work } from '../store/index.ts'
import { trustError } from './errors.ts'

/** Replaces the key that the repository was opened with. Returns the head that both keys signed. */
export async function rotateKey(repo: Pick<Repository, 'handle'>, next: Signer): Promise<string> {
  const { handle } = repo
  const { journal, shared } = handle
  assertWritable(shared, 'rotateKey')
  const { signing } = shared
  if (signing === undefined) throw trustError('signer-missing', { what: 'replacing a key' })
  const before = signing.signer
  if (checkedSigner(next).verifierKey === before.verifierKey) throw trustError('key-same', { key: next.verifierKey })
  const change: KeyBody = { add: [next.verifierKey], retire: [before.verifierKey] }
  // A change that was interrupted is completed, not made again.
  const begun = (await journal.run(keyChanges())).at(-1)
  const isBegun = begun?.signed === undefined && canonicalText(begun?.add ?? []) === canonicalText(change.add)
  const seq = isBegun ? begun!.seq : await journal.run(appendKeys(handle, 'key', change))
  signing.signer = next
  const head = await signedHead(journal, [before, next], seq)
  await journal.run(appendKeys(handle, 'note', { signed: head }))
  await signing.mark?.flush()
  return head
}

function* appendKeys(handle: Handle, kind: 'key' | 'note', body: KeyBody | NoteBody): Work<number> {
  for (;;) {
    const expect = yield* ask(log => log.ref(keysRef))
    const record = { kind, agent: handle.who.agent, body }
    const outcome = yield* recordEntries(handle, [{ capability: 'admin' }], [record], {
      moves: [{ name: keysRef, expect, to: { entry: 0 } }],
    })
    if (outcome.kind === 'done') return outcome.first
  }
}
