/**
 * Transfers the commits that another repository lacks, oldest first.
 *
 * Commits are compared by their ids. A commit that the target has is there with all its ancestors, so the walk over
 * ancestors ends at it. With a missing commit, the commits that its alternatives name are transferred too. No ref moves
 * here.
 */

import { canonicalText, hexOfId, type Stored } from '../../core/index.ts'
import { type Handle, neededBy, repoError, type Via } from '../../repo/index.ts'
import { newestFirst } from '../../repo/records/newest-first.ts'
import { ask, readCommit, readEntry, readGenesis, type Work } from '../../store/index.ts'
import type { OnProgress } from '../repository.ts'
import { findLeaving, type LeavingCommit, leavingColumns, seqsIn } from './foreign.ts'
import { findCommit, receive } from './receive.ts'

export interface Transferred {
  /** The sequence number in the target of a commit, from that of its entry in the source. */
  seqHere(seq: number): Promise<number>
}

/** Transfers the commits that lead to these entries of the source. */
export async function transfer(
  source: Handle,
  target: Handle,
  heads: readonly number[],
  viaOf: (commit: LeavingCommit) => Via,
  onProgress: OnProgress | undefined,
): Promise<Transferred> {
  assertSameLimits(source, target)
  const numbers = new Map<number, number>()
  const seqHere = async (seq: number): Promise<number> => {
    const known = numbers.get(seq) ?? (await findHere(source, target, seq))
    if (known === undefined) throw new RangeError(`Entry ${seq} of the source is not among its ancestors`)
    numbers.set(seq, known)
    return known
  }
  const missing = await missingFrom(source, target, heads, numbers)
  for (const [i, seq] of missing.entries()) {
    const commit = await source.journal.run(getLeaving(seq))
    for (const named of seqsIn(commit)) await seqHere(named)
    const taken = await receive(target, commit, named => numbers.get(named)!, viaOf(commit))
    numbers.set(seq, taken.seq)
    onProgress?.({ done: i + 1, total: missing.length })
  }
  return { seqHere }
}

/** The name of a repository in `via`. */
export async function originOf({ journal }: Handle): Promise<string> {
  return (await journal.run(readGenesis()))?.origin ?? ''
}

function assertSameLimits(a: Handle, b: Handle): void {
  const textOf = ({ journal }: Handle): string => canonicalText(journal.context.limits as unknown as Stored)
  if (textOf(a) !== textOf(b)) throw repoError('formats-differ', {})
}

async function findHere(source: Handle, target: Handle, seq: number): Promise<number | undefined> {
  const { record } = await source.journal.run(readEntry(seq))
  return record.commit === undefined ? undefined : await target.journal.run(findCommit(hexOfId(record.commit)))
}

/** The entries of commits that the target lacks, oldest first. For those that it has, the sequence numbers are recorded. */
async function missingFrom(
  source: Handle,
  target: Handle,
  heads: readonly number[],
  numbers: Map<number, number>,
): Promise<number[]> {
  const missing: number[] = []
  const queue = newestFirst(heads)
  for (let seq = queue.take(); seq !== undefined; seq = queue.take()) {
    const here = await findHere(source, target, seq)
    if (here !== undefined) {
      numbers.set(seq, here)
      continue
    }
    missing.push(seq)
    for (const needed of await source.journal.run(stillNeeded(source, seq))) queue.add(needed)
  }
  return missing.reverse()
}

/** The parents, which have to be in the source, and the commits of alternatives whose packs are. */
function* stillNeeded(source: Handle, seq: number): Work<number[]> {
  const commit = yield* readCommit(source.journal, seq)
  const needed: number[] = [...commit.parents]
  for (const other of yield* neededBy(source, commit)) {
    const [row] = yield* ask(log => log.entries(other, other, ['part']))
    if (row?.part !== undefined && other < seq) needed.push(other)
  }
  return needed
}

function* getLeaving(seq: number): Work<LeavingCommit> {
  const commit = yield* findLeaving(yield* readEntry(seq, leavingColumns))
  // Read a moment ago on the way back: only a collection at the same time can have dropped it.
  if (commit === undefined) throw new RangeError(`The pack of entry ${seq} is gone`)
  return commit
}
