/**
 * Adding to a journal: commits with their packs, and entries without.
 *
 * Everything that a commit writes is built here and handed to the backend in one append; a lost race, a repeated key and
 * a clock that runs behind are the backend's answers. Whether a commit may be made is not asked here.
 */

import { canonicalText, foldPaths, formatPath, hexOfId, isStateError, type Stored } from '../../core/index.ts'
import type { Link, TreeLimits } from '../../tree/index.ts'
import type { Append, Appended, Move, NewEntry } from '../contract/backend.ts'
import { checkedName } from '../contract/names.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { type Pack, writePack } from '../packs/write-pack.ts'
import { type CommitInfo, type CommitRecord, commitId, commitText, type StoredCommit } from './commit.ts'
import { remember } from './commits.ts'
import { readEntry } from './entries.ts'
import { type EntryRecord, type EntryRequest, entryMoves, entryText, leafOfEntry } from './entry.ts'
import { formatVersion, type Genesis, readGenesis, writeGenesis } from './genesis.ts'
import type { Journal } from './journal.ts'
import { assertSameJournal, noteAppended, noteReplaced } from './seen-journal.ts'

/** How many changed paths an entry lists before they are folded into their parents. */
const MAX_CHANGED = 64
/** How long they may be together, in characters, so that they never fill an entry by themselves. */
const MAX_CHANGED_LENGTH = 8192

export interface NewCommit {
  readonly parents: readonly StoredCommit[]
  readonly drafts?: readonly string[] | undefined
  readonly tree: Link
  readonly system: Link
  readonly detail?: Link | undefined
  readonly info: CommitInfo
  readonly changed: readonly (readonly string[])[]
  /** What the entry says beside the commit. */
  readonly body?: Stored | undefined
  /** The refs that move to this commit, and guards. */
  readonly moves: readonly Move[]
  readonly request?: EntryRequest | undefined
  /** A name that the entry can be found by, as by an idempotency key. */
  readonly name?: string | undefined
  /** The most bytes that its pack may have. */
  readonly maxBytes?: number | undefined
}

export type CommitOutcome =
  | { readonly kind: 'done'; readonly commit: StoredCommit }
  | Exclude<Recorded, { readonly kind: 'done' }>

/** Adds one commit, or tells which ref had moved, or which earlier commit had this key. */
export function* appendCommit(journal: Journal, commit: NewCommit): Work<CommitOutcome> {
  for (const { name } of commit.moves) checkedName('ref', name)
  const parents = commit.parents.map(parent => parent.seq)
  const pack = writePack({ tree: commit.tree, system: commit.system, detail: commit.detail }, parents)
  assertSize(pack, commit.maxBytes)
  let time = journal.now()
  for (;;) {
    yield* begin(journal, commit.info.agent, time)
    const built = buildCommit(commit, pack, time)
    const appended = yield* appendWithRoom(journal, built.append, parents)
    if (appended.kind === 'late') {
      time = yield* newestTime(appended.time)
      continue
    }
    if (appended.kind !== 'done') return appended
    journal.nodes.land(pack.links, appended.first)
    journal.onAppend?.(appended.first)
    return { kind: 'done', commit: landed(journal, commit, built, appended.first) }
  }
}

function assertSize({ parts }: Pack, maxBytes = Number.POSITIVE_INFINITY): void {
  const size = parts.reduce((sum, part) => sum + part.bytes.length, 0)
  if (size > maxBytes) throw storeError('commit-too-large', { what: 'pack', size, limit: maxBytes })
}

/** Appends; where the store is full and somebody said how to make room, once more after that. */
function* appendWithRoom(journal: Journal, batch: Append, needed: readonly number[]): Work<AppendedHere> {
  try {
    return yield* appendSeen(journal, batch)
  } catch (e) {
    if (journal.makeRoom === undefined || batch.makesRoom === true || !isStateError(e, 'store-full')) throw e
    if (!(yield* journal.makeRoom(needed))) throw e
    return yield* appendSeen(journal, batch)
  }
}

/** Appends, if the journal still is the one that was seen. */
export function* appendSeen(journal: Journal, batch: Omit<Append, 'seen'>): Work<AppendedHere> {
  const { seen } = journal
  const appended = yield* ask(log => log.append({ ...batch, seen }))
  if (appended.kind === 'replaced') throw noteReplaced(journal)
  if (appended.kind === 'done') {
    const { entries } = batch
    noteAppended(journal, appended.first + entries.length - 1, entries.at(-1)!.leaf)
  }
  return appended
}

/** What an append is answered with on a journal that is still the same. */
type AppendedHere = Exclude<Appended, { readonly kind: 'replaced' }>
/** The same, with the right time. */
export type Recorded = Exclude<AppendedHere, { readonly kind: 'late' }>

/** An entry without a pack: an event, a ref that moves by itself, an observation. */
export type NewRecord = Omit<EntryRecord, 'time' | 'moves' | 'commit' | 'pack'>

/** Adds entries that hold no commit. The moves belong to the first. With `after`, only if that is the newest entry. */
export function* appendEntries(
  journal: Journal,
  records: readonly NewRecord[],
  moves: readonly Move[] = [],
  names: NonNullable<Append['keys']> = [],
  after?: number,
): Work<Recorded> {
  for (const { name } of moves) checkedName('ref', name)
  const requests = records.flatMap(({ request }, entry) => (request === undefined ? [] : { key: request.key, entry }))
  const keys = [...requests, ...names]
  for (const { key } of keys) checkedName('idempotency key', key)
  // A full store must take what frees it: a ref that goes, and what was collected then.
  const makesRoom = records.every(({ kind }) => kind === 'prune') || moves.some(({ to }) => to === null)
  let time = journal.now()
  for (;;) {
    yield* begin(journal, records[0]!.agent, time)
    const entries = records.map((record, place): NewEntry => {
      const text = entryText({ ...record, time, moves: place === 0 ? entryMoves(moves, 0) : [] })
      return { text, leaf: leafOfEntry(text), parts: [] }
    })
    const appended = yield* appendWithRoom(journal, { time, entries, moves, keys, after, makesRoom }, [])
    if (appended.kind === 'late') {
      time = yield* newestTime(appended.time)
      continue
    }
    if (appended.kind === 'done') journal.onAppend?.(appended.first + entries.length - 1)
    return appended
  }
}

/**
 * The time for an entry when another clock is ahead of ours, since a journal's time never runs backwards.
 *
 * It is read from the newest entry's text: a damaged row must not lend its time to all entries after it.
 */
function* newestTime(told: number): Work<number> {
  const { seq } = yield* ask(log => log.head())
  return seq === 0 ? told : (yield* readEntry(seq)).record.time
}

/** Sees to it that the journal has its first entry. */
export function* begin(journal: Journal, agent: string, time: number): Work<void> {
  if (journal.hasGenesis) return
  const head = yield* ask(log => log.head())
  if (head.seq === 0) {
    yield* writeGenesis({ format: formatVersion, limits: journal.context.limits, origin: journal.ids() }, agent, time)
  }
  // Whoever was first decided the format and the limits, and that may have been somebody else.
  const genesis = yield* readGenesis()
  if (!hasLimits(genesis, journal.context.limits)) throw storeError('limits-differ', {})
  yield* assertSameJournal(journal)
  journal.hasGenesis = true
}

function hasLimits(genesis: Genesis | undefined, limits: TreeLimits): boolean {
  return canonicalText(genesis?.limits as unknown as Stored) === canonicalText(limits as unknown as Stored)
}

interface Built {
  readonly append: Append
  readonly id: string
  readonly record: CommitRecord
  readonly entry: EntryRecord
}

function buildCommit(commit: NewCommit, pack: Pack, time: number): Built {
  const { moves, request, name } = commit
  const record = recordOf(commit, time)
  const text = commitText(record)
  const id = commitId(text)
  const entry: EntryRecord = {
    kind: 'commit',
    time,
    agent: record.agent,
    moves: entryMoves(moves, 0),
    commit: id,
    pack: pack.digest,
    changed: listedPaths(commit.changed),
    body: commit.body,
    request: commit.request,
  }
  const line = entryText(entry)
  const added: NewEntry = { text: line, leaf: leafOfEntry(line), commit: { id: hexOfId(id), text }, parts: pack.parts }
  const keys = keysOf(request, name)
  return { append: { time, entries: [added], moves, keys }, id, record, entry }
}

function keysOf(request: EntryRequest | undefined, name: string | undefined): NonNullable<Append['keys']> {
  const used = [request?.key, name].filter(key => key !== undefined)
  return used.map(key => ({ key: checkedName('idempotency key', key), entry: 0 }))
}

/** The changed paths, folded until they are few enough and short enough for an entry. */
export function listedPaths(changed: readonly (readonly string[])[]): readonly string[] {
  const paths = changed.map(formatPath)
  let max = MAX_CHANGED
  let folded = foldPaths(paths, max)
  while (max > 1 && folded.reduce((sum, path) => sum + path.length, 0) > MAX_CHANGED_LENGTH) {
    max = max >> 1
    folded = foldPaths(paths, max)
  }
  return folded
}

/** Written out field by field: a spread costs more here than hashing the text. */
function recordOf({ info, tree, system, detail, parents, drafts }: NewCommit, time: number): CommitRecord {
  return {
    agent: info.agent,
    intent: info.intent,
    principal: info.principal,
    authority: info.authority,
    session: info.session,
    reasoning: info.reasoning,
    confidence: info.confidence,
    schema: info.schema,
    trace: info.trace,
    merge: info.merge,
    tree: tree.id,
    system: system.id,
    parents: parents.map(parent => parent.id),
    drafts,
    detail: detail?.id,
    time,
  }
}

function landed(journal: Journal, commit: NewCommit, { id, record, entry }: Built, seq: number): StoredCommit {
  const { tree, system, detail } = commit
  const parents = commit.parents.map(parent => parent.seq)
  const stored: StoredCommit = { seq, id, record, entry, parents, tree, system, detail }
  remember(journal, stored)
  return stored
}
