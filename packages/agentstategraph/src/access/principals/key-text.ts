/**
 * The text of keys, which is shown once: `asg_<id>_<secret><home><check>`.
 *
 * The prefix lets scanners find a leaked key, and the checksum detects a typing error without a lookup. Only the SHA-256 of the
 * secret is stored: with 256 random bits it needs no slow hash. `home` is the namespace in base64url, and empty for the default
 * one, so that a server finds the namespace of a key without asking each.
 */

import { bytesOfId, findBase64Url, hashText, randomBytes, randomId, toBase64Url } from '../../core/index.ts'
import { defaultNamespace } from '../../store/index.ts'

export interface NewKey {
  readonly id: string
  /** Shown once. */
  readonly text: string
  /** Stored. */
  readonly hash: string
}

/** The parts of a key that are not secret. */
export interface KeyParts {
  readonly id: string
  readonly hash: string
  readonly namespace: string
}

const ID_LENGTH = 12
/** A name has at most 512 bytes, which are 683 letters. */
const form = /^asg_([0-9a-z]{12})_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{0,683})([A-Za-z0-9_-]{6})$/

export function newKey(namespace: string): NewKey {
  const id = randomId().slice(-ID_LENGTH)
  const secret = toBase64Url(randomBytes(32))
  const home = namespace === defaultNamespace ? '' : toBase64Url(new TextEncoder().encode(namespace))
  const body = `asg_${id}_${secret}${home}`
  return { id, text: body + checkOf(body), hash: hashText(secret) }
}

/** The parts of a key; undefined when it is none. */
export function findKey(text: unknown): KeyParts | undefined {
  const parts = typeof text === 'string' ? form.exec(text) : null
  if (parts === null) return undefined
  const [, id, secret, home, check] = parts as unknown as readonly [string, string, string, string, string]
  if (check !== checkOf(`asg_${id}_${secret}${home}`)) return undefined
  const namespace = home === '' ? defaultNamespace : findText(home)
  return namespace === undefined ? undefined : { id, hash: hashText(secret), namespace }
}

function findText(base64: string): string | undefined {
  const bytes = findBase64Url(base64)
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The name of the journal entry that made a key. A store finds entries by their names, so no namespace has to be opened. */
export function entryNameOf({ hash }: Pick<KeyParts, 'hash'>): string {
  return `key/${hash}`
}

/** Compares digests in constant time. */
export function isSameDigest(a: string, b: string): boolean {
  const [left, right] = [bytesOfId(a), bytesOfId(b)]
  let difference = 0
  for (let i = 0; i < left.length; i++) difference |= left[i]! ^ right[i]!
  return difference === 0
}

const POLYNOMIAL = 0xedb88320

/** The CRC-32 of a text, in six letters. */
function checkOf(text: string): string {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
  }
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, ~crc >>> 0)
  return toBase64Url(bytes)
}
