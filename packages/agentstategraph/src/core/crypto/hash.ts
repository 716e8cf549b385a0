/**
 * SHA-256 ids.
 *
 * An id is 43 characters of base64url inside stored texts and 64 hex digits everywhere else. Hashing is synchronous in
 * every runtime: with the native module where there is one, else with `sha256.ts`. This file knows texts and bytes, not
 * what they mean.
 */

import { coreError } from '../errors.ts'
import { toBase64Url } from '../text/base64.ts'
import { nativeBuffer } from '../text/native-buffer.ts'
import { type NativeHashes, nativeCrypto } from './native-crypto.ts'
import { runningSha256, sha256 } from './sha256.ts'

type Data = string | Uint8Array

const hashOf = nativeCrypto === undefined ? portableHash : chooseHash(nativeCrypto)

/** Returns the fastest hash function for a runtime with this native module, or without one. */
export function chooseHash(native: NativeHashes | undefined): (data: Data) => string {
  if (native === undefined) return portableHash
  const { hash, createHash } = native
  return hash === undefined
    ? data => createHash('sha256').update(data).digest('base64url')
    : data => hash('sha256', data, 'base64url')
}

function portableHash(data: Data): string {
  return toBase64Url(sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data))
}

const encoder = new TextEncoder()
const encoded = new Uint8Array(64 * 1024)

/** Returns the id of a text: the SHA-256 of its UTF-8. */
export function hashText(text: string): string {
  // Such texts are concatenations, which the encoder flattens faster than the native hash does.
  if (text.length < 256 || text.length * 3 > encoded.length) return hashOf(text)
  return hashOf(encoded.subarray(0, encoder.encodeInto(text, encoded).written))
}

/** Returns the id of a text as a leaf of a Merkle tree: the SHA-256 of a 0 byte and its UTF-8. */
export function leafId(text: string): string {
  // The character U+0000 is the byte 0 in UTF-8, and hashing text is faster than hashing bytes made from it.
  return hashText(`\0${text}`)
}

/** Returns the id of some bytes: their SHA-256. */
export function hashBytes(bytes: Uint8Array): string {
  return hashOf(bytes)
}

/** Concatenates byte arrays, to hash or sign them as one; a single one is returned without a copy. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/** A hash of text that arrives in pieces. */
export interface RunningHash {
  /** Adds a piece, which must not begin or end inside a surrogate pair. */
  update(text: string): void
  /** The SHA-256 of all pieces, in UTF-8, as an id. No piece may follow. */
  digest(): string
}

/** Begins a hash of text that is too long to hold in memory. */
export function runningHash(): RunningHash {
  return nativeCrypto === undefined ? portableRunningHash() : chooseRunningHash(nativeCrypto)
}

/** Begins such a hash in a runtime with this native module, or without one. */
export function chooseRunningHash(native: NativeHashes | undefined): RunningHash {
  if (native === undefined) return portableRunningHash()
  const running = native.createHash('sha256')
  let gathered = ''
  return {
    update(text) {
      gathered += text
      if (gathered.length < GATHERED_LENGTH) return
      running.update(gathered)
      gathered = ''
    },
    digest: () => running.update(gathered).digest('base64url'),
  }
}

function portableRunningHash(): RunningHash {
  const running = runningSha256()
  return { update: text => running.update(encoder.encode(text)), digest: () => toBase64Url(running.digest()) }
}

/** How much text the native hash gets in one call; a call for each line would be slow. */
const GATHERED_LENGTH = 64 * 1024

/** Returns the SHA-256 of some bytes, as bytes. */
export function digestBytes(bytes: Uint8Array): Uint8Array {
  return bytesOfId(hashOf(bytes))
}

/** Writes the 32 bytes of a hash as an id. */
export function idOfBytes(bytes: Uint8Array): string {
  if (bytes.length !== 32) throw coreError('id-invalid', { id: hexOf(bytes), reason: 'it is not 32 bytes long' })
  return toBase64Url(bytes)
}

/** The last character has two zero bits at its end, so that equal bytes have one id. */
const idPattern = /^[\w-]{42}[AEIMQUYcgkosw048]$/

/** Whether a text is an id. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}

/** Returns the 32 bytes of an id. */
export function bytesOfId(id: string): Uint8Array {
  if (id.length !== 43) throw notAnId(id)
  const bytes = new Uint8Array(32)
  let at = 0
  for (let i = 0; i < 40; i += 4) {
    const bits =
      (sextetOf(id, i) << 18) | (sextetOf(id, i + 1) << 12) | (sextetOf(id, i + 2) << 6) | sextetOf(id, i + 3)
    bytes[at++] = bits >> 16
    bytes[at++] = bits >> 8
    bytes[at++] = bits
  }
  const last = sextetOf(id, 42)
  if (!hasNoSpareBits(last)) throw notAnId(id)
  const bits = (sextetOf(id, 40) << 10) | (sextetOf(id, 41) << 4) | (last >> 2)
  bytes[at++] = bits >> 8
  bytes[at] = bits
  return bytes
}

/** The hex digits of recent ids: a commit's id is written several times, and once more when the next commit names its parent. */
const recentHex = new Map<string, string>()
const RECENT_HEX = 64

/** Returns the 64 hex digits of an id. */
export function hexOfId(id: string): string {
  const known = recentHex.get(id)
  if (known !== undefined) return known
  const hex =
    nativeBuffer !== undefined && isId(id) ? nativeBuffer.from(id, 'base64url').toString('hex') : hexOf(bytesOfId(id))
  if (recentHex.size >= RECENT_HEX) recentHex.clear()
  recentHex.set(id, hex)
  return hex
}

const sextets = new Map(Array.from({ length: 64 }, (_, i) => [toBase64Url(Uint8Array.of(i << 2)).charCodeAt(0), i]))
const sextetOfCode: Int8Array = Int8Array.from({ length: 128 }, (_, code) => sextets.get(code) ?? -1)

function sextetOf(id: string, at: number): number {
  const sextet = findSextet(id, at)
  if (sextet < 0) throw notAnId(id)
  return sextet
}

/** The six bits of a character; -1 when it is not in the base64url alphabet. */
function findSextet(id: string, at: number): number {
  return sextetOfCode[id.charCodeAt(at)] ?? -1
}

/** Whether the last character of an id has two zero bits at its end, so that equal bytes have one id. */
function hasNoSpareBits(sextet: number): boolean {
  return (sextet & 3) === 0
}

function notAnId(id: string): Error {
  return coreError('id-invalid', { id, reason: 'it is not a hash of 43 base64url characters' })
}

/** Returns the id with these 64 hex digits, which must be in lower case. */
export function idOfHex(hex: string): string {
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    throw coreError('id-invalid', { id: hex, reason: 'it is not 64 hex digits in lower case' })
  }
  return toBase64Url(Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16)))
}

const hexOfByte: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

function hexOf(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexOfByte[byte]
  return hex
}
