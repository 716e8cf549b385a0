/**
 * Retention: old states are trimmed, and their commits stay.
 *
 * A record goes when no kept state needs it. Each batch of packs is stored anew in one append, which records it, and which fails
 * when an entry was added since all entries were looked at. The newest packs go first: after every batch, a node that is
 * stored has all below it.
 */

import {
  assertSameJournal,
  findCommitAt,
  isOutOfSpace,
  noteTrims,
  pausePoint,
  type Recorded,
  type Repack,
  type TrimmedPack,
  trimPack,
  type Work,
} from '../../store/index.ts'
import { type Pointer, seqOfPointer } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { recordEntries } from '../write/record-entries.ts'
import { isSameKeep, type Retained, readRetention, retentionMove } from '../write/retention.ts'
import { type KeptBy, keptStates } from './kept-states.ts'
import { markCommit, markNodes } from './mark-nodes.ts'
import { rootsSince } from './reach.ts'

/** What was trimmed, or would be. */
export interface Trimmed {
  readonly states: number
  readonly bytes: number
}

/** The most packs of a batch, and how many bytes it may free before it ends. */
const BATCH = 64
const BATCH_BYTES = 2 ** 18

interface Trimming {
  readonly handle: Handle
  /** The commits whose states stay. */
  readonly kept: Set<number>
  readonly marked: Set<Pointer>
  /** The entries whose packs are left to look at, oldest first. */
  readonly left: number[]
}

export function* trimStates(handle: Handle, by: KeptBy, dryRun: boolean): Work<Trimmed> {
  const kept = yield* keptStates(handle, by)
  const marked = new Set<Pointer>()
  for (const seq of kept) {
    yield pausePoint
    yield* markCommit(handle.journal, seq, marked)
  }
  const { headers, reached } = by.reach
  const left = [...(headers?.keys() ?? [])].filter(seq => reached.has(seq)).sort((a, b) => a - b)
  const trimming = { handle, kept, marked, left }
  const { states, bytes } = dryRun ? yield* counted(trimming) : yield* trimAll(trimming, by)
  // Texts that are stored whole again can take more than was trimmed.
  return { states, bytes: Math.max(0, bytes) }
}

function* counted(trimming: Trimming): Work<Trimmed> {
  let sum = nothing
  for (const seq of trimming.left.toReversed()) {
    yield pausePoint
    const pack = yield* trimmed(trimming, seq)
    if (pack !== undefined) sum = plus(sum, pack)
  }
  return sum
}

/** Trims until nothing is left, or other rules were set. */
function* trimAll(trimming: Trimming, { keep, until }: KeptBy): Work<Trimmed> {
  const { handle, left } = trimming
  const { journal } = handle
  let sum = nothing
  let seen = until
  let count = BATCH
  while (left.length > 0) {
    yield pausePoint
    yield* assertSameJournal(journal)
    const newest = journal.seen!.seq
    yield* keepSince(trimming, seen, newest)
    seen = newest
    const before = yield* readRetention()
    if (!isSameKeep(before.keep, keep)) break
    const batch = yield* nextBatch(trimming, count)
    try {
      const outcome = batch.repacks.length === 0 ? undefined : yield* append(handle, before, batch, newest)
      if (outcome?.kind === 'moved') {
        // Others write: a smaller batch takes less time, in which less can happen.
        count = Math.max(1, count >> 1)
        continue
      }
      if (outcome?.kind === 'done') noteTrims(journal, outcome.first)
    } catch (error) {
      // Trimming takes some space itself, and less of it at a time.
      if (count === 1 || !isOutOfSpace(error)) throw error
      count = count >> 2 || 1
      continue
    }
    left.splice(-batch.looked)
    sum = plus(sum, batch)
    count = Math.min(BATCH, count * 2)
  }
  return sum
}

/** Keeps what entries after `from`, up to `to`, hold and lead to. Their texts may be deltas of what is trimmed. */
function* keepSince({ handle, kept, marked, left }: Trimming, from: number, to: number): Work<void> {
  for (const seq of yield* rootsSince(from, to)) {
    kept.add(seq)
    if (seq > from) left.push(seq)
    yield* markCommit(handle.journal, seq, marked)
  }
}

/** Packs that are trimmed together. */
interface Batch extends Trimmed {
  readonly repacks: readonly Repack[]
  /** How many packs were looked at, of which some need all of their records. */
  readonly looked: number
}

function* nextBatch(trimming: Trimming, count: number): Work<Batch> {
  const { left } = trimming
  const repacks: Repack[] = []
  let sum = nothing
  let looked = 0
  while (looked < Math.min(count, left.length) && sum.bytes < BATCH_BYTES) {
    const seq = left[left.length - 1 - looked++]!
    const pack = yield* trimmed(trimming, seq)
    if (pack === undefined) continue
    repacks.push({ seq, parts: pack.parts })
    sum = plus(sum, pack)
  }
  return { ...sum, repacks, looked }
}

/** The pack of a commit as retention leaves it; undefined when it stays as it is. */
function* trimmed({ handle, kept, marked }: Trimming, seq: number): Work<(TrimmedPack & Trimmed) | undefined> {
  const { journal } = handle
  const isKept = kept.has(seq)
  const commit = yield* findCommitAt(journal, seq)
  if (commit === undefined) return undefined
  const { entry, detail } = commit
  // What a commit says of itself stays with it.
  if (detail !== undefined && !isKept) yield* markNodes(journal, detail, marked)
  const isNeeded = (at: Pointer): boolean => marked.has(at) || (isKept && seqOfPointer(at) === seq)
  const pack = yield* trimPack(seq, entry.pack, isNeeded, journal.nodes.findAt)
  return pack && { ...pack, states: pack.hasLostState ? 1 : 0, bytes: pack.freedBytes }
}

function* append(handle: Handle, before: Retained, { states, bytes, repacks }: Batch, after: number): Work<Recorded> {
  const { at, keep } = before
  const body = { ...(keep === undefined ? {} : { keep }), ...plus(before, { states, bytes: Math.max(0, bytes) }) }
  const record = { kind: 'prune', agent: handle.who.agent, body }
  return yield* recordEntries(handle, [{ capability: 'admin' }], [record], {
    moves: [retentionMove(at)],
    after,
    repacks,
  })
}

const nothing: Trimmed = { states: 0, bytes: 0 }

function plus(a: Trimmed, b: Trimmed): Trimmed {
  return { states: a.states + b.states, bytes: a.bytes + b.bytes }
}
