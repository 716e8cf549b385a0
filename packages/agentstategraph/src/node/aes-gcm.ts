/**
 * Encryption with a subject's secret: AES-256-GCM, with everything derived from the secret and the text itself.
 *
 * The nonce is an HMAC of the text, so equal texts give equal bytes and different ones never share a nonce by accident.
 * What is sealed is bound to the subject and to the id of the key: moved to another of either, it does not open.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { SubjectKey } from '../core/index.ts'

/** Bytes of a secret. */
export const secretBytes = 32

const algorithm = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The key that a subject's secret makes. The secret is 32 random bytes, known to nobody else. */
export function subjectKey(id: string, subject: string, secret: Uint8Array): SubjectKey {
  const encryption = derived(secret, 'agentstategraph sealed value: encryption')
  const nonces = derived(secret, 'agentstategraph sealed value: nonce')
  const bound = Buffer.from(JSON.stringify([subject, id]))
  return {
    id,
    seal(plain) {
      const nonce = createHmac('sha256', nonces).update(plain).digest().subarray(0, NONCE_BYTES)
      const cipher = createCipheriv(algorithm, encryption, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(algorithm, encryption, nonce, { authTagLength: TAG_BYTES }).setAAD(bound)
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        // The tag does not fit: sealed with another key, or changed.
        return undefined
      }
    },
  }
}

function derived(secret: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), use, 32))
}
