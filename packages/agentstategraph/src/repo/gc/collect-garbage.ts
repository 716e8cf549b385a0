/**
 * Garbage collection: dropping the packs of commits that nothing needs any more.
 *
 * Entries stay for ever, so the journal still tells that there was a commit and what it said; only its nodes go. What was
 * written lately is kept whether or not something needs it: another process may be about to point to it.
 */

import {
  ask,
  assertSameJournal,
  packBytes,
  pausePoint,
  type Retention,
  type StoredEntry,
  type Work,
} from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { recordEntries } from '../write/record-entries.ts'
import { follow, reachAll } from './reach.ts'

/** What `gc` removed, or would remove. */
export interface GcReport {
  readonly freedBytes: number
  /** How many commits still have their packs. */
  readonly kept: number
  /** How many commits lost theirs. */
  readonly removed: number
}

export interface Collecting extends Retention {
  /** Entries that another writer is about to point to. */
  readonly needed?: readonly number[]
  /** Only tells what would be dropped. */
  readonly dryRun?: boolean
}

const BATCH = 256

export function* collectGarbage(handle: Handle, options: Collecting): Work<GcReport> {
  const { keepNewerMs, needed = [], dryRun = false } = options
  const { seq: newest } = yield* ask(log => log.head())
  const { old, fresh } = yield* commitsOf(newest, handle.journal.now() - keepNewerMs)
  const reached = new Set<number>()
  yield* follow(handle, [...fresh, ...needed], reached)
  yield* reachAll(handle, reached)
  let unneeded = old.filter(seq => !reached.has(seq))
  let freedBytes = yield* sizeOf(unneeded)
  if (!dryRun && unneeded.length > 0) {
    yield* recordPrune(handle, unneeded.length, freedBytes, newest)
    // Whoever pointed to one of them meanwhile is heard before it goes.
    yield* reachAll(handle, reached)
    const still = unneeded.filter(seq => !reached.has(seq))
    if (still.length < unneeded.length) freedBytes = yield* sizeOf(still)
    unneeded = still
    yield* drop(handle, unneeded)
  }
  return { freedBytes, kept: old.length + fresh.length - unneeded.length, removed: unneeded.length }
}

/**
 * From now on, a write that finds its store full first drops what no branch and no tag reaches and the retention lets go,
 * and is refused only when that made no room. What is reachable never goes.
 */
export function retain(handle: Handle, { keepNewerMs }: Retention): void {
  handle.journal.makeRoom = function* (needed): Work<boolean> {
    return (yield* collectGarbage(handle, { keepNewerMs, needed })).removed > 0
  }
}

/** The commits that have packs, parted by whether they are older than a moment. */
function* commitsOf(
  newest: number,
  moment: number,
): Work<{ readonly old: readonly number[]; readonly fresh: readonly number[] }> {
  const old: number[] = []
  const fresh: number[] = []
  for (let from = 1; from <= newest; from += BATCH) {
    yield pausePoint
    const rows = yield* ask(log => log.entries(from, Math.min(from + BATCH - 1, newest), ['part']))
    for (const row of rows) if (hasPack(row)) (row.time < moment ? old : fresh).push(row.seq)
  }
  return { old, fresh }
}

function hasPack({ part }: StoredEntry): boolean {
  return part !== undefined
}

function* sizeOf(seqs: readonly number[]): Work<number> {
  let bytes = 0
  for (const seq of seqs) {
    yield pausePoint
    bytes += yield* packBytes(seq)
  }
  return bytes
}

function* recordPrune(handle: Handle, commits: number, bytes: number, until: number): Work<void> {
  yield* recordEntries(
    handle,
    [{ capability: 'admin' }],
    [{ kind: 'prune', agent: handle.who.agent, body: { commits, bytes, until } }],
  )
}

function* drop({ journal, shared }: Handle, seqs: readonly number[]): Work<void> {
  // In another journal these numbers stand for what others have written.
  yield* assertSameJournal(journal)
  for (let from = 0; from < seqs.length; from += BATCH) {
    yield* ask(log => log.dropPacks(seqs.slice(from, from + BATCH)))
  }
  const dropped = new Set(seqs)
  for (const seq of seqs) journal.recent.delete(seq)
  for (const [ref, { seq }] of shared.heads) if (dropped.has(seq)) shared.heads.delete(ref)
}
