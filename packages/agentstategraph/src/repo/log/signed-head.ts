/**
 * Signed heads: the size and root of a journal's Merkle log, as a checkpoint that a key has signed.
 *
 * The root over a number of entries never changes, so two heads of one log can always be shown to be consistent. Only
 * entries that are in the store are signed. How a key signs, and whether a signature is valid, is not known here.
 */

import { checkpointText, findVerifierKey, noteText } from '../../core/index.ts'
import { type Journal, readGenesis } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Signer } from '../records/signing.ts'
import { rootAt } from './merkle-log.ts'
import { assertNotRetired } from './signing-keys.ts'

/** Returns the signer, or throws what it lacks. */
export function checkedSigner(signer: Signer): Signer {
  const refuse = (reason: string): Error => repoError('signer-invalid', { reason })
  const key = typeof signer.verifierKey === 'string' ? findVerifierKey(signer.verifierKey) : undefined
  if (key?.kind !== 'log') throw refuse('its verifierKey is not an Ed25519 key of a log, of the form name+hash+base64')
  if (key.keyId !== signer.keyId) throw refuse(`its keyId is not the ${key.keyId} of its verifierKey`)
  if (typeof signer.sign !== 'function') throw refuse('it has no sign')
  return signer
}

/** The name of a log in its heads. The origin is part of genesis, so no two logs have the same name. */
export function logOrigin(origin: string): string {
  return `agentstategraph/${encodeURIComponent(origin)}`
}

/** Origins that were read. They never change, and every head needs one. */
const origins = new WeakMap<Journal, string>()

/** The origin of a journal's log. An empty journal has none yet. */
export async function originOf(journal: Journal): Promise<string> {
  const known = origins.get(journal.opened)
  if (known !== undefined) return known
  const genesis = await journal.run(readGenesis())
  const origin = logOrigin(genesis?.origin ?? '')
  if (genesis !== undefined) origins.set(journal.opened, origin)
  return origin
}

/** The head over the first `size` entries, signed by one key, or by both when one replaces the other. */
export async function signedHead(journal: Journal, signers: readonly Signer[], size: number): Promise<string> {
  const origin = await originOf(journal)
  for (const { verifierKey } of signers) await journal.run(assertNotRetired(journal, verifierKey, size))
  const root = await journal.run(rootAt(journal, size))
  const text = checkpointText({ origin, size, root })
  const message = new TextEncoder().encode(text)
  const signatures = signers.map(async signer => {
    const { name, keyId } = findVerifierKey(signer.verifierKey)!
    const bytes = await signer.sign(message)
    if (!(bytes instanceof Uint8Array) || bytes.length !== 64) {
      throw repoError('signer-invalid', { reason: 'what it gave is not a signature of 64 bytes' })
    }
    return { name, keyId, bytes }
  })
  return noteText({ text, signatures: await Promise.all(signatures) })
}
