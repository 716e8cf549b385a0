/**
 * Keys as they are shown, once, to whoever they are for: `asg_<id>_<secret><check>`.
 *
 * The prefix lets scanners find a key that leaked, the check lets them and us tell a key from a typing error without asking
 * anybody. Of the secret only its SHA-256 is kept: it has 256 random bits, so nothing slower is needed.
 */

import { bytesOfId, hashText, randomBytes, randomId, toBase64Url } from '../../core/index.ts'

export interface NewKey {
  readonly id: string
  /** What is shown once. */
  readonly text: string
  /** What is kept. */
  readonly hash: string
}

const ID_LENGTH = 12
const form = /^asg_([0-9a-z]{12})_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/

export function newKey(): NewKey {
  const id = randomId().slice(-ID_LENGTH)
  const secret = toBase64Url(randomBytes(32))
  const body = `asg_${id}_${secret}`
  return { id, text: body + checkOf(body), hash: hashText(secret) }
}

/** The parts of a key; undefined when it is none. */
export function findKey(text: unknown): { readonly id: string; readonly hash: string } | undefined {
  const parts = typeof text === 'string' ? form.exec(text) : null
  if (parts === null) return undefined
  const [, id, secret, check] = parts as unknown as readonly [string, string, string, string]
  return check === checkOf(`asg_${id}_${secret}`) ? { id, hash: hashText(secret) } : undefined
}

/** Whether two digests are the same, in a time that does not tell where they differ. */
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
