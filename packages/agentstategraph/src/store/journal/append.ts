/**
 * Appends to a journal: commits with their packs, and entries without.
 *
 * Everything that a commit writes is built here and passed to the backend in one append, which detects lost races, repeated
 * keys and clocks that are behind. Authorization is not checked here.
 */

import { canonicalText, foldPaths, formatPath, hexOfId, type Stored, utf8Length } from '../../core/index.ts'
import { type Link, type Nodes, pausedSteps, pausePoint, type TreeLimits } from '../../tree/index.ts'
import type { Append, Appended, Move, NewEntry } from '../contract/backend.ts'
import { checkedName } from '../contract/names.ts'
import { ask, type Work } from '../contract/work.ts'
import { isOutOfSpace, storeError } from '../errors.ts'
import type { Bases } from '../packs/deltas.ts'
import { pausedPack } from '../packs/paused-pack.ts'
import { type Pack, type Roots, writePack } from '../packs/write-pack.ts'
import { checkClock, maxSkewMs, noteLate } from './clock.ts'
import { type CommitInfo, type CommitRecord, commitId, commitText, remember, type StoredCommit } from './commit.ts'
import { readEntry } from './entries.ts'
import { type EntryRecord, type EntryRequest, entryMoves, entryText, keysOfEntry, leafOfEntry } from './entry.ts'
import { formatVersion, type Genesis, readGenesis, writeGenesis } from './genesis.ts'
import { type Journal, stretchEntries } from './journal.ts'
import { assertSameJournal, noteAppended, noteReplaced } from './seen-journal.ts'
import { assertLinksStored, assertStateStored, isTrimmedMeanwhile, noteTrims, trimGuard } from './trims.ts'

/** How many changed paths an entry lists before they are folded into their parents. */
const MAX_CHANGED = 64
/** How many characters they may have together, so that they never fill an entry by themselves. */
const MAX_CHANGED_LENGTH = 8192

export interface NewCommit {
  readonly parents: readonly StoredCommit[]
  readonly drafts?: readonly string[] | undefined
  readonly tree: Link
  readonly system: Link
  readonly detail?: Link | undefined
  readonly info: CommitInfo
  readonly changed: readonly (readonly string[])[]
  /** The body of the entry. */
  readonly body?: Stored | undefined
  /** The refs that move to this commit, and guards. */
  readonly moves: readonly Move[]
  /** Commits beside its parents that must still have their packs. */
  readonly needs?: readonly number[] | undefined
  /** Whether each node that is not new is one of its first parent, to which a ref leads. */
  readonly isPlain?: boolean | undefined
  readonly request?: EntryRequest | undefined
  readonly name?: string | undefined
  readonly checkSize?: CheckSize | undefined
  /** Throws when it may not be written at this time. */
  readonly checkTime?: ((time: number) => void) | undefined
}

/** Throws when an append may not have so many bytes. */
export type CheckSize = (bytes: number) => Work<void>

export type CommitOutcome =
  /** `head` is where the ref is now, when that is not the commit: others were added after it. */
  | { readonly kind: 'done'; readonly commit: StoredCommit; readonly head?: StoredCommit }
  | Exclude<Recorded, { readonly kind: 'done' }>

/** Appends one commit, or returns which ref has moved, or which earlier commit has this key. */
export function* appendCommit(journal: Journal, commit: NewCommit): Work<CommitOutcome> {
  assertNewNames(commit.moves)
  const parents = commit.parents.map(parent => parent.seq)
  const roots: Roots = { tree: commit.tree, system: commit.system, detail: commit.detail }
  const { nodes } = journal
  const changed = yield* listedPaths(nodes, commit.changed)
  const bases = basesOf(journal, commit.parents)
  let pack =
    nodes.isPauseDue === undefined ? writePack(roots, parents, bases) : yield* pausedPack(nodes, roots, parents, bases)
  let salt: string | undefined
  let time = journal.now()
  for (;;) {
    commit.checkTime?.(time)
    if (!hasBegun(journal, time)) yield* begin(journal, commit.info.agent, time)
    salt ??= journal.ids()
    const built = buildCommit(commit, changed, pack, time, salt)
    const entries = [newEntry(built, pack)]
    if (commit.checkSize !== undefined) yield* commit.checkSize(bytesOf(entries))
    const needs = commit.needs === undefined ? parents : [...parents, ...commit.needs]
    const moves = commit.isPlain === true ? commit.moves : [...commit.moves, trimGuard(journal)]
    const appended = yield* appendWithRoom(journal, { time, entries, moves, keys: keysAt(built.entry, 0), needs })
    if (appended.kind === 'moved' && isTrimmedMeanwhile(appended)) {
      noteTrims(journal, appended.actual)
      yield* assertLinksStored(journal, [commit.tree, commit.system], pack.links)
      // A base may be what was trimmed.
      pack = yield* pausedPack(nodes, roots, parents)
      continue
    }
    if (appended.kind === 'late') {
      time = yield* newestTime(journal, time, appended.time)
      continue
    }
    if (appended.kind !== 'done') return appended
    yield* landNodes(journal, pack, appended.first, commit.isPlain === true)
    const stored = storedCommit(commit, built, appended.first)
    remember(journal, stored)
    return { kind: 'done', commit: stored }
  }
}

/** How many nodes are numbered and cached before the clock is looked at. */
const NODES_BETWEEN = 64

/** Numbers and caches the nodes of a pack. Nobody else has their links before its commit is known. */
function* landNodes({ nodes }: Journal, { links, replaced }: Pack, seq: number, isPlain: boolean): Work<void> {
  for (let from = 0; from < links.length; from += NODES_BETWEEN) {
    if (from > 0 && nodes.isPauseDue !== undefined) yield pausePoint
    nodes.land(links, seq, from, Math.min(links.length, from + NODES_BETWEEN))
  }
  if (isPlain) nodes.supersede(replaced)
}

/** What the nodes of a commit with these parents are based on. */
export function basesOf({ nodes, log }: Journal, [first]: readonly StoredCommit[]): Bases | undefined {
  return first && { nodes, tree: first.tree, system: first.system, isScattered: log.isScattered }
}

/** A ref that exists got its name when it was created. */
export function assertNewNames(moves: readonly Move[]): void {
  for (const { name, expect, to } of moves) if (expect === null && to !== null) checkedName('ref', name)
}

/** What entries take: their texts, and the packs of their commits. */
function bytesOf(entries: readonly NewEntry[]): number {
  let bytes = 0
  for (const { text, commit, parts } of entries) {
    bytes += utf8Length(text) + (commit === undefined ? 0 : utf8Length(commit.text))
    for (const part of parts) bytes += part.bytes.length
  }
  return bytes
}

/** Appends; when the store is full, makes room if `journal.makeRoom` is set, and appends once more. */
export function* appendWithRoom(journal: Journal, batch: Append): Work<AppendedHere> {
  try {
    return yield* appendSeen(journal, batch)
  } catch (e) {
    if (journal.makeRoom === undefined || batch.makesRoom === true || !isOutOfSpace(e)) throw e
    if (!(yield* journal.makeRoom(neededBy(batch)))) throw e
    return yield* appendSeen(journal, batch)
  }
}

/** Appends, if the journal was not replaced, and nothing that it would lead to was dropped. */
export function* appendSeen(journal: Journal, batch: Omit<Append, 'seen'>): Work<AppendedHere> {
  const { seen } = journal
  const needs = neededBy(batch)
  const appended = yield* ask(log => log.append({ ...batch, seen, needs }))
  if (appended.kind === 'replaced') throw noteReplaced(journal)
  if (appended.kind === 'dropped') throw noteDropped(journal, appended.seq)
  if (appended.kind === 'done') {
    const entries = typeof batch.entries === 'function' ? batch.entries(appended.first) : batch.entries
    noteAppended(journal, appended.first + entries.length - 1, entries.at(-1)!.leaf)
    journal.clock.checkedUntil = Math.max(journal.clock.checkedUntil, batch.time + maxSkewMs)
    journal.onAppend?.()
    if (Math.floor(journal.appended / stretchEntries) * stretchEntries >= appended.first) journal.onStretch?.()
  }
  return appended
}

/** The stored entries that an append leads to: a cache says that they can be read even when others cannot any more. */
function neededBy({ needs = [], moves }: Pick<Append, 'needs' | 'moves'>): readonly number[] {
  let all = needs
  for (const { expect, to } of moves) if (typeof to === 'number' && to !== expect) all = [...all, to]
  return all
}

function noteDropped(journal: Journal, seq: number): Error {
  journal.recent.delete(seq)
  return storeError('pack-dropped', { seq })
}

/** The outcomes of an append to a journal that was not replaced and has what it leads to. */
export type AppendedHere = Exclude<Appended, { readonly kind: 'replaced' | 'dropped' }>
/** The same, after `late` was handled. */
export type Recorded = Exclude<AppendedHere, { readonly kind: 'late' }>

/** An entry without a pack: an event, a ref that moves by itself, an observation. */
export type NewRecord = Omit<EntryRecord, 'time' | 'moves' | 'commit' | 'pack'>

export interface EntriesOptions extends Pick<Append, 'after' | 'needs' | 'repacks'> {
  readonly checkSize?: CheckSize | undefined
}

/** Appends entries without commits. The first entry records the moves. */
export function* appendEntries(
  journal: Journal,
  records: readonly NewRecord[],
  moves: readonly Move[] = [],
  { after, needs, repacks, checkSize }: EntriesOptions = {},
): Work<Recorded> {
  assertNewNames(moves)
  const keys = records.flatMap(keysAt)
  // A full store must accept what frees space: the deletion of a ref, and the entry of a garbage collection.
  const makesRoom = records.every(({ kind }) => kind === 'prune') || moves.some(({ to }) => to === null)
  const targets = neededBy({ needs, moves })
  let time = journal.now()
  for (;;) {
    yield* begin(journal, records[0]!.agent, time)
    for (const seq of targets) yield* assertStateStored(journal, seq)
    const guarded = targets.length === 0 ? moves : [...moves, trimGuard(journal)]
    const entries = records.map((record, place): NewEntry => {
      const text = entryText({ ...record, time, moves: place === 0 ? entryMoves(moves, 0) : [] })
      return { text, leaf: leafOfEntry(text), parts: [] }
    })
    if (checkSize !== undefined) yield* checkSize(bytesOf(entries))
    const batch = { time, entries, moves: guarded, keys, after, needs, repacks, makesRoom }
    const appended = yield* appendWithRoom(journal, batch)
    if (appended.kind === 'moved' && isTrimmedMeanwhile(appended) && targets.length > 0) {
      noteTrims(journal, appended.actual)
      continue
    }
    if (appended.kind === 'late') {
      time = yield* newestTime(journal, time, appended.time)
      continue
    }
    return appended
  }
}

/**
 * The time for an entry when another clock is ahead of ours, since a journal's time never runs backwards.
 *
 * It is read from the newest entry's text, so that the time of a damaged row does not spread to later entries.
 */
export function* newestTime({ clock }: Journal, now: number, told: number): Work<number> {
  const { seq } = yield* ask(log => log.head())
  const newest = seq === 0 ? told : (yield* readEntry(seq)).record.time
  noteLate(clock, now, newest)
  return newest
}

/** Whether nothing is left to do for `begin`, which most appends need not ask then. */
export function hasBegun({ assertAppendable, clock, hasGenesis }: Journal, time: number): boolean {
  return hasGenesis && assertAppendable === undefined && time <= clock.checkedUntil
}

/** The start of every append: refuses it where nothing may be appended, and writes the first entry when it is missing. */
export function* begin(journal: Journal, agent: string, time: number): Work<void> {
  journal.assertAppendable?.()
  if (time > journal.clock.checkedUntil) yield* checkClock(journal.clock, time)
  if (journal.hasGenesis) return
  const head = yield* ask(log => log.head())
  if (head.seq === 0) {
    yield* writeGenesis({ format: formatVersion, limits: journal.context.limits, origin: journal.ids() }, agent, time)
  }
  // Another process may have written it first, and its limits apply.
  const genesis = yield* readGenesis()
  if (!hasLimits(genesis, journal.context.limits)) throw storeError('limits-differ', {})
  yield* assertSameJournal(journal)
  journal.hasGenesis = true
}

function hasLimits(genesis: Genesis | undefined, limits: TreeLimits): boolean {
  return canonicalText(genesis?.limits as unknown as Stored) === canonicalText(limits as unknown as Stored)
}

/** A commit with its text, and what its entry says. */
export interface BuiltCommit {
  readonly id: string
  readonly text: string
  readonly record: CommitRecord
  readonly entry: EntryRecord
}

/** Builds a commit; `changed` lists its changed paths, folded. */
export function buildCommit(
  commit: NewCommit,
  changed: readonly string[],
  pack: Pack,
  time: number,
  salt: string,
): BuiltCommit {
  const record = recordOf(commit, time, salt)
  const text = commitText(record)
  const id = commitId(text)
  const entry: EntryRecord = {
    kind: 'commit',
    time,
    agent: record.agent,
    moves: entryMoves(commit.moves, 0),
    commit: id,
    pack: pack.digest,
    changed,
    body: commit.body,
    name: commit.name,
    request: commit.request,
  }
  return { id, text, record, entry }
}

/** The entry of a commit, as it is appended. */
export function newEntry({ id, text, entry }: BuiltCommit, { parts }: Pack): NewEntry {
  const line = entryText(entry)
  return { text: line, leaf: leafOfEntry(line), commit: { id: hexOfId(id), text }, parts }
}

/** The keys of an entry at a place of its append. */
export function keysAt(record: NewRecord, entry: number): NonNullable<Append['keys']> {
  return keysOfEntry(record).map(key => ({ key: checkedName('idempotency key', key), entry }))
}

/** The changed paths, folded until they are few enough and short enough for an entry. */
export function* listedPaths(nodes: Nodes, changed: readonly (readonly string[])[]): Work<readonly string[]> {
  if (changed.length === 1) return [formatPath(changed[0]!)]
  const paths: string[] = []
  for (const path of changed) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    paths.push(formatPath(path))
  }
  let max = MAX_CHANGED
  let folded = yield* pausedSteps(nodes, foldPaths(paths, max))
  while (max > 1 && folded.reduce((sum, path) => sum + path.length, 0) > MAX_CHANGED_LENGTH) {
    max = max >> 1
    folded = yield* pausedSteps(nodes, foldPaths(paths, max))
  }
  return folded
}

/** Field by field, because a spread costs more here than hashing the text. */
function recordOf(
  { info, tree, system, detail, parents, drafts }: NewCommit,
  time: number,
  salt: string,
): CommitRecord {
  return {
    agent: info.agent,
    intent: info.intent,
    principal: info.principal,
    actors: info.actors,
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
    salt,
  }
}

/** A commit at a sequence number. */
export function storedCommit(commit: NewCommit, { id, record, entry }: BuiltCommit, seq: number): StoredCommit {
  const { tree, system, detail } = commit
  const parents = commit.parents.map(parent => parent.seq)
  return { seq, id, record, entry, parents, tree, system, detail }
}
