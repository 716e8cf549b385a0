/**
 * Strict verification of Ed25519 signatures: a signature about which two honest verifiers could disagree is refused.
 *
 * Besides the equation itself, S must be below the order of the group, and both the key and R must be canonical points that
 * are not of small order.
 */

import { verifyEd25519 } from './verify-ed25519.ts'

/** The order of the group, and the prime of the field, in little-endian hex. */
const ORDER = 'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010'
const PRIME = 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'

/** The y coordinates of the points of small order. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])

export async function isSignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const isStrict = isPoint(publicKey) && isPoint(signature.subarray(0, 32)) && isBelow(signature.subarray(32), ORDER)
  if (!isStrict) return false
  return verifyEd25519(publicKey, message, signature)
}

/** Whether bytes are the canonical form of a point that is not of small order. */
function isPoint(bytes: Uint8Array): boolean {
  const y = bytes.slice()
  y[31]! &= 0x7f
  return isBelow(y, PRIME) && !SMALL_ORDER.has(hexOf(y))
}

/** Compares two little-endian numbers of 32 bytes. */
function isBelow(bytes: Uint8Array, limit: string): boolean {
  const [a, b] = [hexOf(bytes.toReversed()), (limit.match(/../g) ?? []).reverse().join('')]
  return a < b
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
