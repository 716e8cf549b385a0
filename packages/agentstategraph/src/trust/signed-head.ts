/**
 * Reads signed heads and checks their signatures with keys of the caller.
 *
 * A key is never taken from the head itself. Signature lines of other keys are ignored; a wrong signature of a given key
 * makes the head invalid.
 */

import {
  findCheckpoint,
  findNote,
  findVerifierKey,
  joinedBytes,
  type NoteSignature,
  toBase64,
  type VerifierKey,
} from '../core/index.ts'
import { eventLoop } from '../store/index.ts'
import { isSignature } from './ed25519.ts'
import { signatureError } from './signature-errors.ts'

/** The size and root hash of the log, signed. */
export interface SignedHead {
  readonly origin: string
  /** How many entries it covers. */
  readonly size: number
  /** In base64. */
  readonly root: string
  /** The text that is signed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** The outcome of checking a head with some keys. */
export interface HeadVerdict {
  /** The keys with a good signature. */
  readonly good: readonly string[]
  /** The keys with a wrong signature. */
  readonly wrong: readonly string[]
}

/** Parses a signed head; undefined when the text is not exactly one. It may have no signatures. */
export function findSignedHead(note: string): SignedHead | undefined {
  const parts = findNote(note)
  const head = parts === undefined ? undefined : findCheckpoint(parts.text)
  if (parts === undefined || head === undefined) return undefined
  const { origin, size, root } = head
  return { origin, size, root: toBase64(root), text: parts.text, signatures: parts.signatures }
}

/** Checks the signatures of a head with keys of the form name+hash+base64. */
export async function checkHead(head: SignedHead, keys: readonly string[]): Promise<HeadVerdict> {
  const good: string[] = []
  const wrong: string[] = []
  const signatures = signaturesByKey(head)
  for (const text of new Set(keys)) {
    const key = findVerifierKey(text)
    if (key === undefined) throw signatureError('key-invalid', { key: text })
    const own = signatures.get(nameOf(key))
    if (own === undefined) continue
    const found = (await areSignedBy(head.text, key, [...own.values()])) ? good : wrong
    found.push(text)
  }
  return { good, wrong }
}

function nameOf({ name, keyId }: Pick<VerifierKey, 'name' | 'keyId'>): string {
  return `${name} ${keyId}`
}

/** The different signatures of each key: a line that comes again is checked once. */
function signaturesByKey({ signatures }: SignedHead): ReadonlyMap<string, ReadonlyMap<string, Uint8Array>> {
  const byKey = new Map<string, Map<string, Uint8Array>>()
  for (const line of signatures) {
    const own = byKey.get(nameOf(line)) ?? new Map<string, Uint8Array>()
    byKey.set(nameOf(line), own.set(toBase64(line.bytes), line.bytes))
  }
  return byKey
}

/** One wrong signature decides. */
async function areSignedBy(text: string, key: VerifierKey, signatures: readonly Uint8Array[]): Promise<boolean> {
  for (const bytes of signatures) {
    if (!(await isSignedBy(text, key, bytes))) return false
    if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
  }
  return true
}

const TIME_BYTES = 8

/** Whether the bytes of a line are a key's signature of a text, or a witness's cosignature. */
async function isSignedBy(text: string, { kind, publicKey }: VerifierKey, bytes: Uint8Array): Promise<boolean> {
  const message = new TextEncoder().encode(text)
  if (kind === 'log') return isSignature(publicKey, message, bytes)
  if (bytes.length !== TIME_BYTES + 64) return false
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
  const seen = new TextEncoder().encode(`cosignature/v1\ntime ${time}\n`)
  return isSignature(publicKey, joinedBytes([seen, message]), bytes.subarray(TIME_BYTES))
}
