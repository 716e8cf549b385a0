/**
 * Checking a namespace against itself: entries, commits, packs, pointers, writers, the schemas that commits name, refs,
 * indexes and Merkle log.
 *
 * What is damaged is named and the check goes on, so one report shows all there is. Every byte is read once, in the order
 * of the journal; trees are compared only where a commit differs from its parents. What is remembered does not grow with
 * the history, except by a number for each commit.
 */

import { appendAll, checkOptions, isStateError, optionsOf } from '../core/index.ts'
import { assertReadsAll, type Handle, reachAll, rootsOf } from '../repo/index.ts'
import {
  ask,
  assertStateStored,
  pausePoint,
  type RefCell,
  readCommit,
  readEntry,
  retentionRef,
  type StoredCommit,
  type StoredEntry,
  type Work,
} from '../store/index.ts'
import { commitIn } from '../store/journal/commits.ts'
import { assertFits, recordOf } from '../store/journal/entries.ts'
import type { EntryRecord } from '../store/journal/entry.ts'
import { indexOfPointer, seqOfPointer } from '../tree/index.ts'
import { type Damage, type DamageList, damageList, entryName } from './checks/damage.ts'
import { type IdCheck, idCheck } from './checks/id-check.ts'
import { checkIndex } from './checks/index-check.ts'
import { checkLog } from './checks/log-check.ts'
import { checkPack } from './checks/pack.ts'
import { type PackCount, packCount } from './checks/pack-count.ts'
import { checkProvenance } from './checks/provenance.ts'
import { type RefReplay, refReplay } from './checks/ref-replay.ts'
import { findSchemaFault } from './checks/schema-kept.ts'
import { type TrimmedNodes, trimmedNodes } from './checks/trimmed-nodes.ts'
import { checkKeys, checkUpkeep, findEnd } from './checks/upkeep-check.ts'
import { checkedPoint, pointText, type VerifyPoint } from './checks/verify-point.ts'
import { type AnyRepository, type OnProgress, type ProgressOptions, readable } from './repository.ts'
import { scanHandle } from './scan-handle.ts'

/** Options of `verify`. */
export interface VerifyOptions extends ProgressOptions {
  /** The point of an earlier report: what was checked up to it is not read again. */
  after?: string | undefined
}

const verifyOptions = optionsOf<VerifyOptions>('verify', { onProgress: true, after: true })

/** What `verify` checked and which damage it found. */
export interface VerifyReport {
  readonly ok: boolean
  /** How many entries were checked. */
  readonly checked: number
  readonly damage: readonly Damage[]
  /** Where a later `verify` can go on; absent when there is damage, or no entry. */
  readonly point?: string
}

/** How many entries are read at once. */
const BATCH = 64

interface Verifying {
  readonly handle: Handle
  readonly damage: DamageList
  readonly refs: RefReplay
  readonly ids: IdCheck
  /** Commits whose packs were dropped. */
  readonly dropped: number[]
  /** Nodes that retention trimmed, of the entries that were checked. */
  readonly trimmed: TrimmedNodes
  /** Absent when a part of the journal was checked before. */
  packs: PackCount | undefined
  /** Of the entry that was checked last. */
  time: number
  leaf: string
}

/** Checks the whole store, or what was added since an earlier check, and names what is damaged. */
export async function verify(repo: AnyRepository, options: VerifyOptions = {}): Promise<VerifyReport> {
  checkOptions(verifyOptions, options)
  const { onProgress } = options
  const after = options.after === undefined ? undefined : checkedPoint(options.after)
  const handle = readable(repo)
  await handle.journal.run(assertReadsAll(handle))
  const damage = damageList()
  await checkUpkeep(handle, damage)
  const scan = scanHandle(handle)
  const verifying = beginVerifying(scan, damage, after)
  const { journal } = scan
  if (after !== undefined) await journal.run(damage.during(after.seq, goOnAfter(verifying, after)))
  else await journal.run(damage.during(0, countPacks(verifying)))
  const from = (after?.seq ?? 0) + 1
  const before = await findEnd(scan, damage)
  await verifyEntries(verifying, from, before, onProgress)
  verifying.refs.remember()
  const refs: RefCell[] = []
  const areRead = await journal.run(damage.during(0, listRefs(refs)))
  const newest = await findEnd(scan, damage)
  await verifyEntries(verifying, Math.max(from, before + 1), newest, onProgress)
  if (areRead) for (const { where, what } of verifying.refs.compare(refs)) damage.add(where, what)
  await journal.run(damage.during(0, verifyIds(verifying, newest)))
  await journal.run(verifyDropped(verifying))
  await journal.run(damage.during(0, verifyStates(verifying)))
  // Made from a damaged journal, what is derived can only be wrong: it is compared with one that is whole.
  if (damage.found.length === 0) {
    await handle.journal.run(damage.during(0, checkLog(handle, damage)))
    await journal.run(damage.during(0, checkIndex(scan, from - 1, damage)))
    if (verifying.packs !== undefined) await journal.run(damage.during(0, verifying.packs.compare(damage)))
  }
  return reportOf(verifying, newest, from)
}

function* listRefs(refs: RefCell[]): Work<void> {
  appendAll(refs, yield* ask(log => log.refs('')))
}

function beginVerifying(handle: Handle, damage: DamageList, after: VerifyPoint | undefined): Verifying {
  return {
    handle,
    damage,
    refs: refReplay(after),
    ids: idCheck(),
    dropped: [],
    trimmed: trimmedNodes(),
    packs: undefined,
    time: 0,
    leaf: '',
  }
}

function reportOf({ damage, refs, leaf }: Verifying, seq: number, from: number): VerifyReport {
  const ok = damage.found.length === 0
  const report = { ok, checked: Math.max(0, seq - from + 1), damage: damage.found }
  return ok && seq > 0 ? { ...report, point: pointText({ seq, leaf, refs: refs.digest() }) } : report
}

function* goOnAfter(verifying: Verifying, { seq, leaf }: VerifyPoint): Work<void> {
  const { record, row } = yield* readEntry(seq)
  if (row.leaf !== leaf) verifying.damage.add(entryName(seq), 'it is not the entry that was checked before')
  verifying.time = record.time
  verifying.leaf = leaf
}

function* countPacks(verifying: Verifying): Work<void> {
  verifying.packs = yield* packCount()
}

async function verifyEntries(
  verifying: Verifying,
  first: number,
  last: number,
  onProgress: OnProgress | undefined,
): Promise<void> {
  for (let from = first; from <= last; from += BATCH) {
    const to = Math.min(from + BATCH - 1, last)
    await verifying.handle.journal.run(verifyBatch(verifying, from, to))
    onProgress?.({ done: to, total: last })
  }
}

function* verifyBatch(verifying: Verifying, from: number, to: number): Work<void> {
  const rows = yield* ask(log => log.entries(from, to, ['text', 'commit', 'part']))
  const bySeq = new Map(rows.map(row => [row.seq, row]))
  for (let seq = from; seq <= to; seq++) {
    yield pausePoint
    const row = bySeq.get(seq)
    if (row === undefined) {
      verifying.damage.add(entryName(seq), 'the entry is missing')
      verifying.refs.skip()
    } else {
      yield* verifying.damage.during(seq, verifyEntry(verifying, row))
    }
  }
}

function* verifyEntry(verifying: Verifying, row: StoredEntry): Work<void> {
  const { damage, refs, ids } = verifying
  const { seq } = row
  const report = (what: string): void => damage.add(entryName(seq), what)
  verifying.leaf = row.leaf
  const record = recordIn(row, refs)
  // Moves are done as long as they can be read: otherwise every ref would seem to be in the wrong place.
  for (const what of refs.move(seq, record.moves)) report(what)
  assertFits(row, record, ['text', 'commit'])
  if (record.time < verifying.time) report('its time is before that of the entry before it')
  verifying.time = Math.max(verifying.time, record.time)
  yield* damage.during(seq, checkKeys(seq, record, report))
  if ((seq === 1) !== (record.kind === 'genesis')) report('only the first entry is the beginning of a journal')
  if (record.commit === undefined) {
    if (row.commit !== undefined) report('it has a commit that its text does not name')
    return
  }
  ids.note(seq, row.commit!.id)
  yield* damage.during(seq, verifyCommit(verifying, record, row, report))
}

function recordIn(row: StoredEntry, refs: RefReplay): EntryRecord {
  try {
    return recordOf(row)
  } catch (error) {
    refs.skip()
    throw error
  }
}

function* verifyIds({ ids, damage }: Verifying, newest: number): Work<void> {
  for (const seq of yield* ids.missing(newest)) damage.add(entryName(seq), 'its commit is not found by its id')
}

function* verifyCommit(
  { handle, damage, dropped, trimmed, packs }: Verifying,
  record: EntryRecord,
  row: StoredEntry,
  report: (what: string) => void,
): Work<void> {
  const { journal } = handle
  const { seq, part } = row
  if (part === undefined) {
    dropped.push(seq)
    return
  }
  const pack = yield* checkPack(journal, { seq, digest: record.pack, first: part }, trimmed)
  packs?.add(seq, pack.bytes)
  if (pack.hasLostNodes) report('a node that is kept leads to one that retention dropped')
  if (!pack.hasDigest) report('its pack does not have the digest that the entry names')
  const commit = commitIn(journal, record, row, part)
  const parents: StoredCommit[] = []
  for (const parent of commit.parents) if (parent < seq) parents.push(yield* readCommit(journal, parent))
  const named = commit.record.parents
  if (parents.length !== named.length || parents.some(({ id }, i) => id !== named[i])) {
    if (!commit.parents.some(parent => damage.isDamaged(parent)))
      report('the entries of its parents do not hold the parents that its text names')
    return
  }
  for (const { id, at } of ownRoots(commit)) {
    if ((pack.ids[at] ?? id) !== id) report('a root is not the node that its text names')
  }
  if (commit.detail !== undefined && trimmed.has(commit.detail.at)) report('what its commit says of itself was trimmed')
  if (damage.isDamaged(seq) || commit.parents.some(parent => damage.isDamaged(parent))) return
  for (const what of yield* findStateFaults(handle, commit, parents)) report(what)
}

/** What is wrong with the state of a commit; nothing when it, or one that it is compared with, was trimmed. */
function* findStateFaults(
  handle: Handle,
  commit: StoredCommit,
  parents: readonly StoredCommit[],
): Work<readonly string[]> {
  const faults: string[] = []
  try {
    yield* checkProvenance(handle, commit, parents, what => faults.push(what))
    const fault = yield* findSchemaFault(handle, commit)
    return fault === undefined ? faults : [...faults, fault]
  } catch (error) {
    if (isStateError(error, 'state-trimmed')) return []
    throw error
  }
}

function ownRoots({ seq, tree, system, detail }: StoredCommit): { readonly id: string; readonly at: number }[] {
  const roots = detail === undefined ? [tree, system] : [tree, system, detail]
  return roots.filter(link => seqOfPointer(link.at) === seq).map(link => ({ id: link.id, at: indexOfPointer(link.at) }))
}

/** A state may be trimmed only when no ref and no epoch leads to it. */
function* verifyStates({ handle, damage, trimmed }: Verifying): Work<void> {
  if (trimmed.isEmpty && (yield* ask(log => log.ref(retentionRef))) === null) return
  for (const seq of yield* rootsOf(handle)) {
    yield pausePoint
    try {
      yield* damage.during(seq, assertStateStored(handle.journal, seq))
    } catch (error) {
      if (!isStateError(error, 'state-trimmed')) throw error
      damage.add(entryName(seq), 'its state was trimmed, and it is still needed')
    }
  }
}

/** A pack may be gone only when nothing needs it. */
function* verifyDropped({ handle, damage, dropped }: Verifying): Work<void> {
  if (dropped.length === 0) return
  const reached = new Set<number>()
  yield* damage.during(0, reachAll(handle, { reached }))
  for (const seq of dropped)
    if (reached.has(seq)) damage.add(entryName(seq), 'its pack is gone, and it is still needed')
}
