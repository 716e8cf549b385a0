/**
 * Encryption with a subject's secret: deterministic AES-256-GCM.
 *
 * The nonce is an HMAC of the plaintext, so equal plaintexts give equal ciphertexts, and different ones do not share a
 * nonce. Subject and key id are the associated data: a ciphertext moved to another of either does not decrypt.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { SubjectKey } from '../core/index.ts'

/** Bytes of a secret. */
export const secretBytes = 32

const algorithm = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Derives a subject's key from its secret, 32 random bytes. */
export function subjectKey(id: string, subject: string, secret: Uint8Array): SubjectKey {
  const encryption = derived(secret, 'agentstategraph sealed value: encryption')
  const nonces = derived(secret, 'agentstategraph sealed value: nonce')
  const bound = Buffer.from(JSON.stringify([subject, id]))
  return {
    id,
    encrypt(plain) {
      const nonce = createHmac('sha256', nonces).update(plain).digest().subarray(0, NONCE_BYTES)
      const cipher = createCipheriv(algorithm, encryption, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(encrypted) {
      if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = encrypted.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(algorithm, encryption, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
      decipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        // The authentication tag is wrong: encrypted with another key, or changed.
        return undefined
      }
    },
  }
}

function derived(secret: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), use, 32))
}
