/**
 * Unique ids: 128 random bits.
 *
 * An id is 26 digits of Crockford's base 32 in lower case, which is safe in paths, names and command lines and has no two
 * digits that look alike. This is the only randomness of the layer, and callers can replace its source.
 */

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** Random bytes are fetched in bulk, because each request costs more than the bytes. */
const pool = new Uint8Array(4096)
let used: number = pool.length

/** Makes an id from 16 bytes that `random` fills in; by default the runtime's cryptographic source does. */
export function randomId(random: (bytes: Uint8Array) => void = fillFromPool): string {
  const bytes = new Uint8Array(16)
  random(bytes)
  let id = ''
  let bits = 0
  let held = 2 // 26 digits hold 130 bits, so two zero bits come first.
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (held += 8; held >= 5; held -= 5) id += digits[(bits >>> (held - 5)) & 31]
    bits &= 31
  }
  return id
}

/** Bytes for secrets: straight from the runtime's cryptographic source, never from the pool. */
export function randomBytes(length: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(length))
}

function fillFromPool(bytes: Uint8Array): void {
  if (used + bytes.length > pool.length) {
    globalThis.crypto.getRandomValues(pool)
    used = 0
  }
  bytes.set(pool.subarray(used, used + bytes.length))
  used += bytes.length
}
