/**
 * Base64 (RFC 4648): the standard alphabet with padding for bytes in values, the URL alphabet without padding for ids.
 *
 * Reading is strict: it accepts only the text that writing produces, so that equal bytes have one text. It uses `Buffer`
 * where there is one.
 */

import { nativeBuffer } from './native-buffer.ts'

type Variant = 'base64' | 'base64url'

const equals = 61
const none = 255
const shared = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const alphabets = { base64: codesOf(`${shared}+/`), base64url: codesOf(`${shared}-_`) }
const sextets = { base64: sextetsOf(alphabets.base64), base64url: sextetsOf(alphabets.base64url) }

function codesOf(alphabet: string): Uint8Array {
  return Uint8Array.from(alphabet, letter => letter.charCodeAt(0))
}

function sextetsOf(codes: Uint8Array): Uint8Array {
  const table = new Uint8Array(128).fill(none)
  codes.forEach((code, sextet) => {
    table[code] = sextet
  })
  return table
}

/** Writes bytes as base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return write(bytes, 'base64')
}

/** Writes bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return write(bytes, 'base64url')
}

/** Reads base64 with padding; `undefined` when `toBase64` does not give this text. */
export function findBase64(text: string): Uint8Array | undefined {
  return read(text, 'base64')
}

/** Reads base64url without padding; `undefined` when `toBase64Url` does not give this text. */
export function findBase64Url(text: string): Uint8Array | undefined {
  return read(text, 'base64url')
}

function write(bytes: Uint8Array, variant: Variant): string {
  if (nativeBuffer === undefined) return portableWrite(bytes, variant)
  return nativeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(variant)
}

function read(text: string, variant: Variant): Uint8Array | undefined {
  if (nativeBuffer === undefined) return portableRead(text, variant)
  const bytes = new Uint8Array(nativeBuffer.from(text, variant))
  return write(bytes, variant) === text ? bytes : undefined
}

/** Writes base64 without `Buffer`. */
export function portableWrite(bytes: Uint8Array, variant: Variant): string {
  const alphabet = alphabets[variant]
  const { length } = bytes
  const codes = new Uint8Array(Math.ceil(length / 3) * 4).fill(equals)
  let at = 0
  for (let i = 0; i < length; i += 3) {
    const left = length - i
    const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    codes[at++] = alphabet[bits >> 18]!
    codes[at++] = alphabet[(bits >> 12) & 63]!
    if (left > 1) codes[at++] = alphabet[(bits >> 6) & 63]!
    if (left > 2) codes[at++] = alphabet[bits & 63]!
  }
  return new TextDecoder().decode(variant === 'base64' ? codes : codes.subarray(0, at))
}

/** Reads base64 without `Buffer`. */
export function portableRead(text: string, variant: Variant): Uint8Array | undefined {
  const table = sextets[variant]
  let letters = text.length
  while (variant === 'base64' && letters > 0 && text.charCodeAt(letters - 1) === equals) letters--
  const bytes = new Uint8Array(Math.floor((letters * 3) / 4))
  let at = 0
  let bits = 0
  for (let i = 0; i < letters; i++) {
    const sextet = table[text.charCodeAt(i)] ?? none
    if (sextet === none) return undefined
    bits = (bits << 6) | sextet
    if (i % 4 !== 0) bytes[at++] = bits >> (6 - 2 * (i % 4))
  }
  // Refuses wrong padding and spare bits that are not zero.
  return portableWrite(bytes, variant) === text ? bytes : undefined
}
