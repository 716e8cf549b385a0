/**
 * Makes the request that asks a witness to sign the head of a sealed epoch, and stores the answer.
 *
 * A witness signs a head when a proof shows that it extends the last head it signed. Request and answer are those of the
 * C2SP witness protocol; the caller sends them. An answer is stored only if it is a signature of this head by the named
 * key, because an entry cannot be removed. It is stored as the signed head with one more line.
 */

import { findNote, findVerifierKey, noteText, toBase64 } from '../core/index.ts'
import { consistencyProofAt, type EpochRecord, getEpoch, type Handle } from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { recordEpoch } from './epoch.ts'
import { trustError } from './errors.ts'
import { checkHead, findSignedHead } from './signed-head.ts'

/** The request to sign the head of an epoch, for a witness whose last head has the size `seen`. */
export function* witnessRequest({ journal }: Handle, id: string, seen: number): Work<string> {
  const { note, size } = signedHeadOf(yield* getEpoch(id))
  if (!Number.isSafeInteger(seen) || seen < 0 || seen > size)
    throw trustError('witness-ahead', { epoch: id, seen, size })
  const proof = seen === 0 ? [] : yield* consistencyProofAt(journal, seen, size)
  return `old ${seen}\n${proof.map(hash => `${toBase64(hash)}\n`).join('')}\n${note}`
}

/** Adds the answer of a witness to the signed head of an epoch. */
export async function appendCosignature(handle: Handle, id: string, answer: string, key: string): Promise<void> {
  const { journal } = handle
  const witness = findVerifierKey(key)
  if (witness === undefined) throw trustError('key-invalid', { key })
  for (;;) {
    const epoch = await journal.run(getEpoch(id))
    const { note, size, root } = signedHeadOf(epoch)
    const { text, signatures } = findNote(note)!
    const given = findSignedHead(`${text}\n${answer}`)
    const isGood = given !== undefined && (await checkHead(given, [key])).good.length > 0
    if (!isGood || witness.kind !== 'witness') throw trustError('cosignature-wrong', { epoch: id, key })
    if ((await checkHead(findSignedHead(note)!, [key])).good.length > 0) return
    const lines = given.signatures.filter(({ name, keyId }) => name === witness.name && keyId === witness.keyId)
    const signed = noteText({ text, signatures: [...signatures, ...lines] })
    const outcome = await journal.run(recordEpoch(handle, epoch.at, { epoch: id, size, root, signed }))
    if (outcome.kind === 'done') return
  }
}

function signedHeadOf({ id, seal }: EpochRecord): {
  readonly note: string
  readonly size: number
  readonly root: string
} {
  if (seal === undefined) throw trustError('epoch-open', { epoch: id })
  const { seq: size, proof } = seal
  if (proof?.signed === undefined) throw trustError('epoch-unsigned', { epoch: id })
  return { note: proof.signed, size, root: proof.root }
}
