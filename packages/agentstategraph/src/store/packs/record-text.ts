/**
 * The texts of records, checked: that of a delta is made from its base.
 *
 * Damage of the record itself is a RangeError, damage of a base a StateError that names the entry of the base.
 */

import { hashBytes, isStateError, joinedBytes } from '../../core/index.ts'
import { indexOfPointer, type Node, nodeText, type Pointer, seqOfPointer } from '../../tree/index.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { ByteReader } from './bytes.ts'
import { hasRecord, indexPart, shown, type TextRecord, textRecordAt, verifyRecord } from './read-pack.ts'

/** The longest way from a delta to a text. Writers keep to 8; a longer one is damage. */
const MAX_DELTAS = 64

/** A node in memory, by where it is stored. */
export type FindNode = (at: Pointer) => Node | undefined

export interface RecordText {
  readonly text: Uint8Array
  readonly id: string
  /** The leaf of the record. */
  readonly leaf: string
  /** How many deltas the text was made from. */
  readonly deltas: number
}

/**
 * The text of the record at a place, which has the id `id` unless that is empty. A base that `find` does not have in memory is
 * read.
 *
 * Retention stores a text anew before it trims the base. Who read the record before, and the base after, reads both again.
 */
export function* recordText(record: TextRecord, at: Pointer, id: string, find: FindNode): Work<RecordText> {
  try {
    return yield* checkedText(record, at, id, find)
  } catch (error) {
    if (record.kind === 'whole' || !isStateError(error, 'state-trimmed')) throw error
    const again = yield* storedRecord(at, at, id)
    if (again.kind === 'delta' && again.base === record.base) throw error
    return yield* checkedText(again, at, id, find)
  }
}

function* checkedText(record: TextRecord, at: Pointer, id: string, find: FindNode): Work<RecordText> {
  if (record.kind === 'whole') return wholeText(record, id)
  const way = yield* wayOf(record, at, id, find)
  try {
    const text = way.deltas.reduceRight((base, { record: { splices } }) => spliced(base, splices), way.base)
    return verified(record, text, id, way.deltas.length + way.deltasOfBase)
  } catch (error) {
    if (error instanceof RangeError) assertBases(way, id)
    throw error
  }
}

/** The text of a whole record. */
export function wholeText(record: WholeRecord, id: string): RecordText {
  return verified(record, record.text, id, 0)
}

function verified(record: TextRecord, text: Uint8Array, expected: string, deltas: number): RecordText {
  const id = hashBytes(text)
  if (expected !== '' && id !== expected) throw new RangeError('a node does not have the id that its parent names')
  return { text, id, leaf: verifyRecord(record, id), deltas }
}

type WholeRecord = Extract<TextRecord, { readonly kind: 'whole' }>

type DeltaRecord = Extract<TextRecord, { readonly kind: 'delta' }>

/** The way from a delta to a text. */
interface Way {
  /** The delta first, and after each the one that is its base. */
  readonly deltas: readonly { readonly record: DeltaRecord; readonly at: Pointer }[]
  /** The text of the last base. */
  readonly base: Uint8Array
  /** Its record, when it was read; it was checked before when it is in memory. */
  readonly read?: { readonly record: TextRecord; readonly at: Pointer }
  readonly deltasOfBase: number
}

function* wayOf(first: DeltaRecord, from: Pointer, id: string, find: FindNode): Work<Way> {
  const deltas: { record: DeltaRecord; at: Pointer }[] = []
  let record: TextRecord = first
  let at = from
  while (record.kind === 'delta') {
    if (deltas.push({ record, at }) > MAX_DELTAS) throw new RangeError('a text is behind too many deltas')
    const node = find(record.base)
    if (node !== undefined) return { deltas, base: encoder.encode(nodeText(node)), deltasOfBase: node.deltas ?? 0 }
    const named: Pointer = record.base
    record = yield* storedRecord(named, at, id)
    at = named
  }
  return { deltas, base: record.text, read: { record, at }, deltasOfBase: 0 }
}

const encoder = new TextEncoder()

/** Throws when one of the bases is damaged, and names it. */
function assertBases({ deltas, base, read }: Way, id: string): void {
  let text = base
  const check = (record: TextRecord, at: Pointer, made: () => Uint8Array): void => {
    try {
      text = made()
      verifyRecord(record, hashBytes(text))
    } catch (cause) {
      throw damagedAt(at, id, cause)
    }
  }
  if (read !== undefined) check(read.record, read.at, () => base)
  for (const { record, at } of deltas.slice(1).reverse()) check(record, at, () => spliced(text, record.splices))
}

/** The error for a damaged record, which names its entry; any other error is returned as it is. */
export function damagedAt(at: Pointer, id: string, cause: unknown): unknown {
  if (!(cause instanceof RangeError)) return cause
  return storeError('object-corrupt', { id: shown(id), seq: seqOfPointer(at), reason: cause.message }, { cause })
}

/** The record at a place that the record at `by` names. */
function* storedRecord(at: Pointer, by: Pointer, id: string): Work<TextRecord> {
  const pointer = { seq: seqOfPointer(at), index: indexOfPointer(at) }
  const [stored] = yield* ask(log => log.parts([pointer]))
  if (stored === undefined) throw storeError('pack-dropped', { seq: pointer.seq })
  try {
    const part = indexPart(stored.seq, stored.first, stored.bytes)
    if (hasRecord(part, pointer.index)) return textRecordAt(part, pointer.index)
  } catch (cause) {
    throw damagedAt(at, id, cause)
  }
  throw damagedAt(by, id, new RangeError('the base of a delta is not where it says'))
}

/** A text with splices: each keeps and drops bytes of the base, and inserts its own; the rest of the base follows. */
function spliced(base: Uint8Array, splices: Uint8Array): Uint8Array {
  const reader = new ByteReader(splices)
  const from = new ByteReader(base)
  const pieces: Uint8Array[] = []
  while (reader.position < reader.end) {
    pieces.push(from.raw(reader.varint()))
    from.skip(reader.varint())
    pieces.push(reader.raw(reader.varint()))
  }
  pieces.push(from.rest())
  return joinedBytes(pieces)
}
