/**
 * Checking a whole namespace against itself: entries, commits, packs, pointers, writers, the schemas that
 * commits name, refs, indexes and Merkle log.
 *
 * What is damaged is named and the check goes on, so one report shows all there is. It reads every byte once; trees are
 * compared only where a commit differs from its parents.
 */

import { checkOptions, hexOfId } from '../core/index.ts'
import { assertReadsAll, type Handle, reachAll } from '../repo/index.ts'
import {
  ask,
  leafOfEntry,
  parseEntry,
  readCommit,
  type StoredCommit,
  type StoredEntry,
  type Work,
} from '../store/index.ts'
import { verifiedEntry } from '../store/journal/entries.ts'
import type { EntryRecord } from '../store/journal/entry.ts'
import { indexOfPointer, seqOfPointer } from '../tree/index.ts'
import { type Damage, type DamageList, damageList, entryName } from './damage.ts'
import { checkIndex } from './index-check.ts'
import { checkLog } from './log-check.ts'
import { readWholePack } from './pack.ts'
import { checkProvenance } from './provenance.ts'
import { type RefReplay, refReplay } from './ref-replay.ts'
import { type AnyRepository, type OnProgress, type ProgressOptions, progressOptions, readable } from './repository.ts'
import { findSchemaFault } from './schema-kept.ts'

/** What `verify` checked and which damage it found. */
export interface VerifyReport {
  readonly ok: boolean
  /** How many entries were checked. */
  readonly checked: number
  readonly damage: readonly Damage[]
}

/** How many entries are read at once. */
const BATCH = 64

interface Verifying {
  readonly handle: Handle
  readonly damage: DamageList
  readonly refs: RefReplay
  /** The ids of commits by entry. */
  readonly commits: Map<number, string>
  /** Commits whose packs were dropped. */
  readonly dropped: number[]
  time: number
}

const verifyOptions = progressOptions('verify')

/** Checks the whole store and names what is damaged. */
export async function verify(repo: AnyRepository, options: ProgressOptions = {}): Promise<VerifyReport> {
  checkOptions(verifyOptions, options)
  const handle = readable(repo)
  const { journal } = handle
  await journal.run(assertReadsAll(handle))
  const damage = damageList()
  const verifying: Verifying = { handle, damage, refs: refReplay(), commits: new Map(), dropped: [], time: 0 }
  const { seq: before } = await journal.run(ask(log => log.head()))
  await verifyEntries(verifying, 1, before, options.onProgress)
  verifying.refs.remember()
  const refs = await journal.run(ask(log => log.refs('')))
  const { seq: newest } = await journal.run(ask(log => log.head()))
  await verifyEntries(verifying, before + 1, newest, options.onProgress)
  for (const { name, what } of verifying.refs.compare(refs)) damage.add(`ref ${name}`, what)
  await verifyDropped(verifying)
  // Made from a damaged journal, what is derived can only be wrong: it is compared with one that is whole.
  if (damage.found.length === 0) {
    await journal.run(checkLog(handle, damage))
    await checkIndex(handle, damage)
  }
  return { ok: damage.found.length === 0, checked: newest, damage: damage.found }
}

async function verifyEntries(
  verifying: Verifying,
  first: number,
  last: number,
  onProgress: OnProgress | undefined,
): Promise<void> {
  const { journal } = verifying.handle
  for (let from = first; from <= last; from += BATCH) {
    const to = Math.min(from + BATCH - 1, last)
    const rows = await journal.run(ask(log => log.entries(from, to, ['text', 'commit'])))
    const bySeq = new Map(rows.map(row => [row.seq, row]))
    for (let seq = from; seq <= to; seq++) {
      const row = bySeq.get(seq)
      if (row === undefined) {
        verifying.damage.add(entryName(seq), 'the entry is missing')
        verifying.refs.skip()
      } else {
        await verifying.damage.during(seq, () => verifyEntry(verifying, row))
      }
    }
    onProgress?.({ done: to, total: last })
  }
}

async function verifyEntry(verifying: Verifying, row: StoredEntry): Promise<void> {
  const { damage, refs } = verifying
  const { seq } = row
  const report = (what: string): void => damage.add(entryName(seq), what)
  // Moves are done as long as they can be read: otherwise every ref would seem to be in the wrong place.
  if (leafOfEntry(row.text) !== row.leaf) refs.skip()
  else for (const what of refs.move(seq, parseEntry(row.text).moves)) report(what)
  const { record } = verifiedEntry(row, ['text'])
  if (record.time < verifying.time) report('its time is before that of the entry before it')
  verifying.time = Math.max(verifying.time, record.time)
  if ((seq === 1) !== (record.kind === 'genesis')) report('only the first entry is the beginning of a journal')
  if (record.commit === undefined) {
    if (row.commit !== undefined) report('it has a commit that its text does not name')
    return
  }
  verifiedEntry(row, ['text', 'commit'])
  verifying.commits.set(seq, record.commit)
  await damage.during(seq, () => verifyIndex(verifying, seq, record.commit!))
  await damage.during(seq, () => verifyCommit(verifying, seq, record, report))
}

async function verifyIndex({ handle, damage }: Verifying, seq: number, id: string): Promise<void> {
  const found = await handle.journal.run(ask(log => log.find(hexOfId(id), seq)))
  if (!found.some(commit => commit.seq === seq)) damage.add(entryName(seq), 'its commit is not found by its id')
}

async function verifyCommit(
  verifying: Verifying,
  seq: number,
  record: EntryRecord,
  report: (what: string) => void,
): Promise<void> {
  const { handle, commits, damage } = verifying
  const { journal } = handle
  const pack = await journal.run(readWholePack(seq))
  if (pack === undefined) {
    verifying.dropped.push(seq)
    return
  }
  if (pack.digest !== record.pack) report('its pack does not have the digest that the entry names')
  // A commit read before is answered from memory; what lies in the store is what counts here.
  journal.recent.delete(seq)
  const commit = await journal.run(readCommit(journal, seq))
  const named = commit.record.parents
  if (commit.parents.length !== named.length || commit.parents.some((parent, i) => commits.get(parent) !== named[i])) {
    if (!commit.parents.some(parent => damage.isDamaged(parent)))
      report('the entries of its parents do not hold the parents that its text names')
    return
  }
  for (const { id, at } of ownRoots(commit)) {
    if (pack.nodes[at]?.id !== id) report('a root is not the node that its text names')
  }
  if (damage.isDamaged(seq) || commit.parents.some(parent => damage.isDamaged(parent))) return
  await journal.run(checkAgainstParents(handle, commit, report))
}

function ownRoots({ seq, tree, system, detail }: StoredCommit): { readonly id: string; readonly at: number }[] {
  const roots = detail === undefined ? [tree, system] : [tree, system, detail]
  return roots.filter(link => seqOfPointer(link.at) === seq).map(link => ({ id: link.id, at: indexOfPointer(link.at) }))
}

function* checkAgainstParents(handle: Handle, commit: StoredCommit, report: (what: string) => void): Work<void> {
  const parents: StoredCommit[] = []
  for (const seq of commit.parents) parents.push(yield* readCommit(handle.journal, seq))
  yield* checkProvenance(handle, commit, parents, report)
  const fault = yield* findSchemaFault(handle, commit)
  if (fault !== undefined) report(fault)
}

/** A pack may be gone only when nothing needs it. */
async function verifyDropped({ handle, damage, dropped }: Verifying): Promise<void> {
  if (dropped.length === 0) return
  const reached = new Set<number>()
  await damage.during(0, async () => handle.journal.run(reachAll(handle, { reached })))
  for (const seq of dropped)
    if (reached.has(seq)) damage.add(entryName(seq), 'its pack is gone, and it is still needed')
}
