/** Keys that live as long as a test. */

import { findVerifierKey, verifierKeyOf } from '../../../src/core/index.ts'
import { ed25519Key, newEd25519Seed } from '../../../src/node/ed25519.ts'
import type { Signer } from '../../../src/repository/index.ts'

export function newSigner(name = 'example.org/log'): Signer {
  const key = ed25519Key(newEd25519Seed())
  const verifierKey = verifierKeyOf(name, key.publicKey)
  return { verifierKey, keyId: findVerifierKey(verifierKey)!.keyId, sign: async message => key.sign(message) }
}
