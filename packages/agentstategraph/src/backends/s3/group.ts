/**
 * A group of appends against the state of a journal: each is checked against the state and the appends before it, and those that
 * are not refused become one segment.
 *
 * What the checks find is valid when the segment is created under the next number, because then nothing came in between.
 */
import type { Append, Move, NewEntry, NewPart, Seen } from '../../store/contract/backend.ts'
import { type AppendState, refusedAppend } from '../../store/contract/refused-append.ts'
import type { AppendOutcome } from '../append-queue.ts'
import { encodeRecord, type PartShape, type SegmentRecord } from './record.ts'
import { encodeHead, encodeSegment } from './segment.ts'
import type { JournalState } from './state.ts'

/** How many appends, and about how many bytes, one segment takes. */
export const maxAppends = 4096
const maxBytes = 8 * 2 ** 20

/** What a group has made of the state so far. */
interface Draft {
  seq: number
  time: number
  first: string | undefined
  leaf: string | undefined
  bytes: number
  readonly heads: Uint8Array[]
  readonly packs: Uint8Array[]
  readonly repacked: Uint8Array[]
  readonly shapes: { readonly head: number; readonly id: string; readonly parts: readonly PartShape[] }[]
  readonly refs: Map<string, number | null>
  readonly keys: Map<string, number>
  readonly repacks: { readonly seq: number; readonly parts: readonly PartShape[] }[]
  /** Leaves of entries of the group. */
  readonly leaves: Map<number, string>
}

/** A segment to be created. */
export interface BuiltSegment {
  readonly number: number
  readonly record: Uint8Array
  readonly bytes: Uint8Array
}

/** A segment, and what its appends are told when it is created. */
export interface BuiltGroup {
  readonly outcomes: readonly AppendOutcome[]
  /** Undefined when all were refused. */
  readonly segment: BuiltSegment | undefined
}

/** What a segment needs beside its content. */
export interface SegmentContext {
  readonly namespace: string
  readonly token: string
  /** The manifest that the records begin after, and its last segment. */
  readonly manifest: number
  readonly base: number
  /** Leaves that were read for this group, of entries that someone has seen. */
  readonly leaves: ReadonlyMap<number, string>
}

export function buildGroup(state: JournalState, group: readonly Append[], context: SegmentContext): BuiltGroup {
  const draft: Draft = {
    seq: state.seq,
    time: state.time,
    first: state.newest?.first,
    leaf: state.newest?.leaf,
    bytes: 0,
    heads: [],
    packs: [],
    repacked: [],
    shapes: [],
    refs: new Map(),
    keys: new Map(),
    repacks: [],
    leaves: new Map(),
  }
  const held = stateWith(state, draft, context.leaves)
  const outcomes = group.map((batch): AppendOutcome => {
    if (draft.bytes > maxBytes) return undefined
    const refused = refusedAppend(held, batch)
    if (refused !== undefined) return { appended: refused }
    const first = draft.seq + 1
    try {
      add(state, draft, typeof batch.entries === 'function' ? batch.entries(first) : batch.entries, batch)
    } catch (error) {
      return { error }
    }
    return { appended: { kind: 'done', first } }
  })
  return { outcomes, segment: draft.shapes.length === 0 ? undefined : segmentOf(state, draft, context) }
}

/** A segment that drops packs, or the whole namespace. */
export function droppingSegment(
  state: JournalState,
  change: Pick<SegmentRecord, 'dropped' | 'ends'>,
  context: SegmentContext,
): BuiltSegment {
  const { segment, time, seq } = state
  const nothing = { entries: [], refs: [], keys: [], repacks: [] }
  const { token } = context
  const record = { segment: segment + 1, token, previous: state.token, time, first: seq + 1, ...nothing, ...change }
  return enclosed(state, record, [], [], context)
}

function enclosed(
  state: JournalState,
  record: SegmentRecord,
  heads: readonly Uint8Array[],
  packs: readonly Uint8Array[],
  { namespace, manifest, base }: SegmentContext,
): BuiltSegment {
  const encoded = encodeRecord(record)
  // After a drop of the namespace, what was before it needs no record.
  const before = state.records(base + 1, state.segment)
  const from = state.segment - before.length
  const meta = { namespace, manifest, base: from, records: [...before, encoded] }
  return { number: record.segment, record: encoded, bytes: encodeSegment(heads, packs, meta) }
}

function segmentOf(state: JournalState, draft: Draft, context: SegmentContext): BuiltSegment {
  const record: SegmentRecord = {
    segment: state.segment + 1,
    token: context.token,
    previous: state.token,
    time: draft.time,
    leaf: draft.leaf,
    firstLeaf: state.seq === 0 ? draft.first : undefined,
    first: state.seq + 1,
    entries: draft.shapes,
    refs: [...draft.refs],
    keys: [...draft.keys],
    dropped: [],
    repacks: draft.repacks,
    ends: false,
  }
  return enclosed(state, record, draft.heads, [...draft.packs, ...draft.repacked], context)
}

/** Whether a journal with these leaves holds what was seen of it. */
export function isSeen(seen: Seen, size: number, first: string | undefined, leaf: string | undefined): boolean {
  return seen.seq <= size && seen.first === first && seen.leaf === leaf
}

/** What the state and the appends before it hold, as far as an append asks. */
function stateWith(state: JournalState, draft: Draft, leaves: ReadonlyMap<number, string>): AppendState {
  return {
    get seq() {
      return draft.seq
    },
    get time() {
      return draft.time
    },
    has(seen) {
      const leaf = draft.leaves.get(seen.seq) ?? state.leafOf(seen.seq) ?? leaves.get(seen.seq)
      return isSeen(seen, draft.seq, draft.first, leaf)
    },
    key: key => draft.keys.get(key) ?? state.keys.get(key),
    ref(name) {
      const moved = draft.refs.get(name)
      return moved === undefined ? state.refs.get(name) : moved
    },
    hasNodes(seq) {
      const shape = draft.shapes[seq - state.seq - 1]
      return shape === undefined ? state.hasNodes(seq) : shape.id === '' || shape.parts.length > 0
    },
  }
}

function add(state: JournalState, draft: Draft, entries: readonly NewEntry[], batch: Append): void {
  const first = draft.seq + 1
  for (const entry of entries) {
    const head = encodeHead(entry, batch.time)
    draft.heads.push(head)
    draft.bytes += head.length + addParts(draft.packs, entry.parts)
    draft.shapes.push({ head: head.length, id: entry.commit?.id.slice(0, 16) ?? '', parts: shapesOf(entry.parts) })
    draft.seq++
    draft.first ??= entry.leaf
    draft.leaf = entry.leaf
    draft.leaves.set(draft.seq, entry.leaf)
  }
  draft.time = batch.time
  for (const { key, entry } of batch.keys ?? []) draft.keys.set(key, first + entry)
  for (const move of batch.moves) if (move.to !== move.expect) draft.refs.set(move.name, targetOf(move, first))
  for (const { seq, parts } of batch.repacks ?? []) {
    if (!state.hasNodes(seq) || state.place(seq)!.pack.parts.length === 0) continue
    draft.bytes += addParts(draft.repacked, parts)
    draft.repacks.push({ seq, parts: shapesOf(parts) })
  }
}

function targetOf({ to }: Move, first: number): number | null {
  return to === null || typeof to === 'number' ? to : first + to.entry
}

function addParts(into: Uint8Array[], parts: readonly NewPart[]): number {
  let size = 0
  for (const { bytes } of parts) {
    into.push(bytes)
    size += bytes.length
  }
  return size
}

function shapesOf(parts: readonly NewPart[]): readonly PartShape[] {
  return parts.map(({ first, bytes }) => ({ first, bytes: bytes.length }))
}
