/**
 * The record of a segment: all that a state needs to know of it. Entries and packs themselves are read when they are asked for.
 *
 * A segment has the record of each segment since the last manifest, and the blocks of a manifest have those before.
 */
import { ByteReader, ByteWriter } from '../../store/packs/bytes.ts'

/** A part of a pack: the index of its first node, and its size. */
export interface PartShape {
  readonly first: number
  readonly bytes: number
}

/** An entry: the size of its head, the first 16 digits of its commit's id or an empty text, and the parts of its pack. */
export interface EntryShape {
  readonly head: number
  readonly id: string
  readonly parts: readonly PartShape[]
}

/** Where the heads and packs of a segment lie after they were copied into a run. */
export interface RunPlace {
  readonly key: string
  readonly heads: number
  readonly packs: number
}

export interface SegmentRecord {
  readonly segment: number
  /** 16 hex digits, of which the first eight are those of the writer. */
  readonly token: string
  /** The token of the segment before it; empty before the first. A chain that lost or changed a segment does not fit together. */
  readonly previous: string
  /** The time of the newest entry. */
  readonly time: number
  /** The leaf of the newest entry; only the last record of a block has it. */
  readonly leaf?: string | undefined
  /** The leaf of entry 1, in the record of the segment that has it. */
  readonly firstLeaf?: string | undefined
  /** The number of its first entry, or the next number when it has none. */
  readonly first: number
  readonly entries: readonly EntryShape[]
  /** Refs that moved; null deletes one. */
  readonly refs: readonly (readonly [name: string, seq: number | null])[]
  readonly keys: readonly (readonly [key: string, seq: number])[]
  /** Entries whose packs were dropped. */
  readonly dropped: readonly number[]
  /** Packs that were stored anew. Their parts come after those of the entries. */
  readonly repacks: readonly { readonly seq: number; readonly parts: readonly PartShape[] }[]
  /** Whether it drops the namespace: all before it is gone. */
  readonly ends: boolean
  readonly run?: RunPlace | undefined
}

const hasLeaf = 1
const hasFirstLeaf = 2
const hasRun = 4
const hasEnd = 8
const hasPrevious = 16

const tokenBytes = 8
const idBytes = 8

export function encodeRecord(record: SegmentRecord): Uint8Array {
  const into = new ByteWriter(256)
  const { leaf, firstLeaf, run, ends } = record
  into.varint(
    (leaf === undefined ? 0 : hasLeaf) |
      (firstLeaf === undefined ? 0 : hasFirstLeaf) |
      (run === undefined ? 0 : hasRun) |
      (ends ? hasEnd : 0) |
      (record.previous === '' ? 0 : hasPrevious),
  )
  into.raw(Buffer.from(record.token, 'hex'))
  if (record.previous !== '') into.raw(Buffer.from(record.previous, 'hex'))
  into.varint(record.segment)
  into.varint(record.time)
  if (leaf !== undefined) writeText(into, leaf)
  if (firstLeaf !== undefined) writeText(into, firstLeaf)
  if (run !== undefined) {
    writeText(into, run.key)
    into.varint(run.heads)
    into.varint(run.packs)
  }
  into.varint(record.first)
  into.varint(record.entries.length)
  for (const { head, id, parts } of record.entries) {
    into.varint(head * 2 + (id === '' ? 0 : 1))
    if (id !== '') into.raw(Buffer.from(id, 'hex'))
    writeParts(into, parts)
  }
  into.varint(record.refs.length)
  for (const [name, seq] of record.refs) {
    writeText(into, name)
    into.varint(seq === null ? 0 : seq + 1)
  }
  into.varint(record.keys.length)
  for (const [key, seq] of record.keys) {
    writeText(into, key)
    into.varint(seq)
  }
  into.varint(record.dropped.length)
  for (const seq of record.dropped) into.varint(seq)
  into.varint(record.repacks.length)
  for (const { seq, parts } of record.repacks) {
    into.varint(seq)
    writeParts(into, parts)
  }
  return into.copy()
}

export function decodeRecord(bytes: Uint8Array): SegmentRecord {
  const from = new ByteReader(bytes)
  const flags = from.varint()
  const token = Buffer.from(from.raw(tokenBytes)).toString('hex')
  const previous = (flags & hasPrevious) === 0 ? '' : Buffer.from(from.raw(tokenBytes)).toString('hex')
  const segment = from.varint()
  const time = from.varint()
  const leaf = (flags & hasLeaf) === 0 ? undefined : readText(from)
  const firstLeaf = (flags & hasFirstLeaf) === 0 ? undefined : readText(from)
  const run = (flags & hasRun) === 0 ? undefined : { key: readText(from), heads: from.varint(), packs: from.varint() }
  const first = from.varint()
  const entries = listOf(from, () => {
    const size = from.varint()
    const id = size % 2 === 0 ? '' : Buffer.from(from.raw(idBytes)).toString('hex')
    return { head: Math.floor(size / 2), id, parts: readParts(from) }
  })
  const refs = listOf(from, () => {
    const name = readText(from)
    const seq = from.varint()
    return [name, seq === 0 ? null : seq - 1] as const
  })
  const keys = listOf(from, () => [readText(from), from.varint()] as const)
  const dropped = listOf(from, () => from.varint())
  const repacks = listOf(from, () => ({ seq: from.varint(), parts: readParts(from) }))
  const ends = (flags & hasEnd) !== 0
  return { segment, token, previous, time, leaf, firstLeaf, first, entries, refs, keys, dropped, repacks, ends, run }
}

/** Records one after the other, each after its length. */
export function joinRecords(records: readonly Uint8Array[]): Uint8Array {
  const into = new ByteWriter(4096)
  for (const record of records) {
    into.varint(record.length)
    into.raw(record)
  }
  return into.copy()
}

export function splitRecords(bytes: Uint8Array): readonly Uint8Array[] {
  const from = new ByteReader(bytes)
  const records: Uint8Array[] = []
  while (from.position < from.end) records.push(from.raw(from.varint()))
  return records
}

export function sizeOfParts(parts: readonly PartShape[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

function writeText(into: ByteWriter, text: string): void {
  const bytes = Buffer.from(text)
  into.varint(bytes.length)
  into.raw(bytes)
}

function readText(from: ByteReader): string {
  return from.text(from.varint())
}

function writeParts(into: ByteWriter, parts: readonly PartShape[]): void {
  into.varint(parts.length)
  for (const { first, bytes } of parts) {
    into.varint(first)
    into.varint(bytes)
  }
}

function readParts(from: ByteReader): readonly PartShape[] {
  return listOf(from, () => ({ first: from.varint(), bytes: from.varint() }))
}

function listOf<T>(from: ByteReader, read: () => T): readonly T[] {
  return Array.from({ length: from.varint() }, read)
}
