/** Reads packs: the header, and one record at a time. Damage is a RangeError, which `nodes.ts` turns into a StateError. */

import { hexOfId } from '../../core/index.ts'
import { type Pointer, type Provenance, seqOfPointer } from '../../tree/index.ts'
import { storeError } from '../errors.ts'
import { ByteReader, readEntryNumber, readPointer, readWriter } from './bytes.ts'
import { checkLength, leafLength, leafOf, packVersion, recordKinds } from './write-pack.ts'

/** Where the roots of one commit are, and the entries of its parents. */
export interface PackHeader {
  readonly tree: Pointer
  readonly system: Pointer
  readonly detail: Pointer | undefined
  readonly parents: readonly number[]
  /** The bytes of the header that the digest of the pack covers. */
  readonly body: Uint8Array
}

/** Reads the header from the first part of a pack. `seq` is the entry's own. */
export function readHeader(part: Uint8Array, seq: number): PackHeader {
  const reader = new ByteReader(part)
  const body = reader.raw(reader.varint())
  verifyCheck(reader.text(checkLength), '', body)
  const header = new ByteReader(body)
  if (header.varint() !== packVersion) throw new RangeError('the pack has an unknown version')
  const count = header.varint()
  const tree = readPointer(header, seq)
  const system = readPointer(header, seq)
  const detail = count > 2 ? readPointer(header, seq) : undefined
  const parents = Array.from({ length: header.varint() }, () => readEntryNumber(header, seq))
  return { tree, system, detail, parents, body }
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
  const reader = new ByteReader(bytes)
  if (first === 0) reader.skip(reader.varint() + checkLength)
  const count = reader.varint()
  const lengths: number[] = []
  for (let i = 0; i < count; i++) lengths.push(reader.varint())
  const offsets = [reader.position]
  for (const length of lengths) offsets.push(offsets.at(-1)! + length)
  if (offsets.at(-1) !== bytes.length) throw new RangeError('the part does not end where its last record does')
  return { seq, first, bytes, offsets }
}

/** Whether a part holds the record of an index. */
export function hasRecord({ first, offsets }: PartIndex, index: number): boolean {
  return index >= first && index < first + offsets.length - 1
}

/** One record. A text is still bytes, so that it is hashed as it is stored. */
export type PackRecord =
  | { readonly kind: 'whole'; readonly check: string; readonly provenance: Uint8Array; readonly text: Uint8Array }
  | {
      readonly kind: 'delta'
      readonly check: string
      readonly provenance: Uint8Array
      /** The node that the text was made from. */
      readonly base: Pointer
      readonly splices: Uint8Array
    }
  | { readonly kind: 'trimmed'; readonly leaf: string }

export function recordAt(part: PartIndex, index: number): PackRecord {
  const reader = recordReader(part, index)
  const kind = reader.varint()
  if (kind === recordKinds.trimmed) return { kind: 'trimmed', leaf: reader.text(leafLength) }
  if (kind !== recordKinds.whole && kind !== recordKinds.delta) throw new RangeError('a record has an unknown kind')
  const check = reader.text(checkLength)
  const provenance = reader.raw(reader.varint())
  if (kind === recordKinds.whole) return { kind: 'whole', check, provenance, text: reader.rest() }
  const base = readPointer(reader, part.seq)
  if (seqOfPointer(base) >= part.seq) throw new RangeError('the base of a delta is not in an older pack')
  return { kind: 'delta', check, provenance, base, splices: reader.rest() }
}

function recordReader({ bytes, first, offsets }: PartIndex, index: number): ByteReader {
  const from = offsets[index - first]
  const to = offsets[index - first + 1]
  if (from === undefined || to === undefined) throw new RangeError('the part has no such record')
  return new ByteReader(bytes, from, to)
}

/** The text of a record alone; undefined when the record does not hold it as a whole. */
export function findWholeText(part: PartIndex, index: number): Uint8Array | undefined {
  const reader = recordReader(part, index)
  if (reader.varint() !== recordKinds.whole) return undefined
  reader.skip(checkLength)
  reader.skip(reader.varint())
  return reader.rest()
}

/** The id of a node as an error shows it; empty when the id is not known. */
export function shown(id: string): string {
  return id.length === 43 ? hexOfId(id) : id
}

/** A record that has a text. */
export type TextRecord = Exclude<PackRecord, { readonly kind: 'trimmed' }>

/** The record of a node, or `state-trimmed` when retention dropped its text. */
export function textRecordAt(part: PartIndex, index: number): TextRecord {
  const record = recordAt(part, index)
  if (record.kind === 'trimmed') throw storeError('state-trimmed', { seq: part.seq })
  return record
}

/** The leaf of a record; throws when the check over its pointers and writers does not match. */
export function verifyRecord(record: TextRecord, id: string): string {
  return verifyCheck(record.check, id, record.provenance)
}

function verifyCheck(check: string, id: string, provenance: Uint8Array): string {
  const leaf = leafOf(id, provenance)
  if (!leaf.startsWith(check)) throw new RangeError('a check does not fit')
  return leaf
}

/** Reads a record's pointers and writers in the order in which they were written. */
export function provenanceReader(bytes: Uint8Array, seq: number): Provenance {
  const reader = new ByteReader(bytes)
  return { pointer: () => readPointer(reader, seq), writer: () => readWriter(reader, seq) }
}
