/**
 * Garbage collection: dropping the packs of commits that nothing needs any more.
 *
 * Entries stay for ever, so the journal still tells that there was a commit and what it said; only its nodes go. What was
 * written lately is kept whether or not something needs it: another process may be about to point to it.
 */

import {
  ask,
  assertSameJournal,
  headerOf,
  isOutOfSpace,
  maxSkewMs,
  type PackHeader,
  packBytes,
  pausePoint,
  type Retention,
  type Work,
} from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import type { OnProgress } from '../query/reindex.ts'
import { recordEntries } from '../write/record-entries.ts'
import { readRetention } from '../write/retention.ts'
import { follow, type Reach, reachAll, reachSince } from './reach.ts'
import { trimStates } from './trim-states.ts'

/** What `gc` removed, or would remove. */
export interface GcReport {
  readonly freedBytes: number
  /** How many commits still have their packs. */
  readonly kept: number
  /** How many commits lost theirs. */
  readonly removed: number
  /** How many commits lost their states by the rules of retention, and nothing else. */
  readonly trimmed: number
}

export interface Collecting extends Retention {
  /** Entries that another writer is about to point to. */
  readonly needed?: readonly number[]
  /** Only tells what would be dropped. */
  readonly dryRun?: boolean
  /** Told how many entries were looked at, and then how many packs were dropped besides. */
  readonly onProgress?: OnProgress | undefined
}

const BATCH = 256

/** Drops what nothing needs, and then trims old states by the recorded rules of retention, if there are any. */
export function* collectGarbage(handle: Handle, options: Collecting): Work<GcReport> {
  const { report, reach, until } = yield* dropGarbage(handle, options)
  const { keep } = yield* readRetention()
  if (keep === undefined) return report
  const { keepNewerMs, dryRun = false } = options
  const { states, bytes } = yield* trimStates(handle, { keep, keepNewerMs, reach, until }, dryRun)
  return { ...report, freedBytes: report.freedBytes + bytes, trimmed: states }
}

interface Dropped {
  readonly report: GcReport
  /** What is needed, of the entries up to `until`. */
  readonly reach: Reach
  readonly until: number
}

function* dropGarbage(handle: Handle, options: Collecting): Work<Dropped> {
  const { keepNewerMs, needed = [], dryRun = false, onProgress } = options
  const { seq: newest } = yield* ask(log => log.head())
  const { old, fresh, headers } = yield* packsUpTo(newest, handle.journal.now(), keepNewerMs, onProgress)
  const reach: Reach = { reached: new Set(), headers }
  yield* follow(handle, [...fresh, ...needed], reach)
  yield* reachAll(handle, reach)
  const unneeded = old.filter(seq => !reach.reached.has(seq))
  let removed = unneeded.length
  let freedBytes = yield* sizeOf(unneeded)
  if (!dryRun && removed > 0) {
    yield* recordPrune(handle, removed, freedBytes, newest)
    const onDropped = (count: number): void => onProgress?.({ done: newest + count, total: newest + unneeded.length })
    const dropped = yield* drop(handle, unneeded, reach, newest, onDropped)
    if (dropped.length < removed) {
      const lost = new Set(dropped)
      freedBytes -= yield* sizeOf(unneeded.filter(seq => !lost.has(seq)))
      removed = dropped.length
    }
  }
  const report = { freedBytes, kept: old.length + fresh.length - removed, removed, trimmed: 0 }
  return { report, reach, until: newest }
}

/**
 * From now on, a write that finds its store full first drops what no branch and no tag reaches and the retention lets go,
 * and is refused only when that made no room. What is reachable never goes.
 */
export function retain(handle: Handle, { keepNewerMs }: Retention): void {
  handle.journal.makeRoom = function* (needed): Work<boolean> {
    return (yield* dropGarbage(handle, { keepNewerMs, needed })).report.removed > 0
  }
}

interface Packs {
  /** The entries that have packs, parted by whether they are so new that they are kept. */
  readonly old: readonly number[]
  readonly fresh: readonly number[]
  readonly headers: NonNullable<Reach['headers']>
}

function* packsUpTo(newest: number, now: number, keepNewerMs: number, onProgress: OnProgress | undefined): Work<Packs> {
  // An entry that is dated further ahead does not tell how old it is: the clock that wrote it was wrong.
  const latest = now + Math.max(keepNewerMs, maxSkewMs)
  const old: number[] = []
  const fresh: number[] = []
  const headers = new Map<number, Pick<PackHeader, 'parents' | 'detail'>>()
  for (let from = 1; from <= newest; from += BATCH) {
    yield pausePoint
    const rows = yield* ask(log => log.entries(from, Math.min(from + BATCH - 1, newest), ['part']))
    for (const { seq, time, leaf, part } of rows) {
      if (part === undefined) continue
      const { parents, detail } = headerOf(part, seq, leaf)
      headers.set(seq, { parents, detail })
      if (time < now - keepNewerMs || time > latest) old.push(seq)
      else fresh.push(seq)
    }
    onProgress?.({ done: Math.min(from + BATCH - 1, newest), total: newest })
  }
  return { old, fresh, headers }
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

/**
 * Drops packs that are still unneeded, and returns whose. `reach` is known up to entry `until`.
 *
 * Each batch is dropped only if no entry was added since all entries were looked at. The newest go first: what has its pack
 * then also has all it leads to, whenever another process points a ref to it.
 */
function* drop(
  handle: Handle,
  unneeded: readonly number[],
  reach: Reach,
  until: number,
  onDropped: (count: number) => void,
): Work<readonly number[]> {
  const { journal, shared } = handle
  const dropped = new Set<number>()
  const left = [...unneeded]
  let seen = until
  let count = BATCH
  while (left.length > 0) {
    yield* assertSameJournal(journal)
    const newest = journal.seen!
    yield* reachSince(handle, seen, newest.seq, reach)
    seen = newest.seq
    const batch = left.slice(-count).filter(seq => !reach.reached.has(seq))
    try {
      if (batch.length > 0 && !(yield* ask(log => log.dropPacks(batch, newest)))) continue
    } catch (error) {
      // Dropping takes some space itself, and less of it at a time.
      if (count === 1 || !isOutOfSpace(error)) throw error
      count = count >> 2
      continue
    }
    left.splice(-count)
    for (const seq of batch) dropped.add(seq)
    onDropped(unneeded.length - left.length)
  }
  for (const seq of dropped) journal.recent.delete(seq)
  for (const [ref, { commit }] of shared.heads) if (dropped.has(commit.seq)) shared.heads.delete(ref)
  return [...dropped]
}
