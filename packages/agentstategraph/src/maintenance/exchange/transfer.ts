/**
 * Transfers the commits that another repository lacks, oldest first.
 *
 * Commits are compared by their ids. A commit that the target has is there with all its ancestors, so the walk over
 * ancestors ends at it. With a missing commit, the commits that its alternatives name are transferred too. No ref moves
 * here. Of each commit only its sequence numbers are kept in memory.
 */

import { canonicalText, type Stored } from '../../core/index.ts'
import { type Handle, neededBy, repoError, type Via } from '../../repo/index.ts'
import { newestFirst } from '../../repo/records/newest-first.ts'
import {
  ask,
  type Journal,
  type JournalEntry,
  pausePoint,
  readCommit,
  readEntries,
  readEntriesAt,
  readEntry,
  readGenesis,
  type Work,
} from '../../store/index.ts'
import type { OnProgress } from '../repository.ts'
import { SeqNumbers } from '../seq-numbers.ts'
import { type Batches, batches } from './batches.ts'
import { findLeaving, type LeavingCommit, leavingColumns, seqsIn } from './foreign.ts'
import { knownCommits } from './known-commits.ts'
import type { Receiver } from './receive.ts'

export interface Transferred {
  /** The sequence number in the target of a commit, from that of its entry in the source. */
  seqHere(seq: number): Promise<number>
}

/** Both repositories, and the commits that are known to be in both. */
interface Sides {
  readonly source: Handle
  readonly target: Receiver
  /** By sequence numbers of the source, those of the target: of commits that were there before. */
  readonly found: SeqNumbers
  /** The same of commits that were transferred now. */
  readonly taken: SeqNumbers
  readonly batches: Batches
  readonly viaOf: (commit: LeavingCommit) => Via
  /** Whether the source has checked each commit against the packs that it has. */
  readonly isChecked: boolean
}

function sidesOf(source: Handle, handle: Handle, viaOf: Sides['viaOf'], isChecked: boolean): Sides {
  const target = { handle, known: knownCommits() }
  const found = new SeqNumbers()
  const taken = new SeqNumbers()
  const gathered = batches(target, taken, seq => (taken.get(seq) ?? found.get(seq))!)
  return { source, target, found, taken, batches: gathered, viaOf, isChecked }
}

/** How many entries are read at once, or between two reports of progress. */
const BATCH = 64
/** The same for entries with the packs of their commits. */
const READ = 8

/** Transfers the commits that lead to these entries of the source. */
export async function transfer(
  source: Handle,
  target: Handle,
  heads: readonly number[],
  viaOf: Sides['viaOf'],
  onProgress: OnProgress | undefined,
): Promise<Transferred> {
  assertSameLimits(source, target)
  const sides = sidesOf(source, target, viaOf, false)
  const missing = await missingFrom(sides, heads, onProgress)
  const total = missing.count
  for (let done = 0; done < total; ) {
    const end = Math.min(total, done + BATCH)
    const seqs: number[] = []
    for (; done < end; done++) seqs.push(missing.get(total - 1 - done)!)
    const entries = await source.journal.run(readEntriesAt(seqs, leavingColumns))
    for await (const commit of leaving(
      source,
      seqs.map(seq => entries.get(seq)!),
    ))
      await take(sides, commit)
    onProgress?.({ done: sides.taken.count, total })
  }
  await sides.batches.flush()
  onProgress?.({ done: total, total })
  return { seqHere: seq => seqHere(sides, seq) }
}

/** Transfers all commits of a source that has received each of them, and so has checked it. */
export async function transferAll(
  source: Handle,
  target: Handle,
  viaOf: Sides['viaOf'],
  onProgress: OnProgress | undefined,
): Promise<Transferred> {
  const sides = sidesOf(source, target, viaOf, true)
  const { seq: total } = await source.journal.run(ask(log => log.head()))
  for (let from = 1; from <= total; from += BATCH) {
    const to = Math.min(total, from + BATCH - 1)
    const entries = await source.journal.run(readEntries(from, to, leavingColumns))
    for await (const commit of leaving(source, entries)) if (await isMissing(sides, commit)) await take(sides, commit)
    onProgress?.({ done: to, total })
  }
  await sides.batches.flush()
  return { seqHere: seq => seqHere(sides, seq) }
}

/** The name of a repository in `via`. */
export async function originOf({ journal }: Handle): Promise<string> {
  return (await journal.run(readGenesis()))?.origin ?? ''
}

function assertSameLimits(a: Handle, b: Handle): void {
  const textOf = ({ journal }: Handle): string => canonicalText(journal.context.limits as unknown as Stored)
  if (textOf(a) !== textOf(b)) throw repoError('formats-differ', {})
}

async function take(sides: Sides, commit: LeavingCommit): Promise<void> {
  const { batches, taken, viaOf, isChecked } = sides
  const named = seqsIn(commit)
  const isTaken = (seq: number): boolean => taken.get(seq) !== undefined || batches.has(seq)
  for (const seq of named) if (!isTaken(seq)) await seqHere(sides, seq)
  const { seq, parents } = commit
  const isKnown = isChecked && [...named, ...parents].every(isTaken)
  if (batches.add({ seq, commit, via: viaOf(commit), isChecked: isKnown })) await batches.flush()
}

/** A commit that the target has is there with its parents: one whose parent was missing need not be looked up. */
async function isMissing(sides: Sides, { seq, parents }: LeavingCommit): Promise<boolean> {
  const { batches, taken } = sides
  if (parents.some(parent => taken.get(parent) !== undefined || batches.has(parent))) return true
  await batches.flush()
  return (await findHere(sides, seq)) === undefined
}

async function seqHere(sides: Sides, seq: number): Promise<number> {
  const known = sides.taken.get(seq) ?? sides.found.get(seq) ?? (await findHere(sides, seq))
  if (known === undefined) throw new RangeError(`Entry ${seq} of the source is not among its ancestors`)
  return known
}

/** Looks a commit of the source up in the target, and keeps its sequence number. */
async function findHere({ source, target, found }: Sides, seq: number): Promise<number | undefined> {
  const { record } = await source.journal.run(readEntry(seq))
  if (record.commit === undefined) return undefined
  const here = await target.handle.journal.run(target.known.find(record.commit))
  if (here !== undefined) found.set(seq, here)
  return here
}

/** The entries of commits that the target lacks, numbered from 0 on, newest first. */
async function missingFrom(sides: Sides, heads: readonly number[], onProgress?: OnProgress): Promise<SeqNumbers> {
  const missing = new SeqNumbers()
  const queue = newestFirst(heads)
  for (let seq = queue.take(); seq !== undefined; seq = queue.take()) {
    if ((await findHere(sides, seq)) !== undefined) continue
    missing.set(missing.count, seq)
    for (const needed of await sides.source.journal.run(stillNeeded(sides.source, seq))) queue.add(needed)
    if (missing.count % BATCH === 0) onProgress?.({ done: 0, total: missing.count })
  }
  return missing
}

/** The parents, which have to be in the source, and the commits of alternatives whose packs are. */
function* stillNeeded(source: Handle, seq: number): Work<number[]> {
  const commit = yield* readCommit(source.journal, seq)
  const needed: number[] = [...commit.parents]
  for (const other of yield* neededBy(source, commit)) {
    yield pausePoint
    const [row] = yield* ask(log => log.entries(other, other, ['part']))
    if (row?.part !== undefined && other < seq) needed.push(other)
  }
  return needed
}

/** The commits that are in entries and have their packs. A few are read at a time, because their nodes are in memory. */
async function* leaving({ journal }: Handle, entries: readonly JournalEntry[]): AsyncGenerator<LeavingCommit> {
  for (let from = 0; from < entries.length; from += READ) {
    yield* await journal.run(allLeaving(journal, entries.slice(from, from + READ)))
  }
}

function* allLeaving(journal: Journal, entries: readonly JournalEntry[]): Work<LeavingCommit[]> {
  const commits: LeavingCommit[] = []
  for (const entry of entries) {
    yield pausePoint
    const commit = yield* findLeaving(journal, entry)
    if (commit !== undefined) commits.push(commit)
  }
  return commits
}
