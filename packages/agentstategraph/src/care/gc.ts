/**
 * Garbage collection: dropping the packs of commits that nothing needs any more.
 *
 * Entries stay for ever, so the journal still tells that there was a commit and what it said; only its nodes go. What was
 * written lately is kept whether or not something needs it: somebody may be about to point to it.
 */

import type { Handle } from '../repo/index.ts'
import { appendEntries, ask, type StoredEntry, type Work } from '../store/index.ts'
import { packBytes } from './pack.ts'
import { follow, rootsOf } from './reach.ts'
import { type AnyRepository, readable, writable } from './repository.ts'

export interface GcReport {
  readonly freedBytes: number
  /** How many commits still have their packs. */
  readonly kept: number
  /** How many commits lost theirs. */
  readonly removed: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 256

/** Drops what nothing needs, or with `dryRun` only tells what it would drop. */
export async function gc(
  repo: AnyRepository,
  options: { keepNewerMs?: number | undefined; dryRun?: boolean | undefined } = {},
): Promise<GcReport> {
  const { keepNewerMs = DAY_MS, dryRun = false } = options
  const handle = dryRun ? readable(repo) : writable(repo, 'gc')
  const { journal } = handle
  const { seq: newest } = await journal.run(ask(log => log.head()))
  const { old, fresh } = await commitsOf(handle, newest, journal.now() - keepNewerMs)
  const reached = new Set<number>()
  await follow(handle, fresh, reached)
  await follow(handle, await journal.run(rootsOf(handle)), reached)
  let unneeded = old.filter(seq => !reached.has(seq))
  let freedBytes = await sizeOf(handle, unneeded)
  if (!dryRun && unneeded.length > 0) {
    await journal.run(recordPrune(handle, unneeded.length, freedBytes, newest))
    // Whoever pointed to one of them meanwhile is heard before it goes.
    await follow(handle, await journal.run(rootsOf(handle)), reached)
    const still = unneeded.filter(seq => !reached.has(seq))
    if (still.length < unneeded.length) freedBytes = await sizeOf(handle, still)
    unneeded = still
    await drop(handle, unneeded)
  }
  return { freedBytes, kept: old.length + fresh.length - unneeded.length, removed: unneeded.length }
}

/** The commits that have packs, parted by whether they are older than a moment. */
async function commitsOf(
  { journal }: Handle,
  newest: number,
  moment: number,
): Promise<{ readonly old: readonly number[]; readonly fresh: readonly number[] }> {
  const old: number[] = []
  const fresh: number[] = []
  for (let from = 1; from <= newest; from += BATCH) {
    const rows = await journal.run(ask(log => log.entries(from, Math.min(from + BATCH - 1, newest), ['part'])))
    for (const row of rows) if (hasPack(row)) (row.time < moment ? old : fresh).push(row.seq)
  }
  return { old, fresh }
}

function hasPack({ part }: StoredEntry): boolean {
  return part !== undefined
}

async function sizeOf({ journal }: Handle, seqs: readonly number[]): Promise<number> {
  let bytes = 0
  for (const seq of seqs) bytes += await journal.run(packBytes(seq))
  return bytes
}

function* recordPrune({ journal, who }: Handle, commits: number, bytes: number, until: number): Work<void> {
  yield* appendEntries(journal, [{ kind: 'prune', agent: who.agent, body: { commits, bytes, until } }])
}

async function drop({ journal, shared }: Handle, seqs: readonly number[]): Promise<void> {
  for (let from = 0; from < seqs.length; from += BATCH) {
    await journal.run(ask(log => log.dropPacks(seqs.slice(from, from + BATCH))))
  }
  const dropped = new Set(seqs)
  for (const seq of seqs) journal.recent.delete(seq)
  for (const [ref, { seq }] of shared.heads) if (dropped.has(seq)) shared.heads.delete(ref)
}
