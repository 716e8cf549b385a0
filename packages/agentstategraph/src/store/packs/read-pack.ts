/** Reads packs: the header, and one record at a time. Damage is a RangeError, which `nodes.ts` turns into a StateError. */

import type { Pointer, Provenance } from '../../tree/index.ts'
import { byteReader } from './bytes.ts'
import { checkBytes, packVersion, readPointer, readWriter, verifyCheck } from './codec.ts'

/** Where the roots of one commit are, and the entries of its parents. */
export interface PackHeader {
  readonly tree: Pointer
  readonly system: Pointer
  readonly detail: Pointer | undefined
  readonly parents: readonly number[]
}

/** Reads the header from the first part of a pack. `seq` is the entry's own. */
export function readHeader(part: Uint8Array, seq: number): PackHeader {
  const reader = byteReader(part)
  const body = reader.raw(reader.varint())
  verifyCheck(reader, '', body)
  const header = byteReader(body)
  if (header.varint() !== packVersion) throw new RangeError('the pack has an unknown version')
  const count = header.varint()
  const tree = readPointer(header, seq)
  const system = readPointer(header, seq)
  const detail = count > 2 ? readPointer(header, seq) : undefined
  const parents = Array.from({ length: header.varint() }, () => header.varint())
  return { tree, system, detail, parents }
}

/** The offsets of a part's records. */
export interface PartIndex {
  readonly seq: number
  readonly first: number
  readonly bytes: Uint8Array
  /** Where each record begins, and after the last where it ends. */
  readonly offsets: readonly number[]
}

export function indexPart(seq: number, first: number, bytes: Uint8Array): PartIndex {
  const reader = byteReader(bytes)
  if (first === 0) reader.raw(reader.varint() + checkBytes)
  const count = reader.varint()
  const lengths: number[] = []
  for (let i = 0; i < count; i++) lengths.push(reader.varint())
  const offsets = [reader.position]
  for (const length of lengths) offsets.push(offsets.at(-1)! + length)
  if (offsets.at(-1) !== bytes.length) throw new RangeError('the part does not end where its last record does')
  return { seq, first, bytes, offsets }
}

/** One record. The text is still bytes, so that it is hashed as it is stored. */
export interface PackRecord {
  readonly check: Uint8Array
  readonly provenance: Uint8Array
  readonly text: Uint8Array
}

export function recordAt(part: PartIndex, index: number): PackRecord {
  const from = part.offsets[index - part.first]
  const to = part.offsets[index - part.first + 1]
  if (from === undefined || to === undefined) throw new RangeError('the part has no such record')
  const reader = byteReader(part.bytes, from, to)
  const check = reader.raw(checkBytes)
  const provenance = reader.raw(reader.varint())
  return { check, provenance, text: reader.raw(to - reader.position) }
}

/** Throws when the check over a record's pointers and writers does not match. */
export function verifyRecord(record: PackRecord, id: string): void {
  verifyCheck(byteReader(record.check), id, record.provenance)
}

/** Reads a record's pointers and writers in the order in which they were written. */
export function provenanceReader(bytes: Uint8Array, seq: number): Provenance {
  const reader = byteReader(bytes)
  return { pointer: () => readPointer(reader, seq), writer: () => readWriter(reader, seq) }
}
