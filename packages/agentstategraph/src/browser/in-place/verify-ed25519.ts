/** Ed25519 from WebCrypto, which a page has in a secure context only: over https, on localhost, or from a file. */

import { signatureError } from '../../trust/signature-errors.ts'

/** Whether the equation of a signature holds. Throws where the browser cannot tell. */
export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { subtle } = (globalThis as { readonly crypto?: Partial<Crypto> }).crypto ?? {}
  if (subtle === undefined)
    throw signatureError('signatures-unsupported', { reason: 'a page over plain http has no WebCrypto' })
  try {
    const key = await subtle.importKey('raw', copyOf(publicKey), 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', key, copyOf(signature), copyOf(message))
  } catch (cause) {
    // Bytes that are no point of the curve.
    if ((cause as Error).name === 'DataError') return false
    throw signatureError('signatures-unsupported', { reason: 'this browser does not know Ed25519' }, { cause })
  }
}

function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
