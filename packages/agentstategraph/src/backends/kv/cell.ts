/**
 * The values of a store that is kept in a `KVStore`: JSON in UTF-8.
 *
 * The cell of a namespace counts its lives, so that a namespace that was dropped and made again never looks like the one
 * an append was checked against.
 */
import { hashText } from '../../core/crypto/hash.ts'
import type { NewEntry } from '../../store/contract/backend.ts'

/** The state of a namespace. A `seq` of 0 means that there is none. */
export interface Cell {
  readonly life: number
  readonly seq: number
  readonly time: number
}

/** An entry as it is kept; `firsts` has the first node of each part. */
export interface KeptEntry extends Pick<NewEntry, 'leaf' | 'text' | 'commit'> {
  readonly time: number
  readonly firsts: readonly number[]
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Writes a value of ours as bytes. */
export function encodeJson(value: Cell | number): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** Reads a cell; a missing one is that of a namespace never made. */
export function decodeCell(bytes: Uint8Array | undefined): Cell {
  return bytes === undefined ? { life: 1, seq: 0, time: 0 } : JSON.parse(decoder.decode(bytes))
}

/** Writes an entry behind the hash of its JSON, so that a changed byte anywhere in it is seen. */
export function encodeEntry(entry: KeptEntry): Uint8Array {
  const json = JSON.stringify(entry)
  return encoder.encode(hashText(json) + json)
}

/** Reads an entry. A damaged one has no text, which the store then finds not to be what was written. */
export function decodeEntry(bytes: Uint8Array): KeptEntry {
  const text = decoder.decode(bytes)
  const json = text.slice(hashLength)
  return hashText(json) === text.slice(0, hashLength) ? JSON.parse(json) : damaged
}

const hashLength = 43
const damaged: KeptEntry = { leaf: '', time: 0, text: '', firsts: [] }

/** Reads a seq; `null` when there is none. */
export function decodeSeq(bytes: Uint8Array | undefined): number | null {
  return bytes === undefined ? null : JSON.parse(decoder.decode(bytes))
}
