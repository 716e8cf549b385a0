/** Ed25519 from `node:crypto`, with keys as their 32 bytes. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'

/** The DER prefix of a private or public key, before its 32 bytes. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

export interface Ed25519Key {
  readonly publicKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

/** Makes the 32 bytes of a new private key. */
export function newEd25519Seed(): Uint8Array {
  const { privateKey } = generateKeyPairSync('ed25519')
  return new Uint8Array(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32))
}

export function ed25519Key(seed: Uint8Array): Ed25519Key {
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32))
  return { publicKey, sign: message => new Uint8Array(sign(null, message, key)) }
}

export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' })
    return verify(null, message, key, signature)
  } catch {
    // `createPublicKey` throws for bytes that are not a point of the curve.
    return false
  }
}
