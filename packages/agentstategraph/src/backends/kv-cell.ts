/**
 * The values of a store that is kept in a `KVStore`: JSON in UTF-8.
 *
 * The cell of a namespace counts its lives, so that a namespace that was dropped and made again never looks like the one
 * an append was checked against.
 */
import type { NewEntry } from '../store/backend.ts'

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
const decoder = new TextDecoder()

/** Writes a value of ours as bytes. */
export function encodeJson(value: Cell | KeptEntry | number): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** Reads a cell; a missing one is that of a namespace never made. */
export function decodeCell(bytes: Uint8Array | undefined): Cell {
  return bytes === undefined ? { life: 1, seq: 0, time: 0 } : JSON.parse(decoder.decode(bytes))
}

export function decodeEntry(bytes: Uint8Array): KeptEntry {
  return JSON.parse(decoder.decode(bytes))
}

/** Reads a seq; `null` when there is none. */
export function decodeSeq(bytes: Uint8Array | undefined): number | null {
  return bytes === undefined ? null : JSON.parse(decoder.decode(bytes))
}
