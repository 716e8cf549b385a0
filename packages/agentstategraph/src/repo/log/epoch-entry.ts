/**
 * Reads epochs from the journal: entries of kind `epoch`, on the ref `system/epoch/<id>`.
 *
 * An epoch is a range of the journal. The entry that opens it is its first, or names an earlier one; its last entry, the seal, holds facts about the whole
 * range. Entries after the seal (the root of the Merkle log with its signature, the archiving) are outside the range.
 * Each of these entries moves the ref to itself, so its move names the entry before it. Writing them is not done here.
 */

import { ask, type EntryRecord, type JournalEntry, readEntry, readEntryValue, type Work } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Accessor } from '../records/accessor.ts'
import { bodyOf, findBody, type SealBody, type SealLists } from '../records/entry-bodies.ts'
import { epochPrefix } from '../records/ref-names.ts'
import { readScopeOf } from '../visibility/read-scope.ts'

export type EpochStatus = 'open' | 'sealed' | 'archived'

/** The facts of a seal about its range. */
export interface SealFacts extends SealLists, Pick<SealBody, 'from' | 'counts'> {
  readonly to: number
}

/** An epoch as the journal records it. */
export interface EpochRecord {
  readonly id: string
  readonly description: string
  readonly rootIntents: readonly string[]
  readonly fromSeq: number
  readonly status: EpochStatus
  /** The newest entry about it, which its ref points to. */
  readonly at: number
  readonly seal?: EpochSeal | undefined
}

export interface EpochSeal {
  readonly seq: number
  readonly time: number
  readonly summary: string
  readonly facts: SealFacts
  /** Absent when the process that sealed ended before it wrote the proof. */
  readonly proof?: { readonly root: string; readonly signed?: string | undefined } | undefined
}

/** The epoch of an id; undefined when there is none. */
export function* findEpoch(id: string): Work<EpochRecord | undefined> {
  const at = yield* ask(log => log.ref(epochPrefix + id))
  return at === null ? undefined : yield* epochAt(at)
}

export function* getEpoch(id: string): Work<EpochRecord> {
  const epoch = yield* findEpoch(id)
  if (epoch !== undefined) return epoch
  const known = (yield* ask(log => log.refs(epochPrefix))).map(({ name }) => name.slice(epochPrefix.length))
  throw repoError('epoch-not-found', { epoch: id, known })
}

export function* assertEpochsKnown(accessor: Accessor, id: string): Work<void> {
  if ((yield* readScopeOf(accessor))?.isBlank === true) throw repoError('epoch-not-found', { epoch: id, known: [] })
}

/** All epochs, in the order in which they begin. */
export function* listEpochs(): Work<readonly EpochRecord[]> {
  const epochs: EpochRecord[] = []
  for (const { seq } of yield* ask(log => log.refs(epochPrefix))) epochs.push(yield* epochAt(seq))
  return epochs.sort((a, b) => a.fromSeq - b.fromSeq)
}

/** Follows the entries of an epoch back to the one that opened it. */
function* epochAt(at: number): Work<EpochRecord> {
  let status: EpochStatus | undefined
  let proof: EpochSeal['proof']
  let seal: EpochSeal | undefined
  for (let seq = at; ; ) {
    const entry = yield* readEntry(seq)
    const body = bodyOf(entry.record, 'epoch')
    if (!('status' in body)) proof ??= { root: body.root, signed: body.signed }
    else {
      status ??= body.status
      if (body.status === 'open') {
        const { epoch: id, description, rootIntents, from: fromSeq = seq } = body
        return { id, description, rootIntents, fromSeq, status, at, seal }
      }
      if (body.status === 'sealed') seal = yield* sealIn(entry, body, proof)
    }
    seq = priorOf(entry.record, epochPrefix + body.epoch) ?? 0
  }
}

/** The position of a ref before an entry moved the ref to itself. */
export function priorOf({ moves }: EntryRecord, ref: string): number | null {
  return moves.find(([name]) => name === ref)?.[1] ?? null
}

function* sealIn({ seq, record }: JournalEntry, body: SealBody, proof: EpochSeal['proof']): Work<EpochSeal> {
  const lists = 'facts' in body ? yield* longLists(body.facts) : body
  const { from, counts, summary } = body
  const { commits, agents, categories, refs } = lists
  const facts: SealFacts = { from, to: seq, counts, commits, agents, categories, refs }
  return { seq, time: record.time, summary, facts, proof }
}

function* longLists(seq: number): Work<SealLists> {
  return (yield* readEntryValue(yield* readEntry(seq))) as unknown as SealLists
}

/** The change of an epoch that an entry records, for watchers of the journal. */
export function epochChangeIn(
  record: EntryRecord,
): { readonly epoch: string; readonly status: EpochStatus } | undefined {
  const body = findBody(record, 'epoch')
  return body === undefined || !('status' in body) ? undefined : { epoch: body.epoch, status: body.status }
}

/** The range of an epoch, and the intents that its listed commits have to serve. */
export interface EpochScope {
  readonly from: number
  readonly to: number
  readonly rootIntents: readonly string[]
}

/** The scope of an epoch. A handle that may read nothing does not learn whether an epoch exists. */
export function* epochScope(accessor: Accessor, id: string): Work<EpochScope> {
  yield* assertEpochsKnown(accessor, id)
  const { fromSeq, rootIntents, seal } = yield* getEpoch(id)
  return { from: fromSeq, to: seal?.facts.to ?? Number.MAX_SAFE_INTEGER, rootIntents }
}

/** The ranges that epochs cover, open or sealed, in order and without overlap. */
export function* epochRanges(): Work<readonly { readonly from: number; readonly to: number }[]> {
  const { seq: newest } = yield* ask(log => log.head())
  const ranges: { from: number; to: number }[] = []
  for (const { fromSeq, seal } of yield* listEpochs()) {
    const to = seal?.facts.to ?? newest
    const last = ranges.at(-1)
    if (last !== undefined && fromSeq <= last.to + 1) last.to = Math.max(last.to, to)
    else ranges.push({ from: fromSeq, to })
  }
  return ranges
}
