/**
 * Encryption with a subject's secret: deterministic AES-256-GCM.
 *
 * Subject, key id and `protect` pattern are the associated data: a ciphertext moved to another of these does not decrypt.
 * The nonce is an HMAC of the associated data and the plaintext: equal plaintexts of one pattern give equal ciphertexts, and
 * nothing else shares a nonce, which would give away the key of the authentication tag.
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
  const boundTo = (pattern: string): Buffer => Buffer.from(JSON.stringify([subject, id, pattern]))
  return {
    id,
    encrypt(plain, pattern) {
      const bound = boundTo(pattern)
      const nonce = createHmac('sha256', nonces).update(bound).update(plain).digest().subarray(0, NONCE_BYTES)
      const cipher = createCipheriv(algorithm, encryption, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(encrypted, pattern) {
      if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = encrypted.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(algorithm, encryption, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(boundTo(pattern))
      decipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        // The authentication tag is wrong: encrypted with another key or for another pattern, or changed.
        return undefined
      }
    },
  }
}

function derived(secret: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), use, 32))
}
