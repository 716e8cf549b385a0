/**
 * What a process knows of a journal after some segment: where entries and packs lie, refs, keys, and the newest entry.
 *
 * It follows from the records of all segments in their order, so every process has the same after the same segment. A state never asks
 * the store for anything.
 */
import type { Seen } from '../../store/contract/backend.ts'
import { type RefCells, refCells } from '../../store/memory/ref-cells.ts'
import { decodeRecord, type PartShape, type SegmentRecord, sizeOfParts } from './record.ts'

/** A part of a pack: its first node, and which bytes of an object it is. */
export interface PlacedPart {
  readonly first: number
  readonly from: number
  readonly to: number
}

/** Where the pack of an entry lies. */
export interface PackPlace {
  /** The segment that it was written with. */
  readonly segment: number
  readonly key: string
  /** That of the segment; empty where it lies in a run. */
  readonly token: string
  readonly parts: readonly PlacedPart[]
}

/** Where an entry lies: an object, which bytes of it are its head, and its pack. */
export interface EntryPlace {
  readonly seq: number
  readonly key: string
  /** That of the segment; empty where it lies in a run. */
  readonly token: string
  readonly from: number
  readonly to: number
  readonly isCommit: boolean
  /** Has no parts where the entry never had a pack or has lost it. */
  readonly pack: PackPlace
}

/** How many leaves of past newest entries are kept, for those who ask whether the journal is still the same. */
const keptLeaves = 4096
const keptDecoded = 64

/** The key of a segment, below that of its namespace. Keys are in the order of numbers. */
export function segmentKey(segment: number): string {
  return `s/${String(segment).padStart(12, '0')}`
}

/** The number of a segment, from its key; undefined for the key of something else. */
export function numberOfSegment(key: string): number | undefined {
  const [, number] = /^s\/(\d{12})$/.exec(key) ?? []
  return number === undefined ? undefined : Number(number)
}

export interface JournalState {
  /** The last segment that was applied. */
  readonly segment: number
  readonly seq: number
  readonly time: number
  readonly packBytes: number
  readonly newest: Seen | undefined
  /** The segment after which this journal began: 0, or the one before that which dropped the namespace. */
  readonly began: number
  readonly refs: RefCells
  readonly keys: ReadonlyMap<string, number>
  /** The token of the last segment. */
  readonly token: string
  /** Applies the record of the next segment. */
  apply(encoded: Uint8Array): SegmentRecord
  /** The leaf of an entry, where it is known without a read. */
  leafOf(seq: number): string | undefined
  place(seq: number): EntryPlace | undefined
  /** Whether an entry is there and, if it holds a commit, still has its pack. */
  hasNodes(seq: number): boolean
  /** The entries with a commit whose id may begin with a prefix, oldest first. */
  proposed(prefix: string): readonly number[]
  /** The token of a segment; undefined when it is not known any more. */
  tokenOf(segment: number): string | undefined
  /** The encoded records from a segment up to another, both included. */
  records(from: number, to: number): readonly Uint8Array[]
  /** The writers of the segments after one, without one of them. */
  othersSince(segment: number, writer: string): number
}

interface Placed {
  readonly record: SegmentRecord
  readonly heads: readonly number[]
  readonly packs: readonly number[]
}

/** A state before the first segment that is of use. */
export function newState(after = 0): JournalState {
  let segment = after
  let token = ''
  let began = after
  let seq = 0
  let time = 0
  let packBytes = 0
  let newest: Seen | undefined
  let refs = refCells()
  let keys = new Map<string, number>()
  /** Of segment `began + 1 + i`. */
  let encoded: Uint8Array[] = []
  let firsts: number[] = []
  /** The first 16 digits of the id of commit `i + 1`. */
  let ids: string[] = []
  let dropped = new Set<number>()
  let moved = new Map<number, PackPlace>()
  let leaves = new Map<number, string>()
  const decoded = new Map<number, Placed>()
  /** Tokens of segments of a journal that was dropped. */
  const past = new Map<number, string>()

  function end(at: number): void {
    for (const [i, one] of encoded.entries()) past.set(began + 1 + i, decodeRecord(one).token)
    began = at - 1
    seq = 0
    time = 0
    packBytes = 0
    newest = undefined
    refs = refCells()
    keys = new Map()
    encoded = []
    firsts = []
    ids = []
    dropped = new Set()
    moved = new Map()
    leaves = new Map()
    decoded.clear()
  }

  function apply(bytes: Uint8Array): SegmentRecord {
    const record = decodeRecord(bytes)
    // What drops the namespace can follow any segment: nothing before it is needed any more.
    if (record.segment !== segment + 1 && !(record.ends && record.segment > segment)) {
      throw new RangeError(`segment ${record.segment} does not follow ${segment}`)
    }
    segment = record.segment
    token = record.token
    if (record.ends) end(segment)
    firsts.push(record.first)
    encoded.push(bytes)
    for (const { id, parts } of record.entries) {
      ids.push(id)
      packBytes += sizeOfParts(parts)
    }
    seq += record.entries.length
    if (record.entries.length > 0) {
      time = record.time
      noteNewest(record)
    }
    for (const [name, to] of record.refs) to === null ? refs.delete(name) : refs.set(name, to)
    for (const [key, to] of record.keys) keys.set(key, to)
    for (const one of record.dropped) drop(one)
    noteRepacks(record)
    return record
  }

  function noteNewest({ leaf = '', firstLeaf }: SegmentRecord): void {
    newest = { first: newest?.first ?? firstLeaf ?? '', seq, leaf }
    if (leaf === '') return
    leaves.set(seq, leaf)
    if (leaves.size > keptLeaves) leaves.delete(leaves.keys().next().value!)
  }

  function drop(one: number): void {
    const at = place(one)
    if (at === undefined) return
    packBytes -= sizeOfPlaced(at.pack)
    dropped.add(one)
    moved.delete(one)
  }

  function noteRepacks(record: SegmentRecord): void {
    if (record.repacks.length === 0) return
    const { key, token } = contentOf(record)
    let at = packsAt(record) + record.entries.reduce((sum, { parts }) => sum + sizeOfParts(parts), 0)
    for (const { seq: repacked, parts } of record.repacks) {
      const before = place(repacked)
      const pack = { segment: record.segment, key, token, parts: placedParts(parts, at) }
      at += sizeOfParts(parts)
      if (before === undefined || before.pack.parts.length === 0) continue
      packBytes += sizeOfParts(parts) - sizeOfPlaced(before.pack)
      moved.set(repacked, pack)
    }
  }

  function indexOf(sought: number): number {
    let low = 0
    let high = firsts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (firsts[middle]! <= sought) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  function placedAt(index: number): Placed {
    const known = decoded.get(index)
    if (known !== undefined) return known
    const record = decodeRecord(encoded[index]!)
    const heads: number[] = []
    const packs: number[] = []
    let head = record.run?.heads ?? 0
    let pack = packsAt(record)
    for (const entry of record.entries) {
      heads.push(head)
      packs.push(pack)
      head += entry.head
      pack += sizeOfParts(entry.parts)
    }
    const placed = { record, heads, packs }
    if (decoded.size >= keptDecoded) decoded.delete(decoded.keys().next().value!)
    decoded.set(index, placed)
    return placed
  }

  function place(sought: number): EntryPlace | undefined {
    if (sought < 1 || sought > seq) return undefined
    const { record, heads, packs } = placedAt(indexOf(sought))
    const i = sought - record.first
    const entry = record.entries[i]!
    const { key, token } = contentOf(record)
    const parts = dropped.has(sought) ? [] : placedParts(entry.parts, packs[i]!)
    return {
      seq: sought,
      key,
      token,
      from: heads[i]!,
      to: heads[i]! + entry.head,
      isCommit: entry.id !== '',
      pack: moved.get(sought) ?? { segment: record.segment, key, token, parts },
    }
  }

  return {
    get segment() {
      return segment
    },
    get token() {
      return token
    },
    get seq() {
      return seq
    },
    get time() {
      return time
    },
    get packBytes() {
      return packBytes
    },
    get newest() {
      return newest
    },
    get began() {
      return began
    },
    get refs() {
      return refs
    },
    get keys() {
      return keys
    },
    apply,
    leafOf: sought => (sought === newest?.seq ? newest.leaf || undefined : leaves.get(sought)),
    place,
    hasNodes(sought) {
      const at = place(sought)
      return at !== undefined && (!at.isCommit || at.pack.parts.length > 0)
    },
    proposed(prefix) {
      const start = prefix.slice(0, 16)
      const found: number[] = []
      for (const [i, id] of ids.entries()) if (id !== '' && id.startsWith(start)) found.push(i + 1)
      return found
    },
    tokenOf(sought) {
      const bytes = encoded[sought - began - 1]
      return bytes === undefined ? past.get(sought) : decodeRecord(bytes).token
    },
    records: (from, to) => encoded.slice(Math.max(from - began - 1, 0), Math.max(to - began, 0)),
    othersSince(since, writer) {
      const writers = new Set<string>()
      for (let one = Math.max(since, began) + 1; one <= segment; one++) {
        writers.add(decodeRecord(encoded[one - began - 1]!).token.slice(0, writer.length))
      }
      writers.delete(writer)
      return writers.size
    },
  }
}

/** The object that holds what a segment was written with. The keys of runs are of chance, and so of one object each. */
function contentOf({ run, segment, token }: SegmentRecord): { readonly key: string; readonly token: string } {
  return run === undefined ? { key: segmentKey(segment), token } : { key: run.key, token: '' }
}

/** Where the packs of a segment begin: after its heads. */
function packsAt({ run, entries }: SegmentRecord): number {
  return run?.packs ?? entries.reduce((sum, { head }) => sum + head, 0)
}

function placedParts(parts: readonly PartShape[], at: number): readonly PlacedPart[] {
  let from = at
  return parts.map(({ first, bytes }) => {
    const part = { first, from, to: from + bytes }
    from += bytes
    return part
  })
}

function sizeOfPlaced({ parts }: PackPlace): number {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0)
}
