/**
 * The bytes of a segment: heads of entries, packs, records, and a trailer that tells whether all of it is there.
 *
 * The trailer has a fixed size, so the end of a segment is read first: it has the records of all segments since the last
 * manifest. This file knows neither states nor requests.
 */
import { createHash } from 'node:crypto'
import { joinedBytes } from '../../core/index.ts'
import type { NewEntry } from '../../store/contract/backend.ts'
import { ByteReader, ByteWriter } from '../../store/packs/bytes.ts'
import { joinRecords, splitRecords } from './record.ts'

/** What a segment says beside its records. */
export interface SegmentMeta {
  readonly namespace: string
  /** The manifest that the records begin after: its number and its last segment; zeros when there is none. */
  readonly manifest: number
  readonly base: number
  /** Encoded, from segment `base + 1` on; the last is that of this segment. */
  readonly records: readonly Uint8Array[]
}

/** The end of an object that is a segment. */
export type SegmentEnd =
  | { readonly kind: 'segment'; readonly meta: SegmentMeta }
  /** What it held is in a run: the newest manifest says where. */
  | { readonly kind: 'stub' }
  /** The records begin before the bytes given: so many of the last bytes are needed. */
  | { readonly kind: 'short'; readonly needed: number }
  | { readonly kind: 'torn'; readonly reason: string }
  | { readonly kind: 'newer'; readonly format: number }

export const segmentFormat = 1
const magic = 'ASGSEG'
const digestBytes = 32
/** Magic, format and kind, length of all, length of the records, and two digests. */
export const trailerBytes: number = magic.length + 2 + 8 + 4 + 2 * digestBytes
const segmentKind = 0
const stubKind = 1

/** A segment from its parts. */
export function encodeSegment(
  heads: readonly Uint8Array[],
  packs: readonly Uint8Array[],
  meta: SegmentMeta,
): Uint8Array {
  const records = encodeMeta(meta)
  const body = joinedBytes([...heads, ...packs, records])
  return joinedBytes([body, trailerOf(segmentKind, body, records)])
}

/** What takes the place of a segment that was copied into a run. */
export const stub: Uint8Array = trailerOf(stubKind, new Uint8Array(), new Uint8Array())

/** Reads the end of an object of the given size. */
export function readEnd(end: Uint8Array, size: number): SegmentEnd {
  if (size < trailerBytes || end.length < trailerBytes) return torn(`it has ${size} bytes, fewer than a trailer`)
  const trailer = Buffer.from(end.buffer, end.byteOffset + end.length - trailerBytes, trailerBytes)
  if (trailer.toString('latin1', 0, magic.length) !== magic) return torn('it does not end with a trailer')
  const format = trailer[magic.length]!
  if (format > segmentFormat) return { kind: 'newer', format }
  const total = Number(trailer.readBigUInt64BE(magic.length + 2))
  if (total !== size) return torn(`it has ${size} bytes, and was written with ${total}`)
  if (trailer[magic.length + 1] === stubKind) return { kind: 'stub' }
  const length = trailer.readUInt32BE(magic.length + 10)
  const needed = length + trailerBytes
  if (needed > size) return torn('its records are longer than it is')
  if (end.length < needed) return { kind: 'short', needed }
  const records = end.subarray(end.length - needed, end.length - trailerBytes)
  const digest = trailer.subarray(magic.length + 14, magic.length + 14 + digestBytes)
  if (!digest.equals(sha256(records))) return torn('its records do not have their digest')
  try {
    return { kind: 'segment', meta: decodeMeta(records) }
  } catch (error) {
    return torn(`its records cannot be read: ${(error as Error).message}`)
  }
}

/** Whether all bytes of a segment are as they were written. */
export function isWhole(bytes: Uint8Array): boolean {
  if (bytes.length < trailerBytes) return false
  const digest = bytes.subarray(bytes.length - digestBytes)
  return Buffer.from(digest).equals(sha256(bytes.subarray(0, bytes.length - trailerBytes)))
}

function trailerOf(kind: number, body: Uint8Array, records: Uint8Array): Uint8Array {
  const trailer = Buffer.alloc(trailerBytes)
  trailer.write(magic, 'latin1')
  trailer[magic.length] = segmentFormat
  trailer[magic.length + 1] = kind
  trailer.writeBigUInt64BE(BigInt(body.length + trailerBytes), magic.length + 2)
  trailer.writeUInt32BE(records.length, magic.length + 10)
  trailer.set(sha256(records), magic.length + 14)
  trailer.set(sha256(body), magic.length + 14 + digestBytes)
  return trailer
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

function torn(reason: string): SegmentEnd {
  return { kind: 'torn', reason }
}

function encodeMeta({ namespace, manifest, base, records }: SegmentMeta): Uint8Array {
  const into = new ByteWriter(1024)
  const name = Buffer.from(namespace)
  into.varint(name.length)
  into.raw(name)
  into.varint(manifest)
  into.varint(base)
  into.raw(joinRecords(records))
  return into.copy()
}

function decodeMeta(bytes: Uint8Array): SegmentMeta {
  const from = new ByteReader(bytes)
  const namespace = from.text(from.varint())
  const manifest = from.varint()
  const base = from.varint()
  return { namespace, manifest, base, records: splitRecords(from.rest()) }
}

/** What a head holds of an entry. */
export interface EntryHead {
  readonly leaf: string
  readonly time: number
  readonly text: string
  readonly commit: { readonly id: string; readonly text: string } | undefined
}

const sumBytes = 8

/** The head of an entry: a checksum, and then its texts. */
export function encodeHead({ leaf, text, commit }: NewEntry, time: number): Uint8Array {
  const into = new ByteWriter(text.length + (commit?.text.length ?? 0) + 256)
  const write = (value: string): void => {
    const bytes = Buffer.from(value)
    into.varint(bytes.length)
    into.raw(bytes)
  }
  into.varint(time)
  write(leaf)
  write(text)
  into.byte(commit === undefined ? 0 : 1)
  if (commit !== undefined) {
    write(commit.id)
    write(commit.text)
  }
  const body = into.copy()
  return joinedBytes([sha256(body).subarray(0, sumBytes), body])
}

/** Reads a head. A damaged one gets no leaf, which the store layer then reports as damage. */
export function decodeHead(bytes: Uint8Array): EntryHead {
  const body = bytes.subarray(sumBytes)
  if (!Buffer.from(bytes.subarray(0, sumBytes)).equals(sha256(body).subarray(0, sumBytes))) {
    return { leaf: '', time: 0, text: '', commit: undefined }
  }
  const from = new ByteReader(body)
  const read = (): string => from.text(from.varint())
  const time = from.varint()
  const leaf = read()
  const text = read()
  const commit = from.raw(1)[0] === 0 ? undefined : { id: read(), text: read() }
  return { leaf, time, text, commit }
}
