/**
 * The values of a store in a `KVStore`: JSON in UTF-8 after a hash of its key and of itself, or bytes after such a check.
 *
 * The cell of a namespace counts how often it was made (`life`), so that a namespace that was dropped and made again never
 * looks like the one an append was checked against.
 */
import { hashBytes, hashText } from '../../core/crypto/hash.ts'
import { joinedBytes } from '../../core/index.ts'
import type { NewEntry } from '../../store/contract/backend.ts'
import { storeError } from '../../store/errors.ts'
import type { NamespaceKeys } from './keys.ts'

/** The state of a namespace. With a `seq` of 0 it does not exist. */
export interface Cell {
  readonly life: number
  readonly seq: number
  readonly time: number
  /** The bytes of all packs. */
  readonly packBytes: number
  /** The token of the write that set the cell; no other write sets the same bytes. */
  readonly token?: string | undefined
}

/** How far something is derived, and the token of the write that said so. */
export interface Mark {
  readonly mark: number
  readonly token?: string | undefined
}

/** An entry as it is stored; `firsts` has the index of the first node of each part, and is empty without a pack. */
export interface KeptEntry extends Pick<NewEntry, 'leaf' | 'text' | 'commit'> {
  readonly time: number
  readonly firsts: readonly number[]
  /** The bytes of its pack. */
  readonly packBytes: number
  /** The token of the append, in its first entry. */
  readonly token?: string | undefined
}

/** Bytes as a store gives them; undefined when it has none under the key. */
type Stored = Uint8Array | undefined

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The characters of a hash before JSON, and of its beginning before bytes, which are many and short. */
const hashLength = 43
const checkLength = 11

export function encodeJson(key: string, value: Cell | KeptEntry | Mark | number): Uint8Array {
  const json = JSON.stringify(value)
  return encoder.encode(hashText(`${key}\n${json}`) + json)
}

export function encodeBytes(key: string, bytes: Uint8Array): Uint8Array {
  return joinedBytes([encoder.encode(checkOf(key, bytes)), bytes])
}

function checkOf(key: string, bytes: Uint8Array): string {
  return hashBytes(joinedBytes([encoder.encode(`${key}\n`), bytes])).slice(0, checkLength)
}

/** The JSON that was stored under a key; undefined when it is not as it was written. */
export function findJson(key: string, bytes: Uint8Array): unknown {
  const text = decoder.decode(bytes)
  const json = text.slice(hashLength)
  return hashText(`${key}\n${json}`) === text.slice(0, hashLength) ? JSON.parse(json) : undefined
}

/** The bytes that were stored under a key; undefined when they are not as they were written. */
export function findBytes(key: string, bytes: Uint8Array): Uint8Array | undefined {
  const rest = bytes.subarray(checkLength)
  return checkOf(key, rest) === decoder.decode(bytes.subarray(0, checkLength)) ? rest : undefined
}

/** Reads the cell of a namespace. Throws when it is damaged. */
export function decodeCell(keys: NamespaceKeys, bytes: Stored): Cell {
  return findCell(keys, bytes) ?? damaged(keys, 'end of the journal', keys.cell)
}

/** The same, with undefined for a damaged cell. A missing one is that of a namespace that was never made. */
export function findCell({ cell }: NamespaceKeys, bytes: Stored): Cell | undefined {
  return bytes === undefined ? { life: 1, seq: 0, time: 0, packBytes: 0 } : (findJson(cell, bytes) as Cell | undefined)
}

/** Reads a mark; a missing one is at the beginning. */
export function decodeMark(keys: NamespaceKeys, key: string, bytes: Stored): Mark {
  if (bytes === undefined) return { mark: 0 }
  return (findJson(key, bytes) as Mark | undefined) ?? damaged(keys, 'query index', key)
}

/** Reads an entry. A damaged one gets no leaf, which the store layer then reports as damage. */
export function decodeEntry(key: string, bytes: Uint8Array): KeptEntry {
  return (findJson(key, bytes) as KeptEntry | undefined) ?? { leaf: '', time: 0, text: '', firsts: [], packBytes: 0 }
}

/** Reads where a ref or an idempotency key leads, or how often a name occurred; `null` when there is none. */
export function decodeNumber(keys: NamespaceKeys, key: string, bytes: Stored): number | null {
  if (bytes === undefined) return null
  return (findJson(key, bytes) as number | undefined) ?? damaged(keys, 'list of refs, keys and counts', key)
}

/** Reads the places of a term; undefined when there are none. */
export function decodePlaces(keys: NamespaceKeys, key: string, bytes: Stored): Stored {
  return bytes === undefined ? undefined : (findBytes(key, bytes) ?? damaged(keys, 'query index', key))
}

function damaged({ name }: NamespaceKeys, what: string, key: string): never {
  const reason = `the value of "${key}" does not have the hash that it was written with`
  throw storeError('derived-corrupt', { namespace: name, what, reason })
}
