/** The equation of a signature, in the arithmetic of the runtime, which is loaded on first use. */

export async function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const native = await import('../node/ed25519.ts')
  return native.verifyEd25519(publicKey, message, signature)
}
