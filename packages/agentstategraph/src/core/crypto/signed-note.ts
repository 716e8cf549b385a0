/**
 * Signed notes and checkpoints as C2SP writes them: a text, a blank line, and a line for each signature.
 *
 * A checkpoint is a note of three lines: the log's origin, its size, its root in base64. A verifier key is
 * `name+hash+base64`; the four-byte hash distinguishes keys of one name and is no protection. This file reads and writes
 * texts; it does not sign and does not know which keys are trusted.
 */

import { findBase64, toBase64 } from '../text/base64.ts'
import { digestBytes, joinedBytes } from './hash.ts'

/** The first byte of a key says what it signs: heads of its own log, or as a witness the time at which it saw a head. */
const KINDS = { log: 1, witness: 4 } as const
const DASH = '\u2014'

export interface VerifierKey {
  readonly name: string
  readonly kind: 'log' | 'witness'
  /** Eight hex digits. */
  readonly keyId: string
  /** The 32 bytes of an Ed25519 public key. */
  readonly publicKey: Uint8Array
}

export interface NoteSignature {
  readonly name: string
  readonly keyId: string
  readonly bytes: Uint8Array
}

export interface SignedNote {
  /** What is signed: the text with its last line break. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** The size and root of a log, as a checkpoint has them. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

/** Whether a text can be the name of a key: it is not empty and has neither spaces nor a plus. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\s+\p{Cc}]/u.test(name)
}

export function verifierKeyOf(name: string, publicKey: Uint8Array, kind: VerifierKey['kind'] = 'log'): string {
  const bytes = joinedBytes([Uint8Array.of(KINDS[kind]), publicKey])
  return `${name}+${keyIdOf(name, bytes)}+${toBase64(bytes)}`
}

/** Reads a verifier key; undefined when it is malformed, not of Ed25519, or its hash is wrong. */
export function findVerifierKey(text: string): VerifierKey | undefined {
  const [, name, keyId, base64] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? []
  if (name === undefined || keyId === undefined || base64 === undefined || !isKeyName(name)) return undefined
  const bytes = findBase64(base64)
  const kind = bytes?.[0] === KINDS.log ? 'log' : bytes?.[0] === KINDS.witness ? 'witness' : undefined
  if (bytes?.length !== 33 || kind === undefined || keyIdOf(name, bytes) !== keyId) return undefined
  return { name, kind, keyId, publicKey: bytes.slice(1) }
}

/** The first four bytes of the hash of a name and the bytes of a key, its kind included. */
function keyIdOf(name: string, key: Uint8Array): string {
  return hexOf(digestBytes(joinedBytes([new TextEncoder().encode(`${name}\n`), key])).subarray(0, 4))
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Reads the text of a checkpoint; undefined when it is not exactly one. */
export function findCheckpoint(text: string): Checkpoint | undefined {
  const [, origin, digits, base64] = /^([^\n]+)\n(0|[1-9][0-9]*)\n([^\n]+)\n$/.exec(text) ?? []
  if (origin === undefined || base64 === undefined) return undefined
  const root = findBase64(base64)
  const size = Number(digits)
  return root?.length === 32 && Number.isSafeInteger(size) ? { origin, size, root } : undefined
}

export function noteText({ text, signatures }: SignedNote): string {
  const lines = signatures.map(({ name, keyId, bytes }) => {
    return `${DASH} ${name} ${toBase64(joinedBytes([bytesOfHex(keyId), bytes]))}\n`
  })
  return `${text}\n${lines.join('')}`
}

/** Reads a note, which may have no signature yet; undefined when the text is not a note. */
export function findNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n')) return undefined
  const signatures: NoteSignature[] = []
  for (const line of note
    .slice(end + 2)
    .split('\n')
    .slice(0, -1)) {
    const [, name, base64] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? []
    const bytes = base64 === undefined ? undefined : findBase64(base64)
    if (name === undefined || !isKeyName(name) || bytes === undefined || bytes.length < 5) return undefined
    signatures.push({ name, keyId: hexOf(bytes.subarray(0, 4)), bytes: bytes.slice(4) })
  }
  return { text: note.slice(0, end + 1), signatures }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
}
