/**
 * Copies the content of segments into runs: large objects with the heads of many entries one after the other, and then their packs.
 *
 * What was dropped is not copied, and a pack that was stored anew is copied to where its entry is. This file writes no manifest.
 */
import { randomBytes } from 'node:crypto'
import { appendAll, joinedBytes } from '../../core/index.ts'
import type { Chain } from './chain.ts'
import type { Chunks, Piece } from './chunks.ts'
import { objectKey, type Referred } from './manifest.ts'
import { decodeRecord, encodeRecord, type SegmentRecord } from './record.ts'
import type { Bucket } from './requests/bucket.ts'
import type { JournalState, PackPlace } from './state.ts'

const runBytes = 8 * 2 ** 20

/** The records of the copied segments, which say where they are now, and the runs that were written. */
export interface Copied {
  readonly records: readonly Uint8Array[]
  readonly runs: readonly Referred[]
}

/** A segment to be copied: its record without a place, and the pieces that its content is read from. */
interface Planned {
  readonly record: SegmentRecord
  readonly heads: readonly Piece[]
  readonly packs: readonly Piece[]
  readonly bytes: number
}

/** Copies segments for a manifest. Undefined when some content is not where the state says: then there is a newer manifest. */
export async function copySegments(
  { bucket, chain, chunks }: { readonly bucket: Bucket; readonly chain: Chain; readonly chunks: Chunks },
  state: JournalState,
  from: number,
  to: number,
  manifest: number,
): Promise<Copied | undefined> {
  const { began } = state
  const encoded = state.records(from, to)
  if (encoded.length === 0) return { records: [], runs: [] }
  const firstSeq = decodeRecord(encoded[0]!).first
  const records: Uint8Array[] = []
  const runs: Referred[] = []
  let group: Planned[] = []
  let size = 0
  for (const [i, one] of encoded.entries()) {
    // The namespace was dropped meanwhile.
    if (state.began !== began) return undefined
    const planned = plan(state, decodeRecord(one), firstSeq, chain)
    group.push(planned)
    size += planned.bytes
    if (size < runBytes && i < encoded.length - 1) continue
    const written = await writeRun(
      bucket,
      chain,
      chunks,
      group,
      objectKey('r', manifest, randomBytes(6).toString('hex')),
    )
    if (written === undefined) return undefined
    appendAll(records, written.records)
    if (written.run !== undefined) runs.push(written.run)
    group = []
    size = 0
  }
  return { records, runs }
}

function plan(state: JournalState, record: SegmentRecord, firstSeq: number, chain: Chain): Planned {
  const heads: Piece[] = []
  const packs: Piece[] = []
  const piecesOf = ({ key, token, parts }: PackPlace): Piece[] =>
    parts.map(({ from, to }) => ({ key: chain.keyOf(key), token, from, to }))
  const shapesOf = ({ parts }: PackPlace) => parts.map(({ first, from, to }) => ({ first, bytes: to - from }))
  const entries = record.entries.map((entry, i) => {
    const place = state.place(record.first + i)!
    const { key, token, from, to } = place
    heads.push({ key: chain.keyOf(key), token, from, to })
    appendAll(packs, piecesOf(place.pack))
    return { ...entry, parts: shapesOf(place.pack) }
  })
  // Packs of entries that are not copied here stay with this segment, unless they were stored anew once more.
  const repacks = record.repacks.flatMap(({ seq }) => {
    const pack = state.place(seq)?.pack
    if (seq >= firstSeq || pack?.segment !== record.segment || pack.parts.length === 0) return []
    appendAll(packs, piecesOf(pack))
    return { seq, parts: shapesOf(pack) }
  })
  const bytes = [...heads, ...packs].reduce((sum, { from, to }) => sum + to - from, 0)
  return { record: { ...record, entries, repacks }, heads, packs, bytes }
}

async function writeRun(
  bucket: Bucket,
  chain: Chain,
  chunks: Chunks,
  group: readonly Planned[],
  key: string,
): Promise<{ readonly records: readonly Uint8Array[]; readonly run: Referred | undefined } | undefined> {
  const pieces = [...group.flatMap(({ heads }) => heads), ...group.flatMap(({ packs }) => packs)]
  const content = await chunks.read(pieces)
  const whole = content.filter(bytes => bytes !== undefined)
  if (whole.length < content.length) return undefined
  const bytes = joinedBytes(whole)
  const sizeOf = (some: readonly Piece[]): number => some.reduce((sum, { from, to }) => sum + to - from, 0)
  let heads = 0
  let packs = group.reduce((sum, planned) => sum + sizeOf(planned.heads), 0)
  const records = group.map(planned => {
    const run = { key, heads, packs }
    heads += sizeOf(planned.heads)
    packs += sizeOf(planned.packs)
    return encodeRecord(planned.bytes === 0 ? planned.record : { ...planned.record, run })
  })
  if (bytes.length === 0) return { records, run: undefined }
  await bucket.put(chain.keyOf(key), bytes)
  return { records, run: { key, bytes: bytes.length } }
}
