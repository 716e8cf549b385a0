/**
 * Unique ids: 128 random bits.
 *
 * An id is 26 digits of Crockford's base 32 in lower case, which is safe in paths, names and command lines and has no two
 * digits that look alike. This is the only randomness of the layer, and callers can replace its source.
 */

import { nativeCrypto } from './native-crypto.ts'

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
/** Two digits each, by their ten bits. */
const pairs: readonly string[] = Array.from({ length: 1024 }, (_, bits) => `${digits[bits >> 5]}${digits[bits & 31]}`)

const ID_BYTES = 16

/** Random bytes are fetched in bulk, because each request costs more than the bytes. */
const pool = new Uint8Array(4096)
let used: number = pool.length

/** Makes an id from 16 bytes that `random` fills in; by default the runtime's cryptographic source does. */
export function randomId(random?: (bytes: Uint8Array) => void): string {
  if (random === undefined) return idFrom(pool, takeFromPool())
  const bytes = new Uint8Array(ID_BYTES)
  random(bytes)
  return idFrom(bytes, 0)
}

function idFrom(bytes: Uint8Array, start: number): string {
  let id = ''
  let bits = 0
  let held = 2 // 26 digits hold 130 bits, so two zero bits come first.
  for (let at = start; at < start + ID_BYTES; at++) {
    bits = (bits << 8) | bytes[at]!
    held += 8
    if (held < 10) continue
    held -= 10
    id += pairs[bits >>> held]
    bits &= (1 << held) - 1
  }
  return id
}

/** Bytes for secrets: straight from the runtime's cryptographic source, never from the pool. */
export function randomBytes(length: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(length))
}

/** Where the pool has the bytes of one id that was not made yet. */
function takeFromPool(): number {
  if (used + ID_BYTES > pool.length) {
    fillRandom(pool)
    used = 0
  }
  used += ID_BYTES
  return used - ID_BYTES
}

/** Node loads its web cryptography on first use, which takes longer than its own module, and that is there for hashing. */
function fillRandom(bytes: Uint8Array<ArrayBuffer>): void {
  if (nativeCrypto === undefined) globalThis.crypto.getRandomValues(bytes)
  else nativeCrypto.randomFillSync(bytes)
}
