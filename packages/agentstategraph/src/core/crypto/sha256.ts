/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, for runtimes without a synchronous native one.
 *
 * It knows bytes only. `hash.ts` decides when it is used.
 */

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the
// first 8: computed, because a table of 72 numbers would hide a typing error.
const primes = firstPrimes(64)
const roundConstants = Uint32Array.from(primes, prime => fraction(Math.cbrt(prime)))
const initialState = Uint32Array.from(primes.slice(0, 8), prime => fraction(Math.sqrt(prime)))

function firstPrimes(count: number): readonly number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every(prime => n % prime !== 0)) found.push(n)
  return found
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

/** Returns the 32 bytes of the SHA-256 of some bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const running = runningSha256()
  running.update(bytes)
  return running.digest()
}

/** A hash of bytes that arrive in pieces. */
export interface RunningSha256 {
  update(bytes: Uint8Array): void
  /** The hash of all pieces. No piece may follow. */
  digest(): Uint8Array
}

export function runningSha256(): RunningSha256 {
  const state = initialState.slice()
  const schedule = new Uint32Array(64)
  const block = new Uint8Array(64)
  const blockView = new DataView(block.buffer)
  let held = 0
  let total = 0

  return {
    update(bytes) {
      total += bytes.length
      const taken = Math.min(held === 0 ? 0 : 64 - held, bytes.length)
      block.set(bytes.subarray(0, taken), held)
      held += taken
      if (held === 64) {
        compress(state, schedule, blockView, 0)
        held = 0
      }
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let offset = taken
      for (; offset + 64 <= bytes.length; offset += 64) compress(state, schedule, view, offset)
      block.set(bytes.subarray(offset), held)
      held += bytes.length - offset
    },
    digest() {
      const tail = new Uint8Array(held < 56 ? 64 : 128)
      tail.set(block.subarray(0, held))
      tail[held] = 0x80
      const end = new DataView(tail.buffer)
      end.setUint32(tail.length - 8, Math.floor(total / 2 ** 29))
      end.setUint32(tail.length - 4, (total * 8) % 2 ** 32)
      for (let offset = 0; offset < tail.length; offset += 64) compress(state, schedule, end, offset)
      const digest = new Uint8Array(32)
      const out = new DataView(digest.buffer)
      for (let i = 0; i < 8; i++) out.setUint32(i * 4, state[i]!)
      return digest
    },
  }
}

function compress(state: Uint32Array, w: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const early = w[i - 15]!
    const late = w[i - 2]!
    const s0 = rotr(early, 7) ^ rotr(early, 18) ^ (early >>> 3)
    const s1 = rotr(late, 17) ^ rotr(late, 19) ^ (late >>> 10)
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i]! + w[i]!) | 0
    const s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

function rotr(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n))
}
