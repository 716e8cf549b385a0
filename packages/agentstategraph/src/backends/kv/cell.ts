/**
 * The values of a store in a `KVStore`: JSON in UTF-8.
 *
 * The cell of a namespace counts how often it was made (`life`), so that a namespace that was dropped and made again never
 * looks like the one an append was checked against.
 */
import { hashText } from '../../core/crypto/hash.ts'
import type { NewEntry } from '../../store/contract/backend.ts'

/** The state of a namespace. With a `seq` of 0 it does not exist. */
export interface Cell {
  readonly life: number
  readonly seq: number
  readonly time: number
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
  /** The token of the append, in its first entry. */
  readonly token?: string | undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function encodeJson(value: Cell | Mark | number): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** Reads a cell; a missing one is that of a namespace that was never made. */
export function decodeCell(bytes: Uint8Array | undefined): Cell {
  return bytes === undefined ? { life: 1, seq: 0, time: 0 } : JSON.parse(decoder.decode(bytes))
}

/** Reads a mark; a missing one is at the beginning. */
export function decodeMark(bytes: Uint8Array | undefined): Mark {
  return bytes === undefined ? { mark: 0 } : JSON.parse(decoder.decode(bytes))
}

/** Writes an entry after the hash of its JSON, so that any changed byte is detected. */
export function encodeEntry(entry: KeptEntry): Uint8Array {
  const json = JSON.stringify(entry)
  return encoder.encode(hashText(json) + json)
}

/** Reads an entry. A damaged one gets no text, which the store layer then reports as damage. */
export function decodeEntry(bytes: Uint8Array): KeptEntry {
  const text = decoder.decode(bytes)
  const json = text.slice(hashLength)
  return hashText(json) === text.slice(0, hashLength) ? JSON.parse(json) : damaged
}

const hashLength = 43
const damaged: KeptEntry = { leaf: '', time: 0, text: '', firsts: [] }

/** Reads a number; `null` when there is none. */
export function decodeNumber(bytes: Uint8Array | undefined): number | null {
  return bytes === undefined ? null : JSON.parse(decoder.decode(bytes))
}
