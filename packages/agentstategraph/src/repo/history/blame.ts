/**
 * Who wrote what: the commit behind a path, and the commits behind it before.
 *
 * The writer stands beside every entry, so blame is a read. History follows it back: the write before a commit is the
 * writer that the commit's first parent with the path has, or else the deletion before it.
 */

import { decode, formatPath, hexOfId } from '../../core/index.ts'
import {
  assertStateStored,
  type Journal,
  pausePoint,
  readCommit,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { decryptedChild, draftOfWriter, type Entry, findEntry, seqOfWriter, valueOfChild } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { findBody } from '../records/entry-bodies.ts'
import { ifStored } from '../records/find-kept.ts'
import { reportedChild } from '../state/decode-value.ts'
import { placesBelow } from '../state/places-below.ts'
import { rootOfPath } from '../state/state.ts'
import { type Commit, commitFrom } from '../visibility/commit.ts'
import { type ChainLink, namedChain } from '../visibility/named-chain.ts'
import type { BranchScope } from '../visibility/read-scope.ts'
import { stateName } from '../visibility/shown-head.ts'
import { newestDeletion } from './deletions.ts'

/** The inner write, when a speculation, a graph step or a cherry-pick landed it. */
export interface Draft {
  readonly label: string
  readonly node?: string
  readonly attempt?: number
}

/** A commit seen from one path. */
export interface Blame extends Commit {
  readonly path: string
  readonly value: unknown
  /** In a history: that this commit took away what was there. */
  readonly deleted?: true
  /** In a history: that retention dropped states before this commit, so that older writes may be missing. */
  readonly trimmed?: true
  readonly draft?: Draft
  /** On whose authority, with names: the grants it was made under, as `authority` lists them. */
  readonly chain?: readonly ChainLink[]
}

/** Who wrote a path. The view says what of the commit may be seen. */
export function* blame(
  handle: Handle,
  at: StoredCommit,
  path: readonly string[],
  view: BranchScope | undefined,
): Work<Blame> {
  const { journal } = handle
  if (path.length === 0) {
    const writer = yield* rootWriter(handle, at)
    return {
      ...(yield* blamedCommit(handle, writer, view)),
      path: '/',
      value: yield* reportedChild(journal.context, at.tree),
    }
  }
  const entry = yield* findEntry(journal.context, rootOfPath(at, path), path)
  if (entry === undefined) throw repoError('path-not-found', { path: formatPath(path), at: stateName(at, view) })
  return yield* blameOfEntry(handle, entry, path, view)
}

function* blameOfEntry(
  handle: Handle,
  entry: Entry,
  path: readonly string[],
  view: BranchScope | undefined,
  known: Map<number, Written> = new Map(),
): Work<Blame> {
  const { context } = handle.journal
  const seq = seqOfWriter(entry.writer)
  const { commit, drafts } = known.get(seq) ?? (yield* writtenBy(handle, seq, view, known))
  const { child } = entry
  const value = yield* reportedChild(context, child)
  const draft = yield* drafts(draftOfWriter(entry.writer))
  return { ...commit, path: formatPath(path), value, ...(draft === undefined ? {} : { draft }) }
}

/** A commit as a writer: what it says of itself, and of each of its drafts. */
interface Written {
  readonly commit: Commit & Pick<Blame, 'chain'>
  readonly drafts: (draft: number) => Work<Draft | undefined>
}

/** Many values have one writer, so it is made ready once. */
function* writtenBy(
  handle: Handle,
  seq: number,
  view: BranchScope | undefined,
  known: Map<number, Written>,
): Work<Written> {
  const { journal } = handle
  const stored = yield* readCommit(journal, seq)
  const written = {
    commit: yield* blamedCommit(handle, stored, view),
    drafts: (draft: number) => draftOf(journal, stored, draft),
  }
  known.set(seq, written)
  return written
}

/** A commit with the names of those on whose authority it was made. */
export function* blamedCommit(
  handle: Handle,
  stored: StoredCommit,
  view: BranchScope | undefined,
): Work<Commit & Pick<Blame, 'chain'>> {
  const commit = yield* commitFrom(handle.journal, stored, view)
  const chain = yield* namedChain(handle, stored)
  return chain === undefined ? commit : { ...commit, chain }
}

/** Blame of every leaf below a path, in order, from the first or after one of them. */
export function* blameTree(
  handle: Handle,
  at: StoredCommit,
  path: readonly string[],
  view: BranchScope | undefined,
  after?: readonly string[] | undefined,
): Work<{ next(): Work<Blame | undefined> }> {
  const { context } = handle.journal
  const entry = path.length === 0 ? rootEntry(at) : yield* findEntry(context, rootOfPath(at, path), path)
  if (entry === undefined) throw repoError('path-not-found', { path: formatPath(path), at: stateName(at, view) })
  const from = yield* decryptedChild(context, entry.child, entry.writer)
  const places = yield* placesBelow(context, from, path, Number.POSITIVE_INFINITY, after)
  const known = new Map<number, Written>()
  return {
    *next(): Work<Blame | undefined> {
      for (;;) {
        const place = yield* places.next()
        if (place === undefined) return undefined
        if (place.kind === 'value') return yield* blameOfEntry(handle, place.entry, place.path, view, known)
      }
    },
  }
}

function rootEntry({ tree }: StoredCommit): Pick<Entry, 'child' | 'writer'> {
  return { child: tree, writer: 0 }
}

/** The writes of a path, newest first, one at a time. */
export interface PathHistory {
  next(): Work<Blame | undefined>
  /** Where to start to go on from here. */
  frontier(): readonly number[]
}

/**
 * The writes of a path that commits have, and those before them.
 *
 * The next write is the one that the first of these commits with the path has; where none has it, the deletion that took
 * it away.
 */
export function pathHistory(
  handle: Handle,
  from: readonly number[],
  path: readonly string[],
  view: BranchScope | undefined,
): PathHistory {
  const { journal } = handle
  let frontier = from
  return {
    *next(): Work<Blame | undefined> {
      const found =
        (yield* writeIn(handle, frontier, path, view)) ?? (yield* deletionBehind(handle, frontier, path, view))
      const parents = found === undefined ? [] : (yield* readCommit(journal, found.seq)).parents
      frontier = yield* storedAmong(journal, parents)
      return found === undefined || frontier.length === parents.length ? found : { ...found, trimmed: true }
    },
    frontier: () => frontier,
  }
}

/** Those of some commits whose states are stored. */
function* storedAmong(journal: Journal, seqs: readonly number[]): Work<readonly number[]> {
  const stored: number[] = []
  for (const seq of seqs) if ((yield* ifStored(isStateStored(journal, seq))) === true) stored.push(seq)
  return stored
}

function* isStateStored(journal: Journal, seq: number): Work<true> {
  yield* assertStateStored(journal, seq)
  return true
}

/** The write of a path that the first of some commits with the path has. */
function* writeIn(
  handle: Handle,
  commits: readonly number[],
  path: readonly string[],
  view: BranchScope | undefined,
): Work<Blame | undefined> {
  const { journal } = handle
  for (const seq of commits) {
    const commit = yield* readCommit(journal, seq)
    if (path.length === 0) return yield* blame(handle, commit, path, view)
    const entry = yield* findEntry(journal.context, rootOfPath(commit, path), path)
    if (entry !== undefined) return yield* blameOfEntry(handle, entry, path, view)
  }
  return undefined
}

function* deletionBehind(
  handle: Handle,
  commits: readonly number[],
  path: readonly string[],
  view: BranchScope | undefined,
): Work<Blame | undefined> {
  const commit = yield* ifStored(newestDeletion(handle, commits, path))
  if (commit === undefined) return undefined
  return { ...(yield* blamedCommit(handle, commit, view)), path: formatPath(path), value: undefined, deleted: true }
}

/** The root has no entry of its own: its writer is the newest commit on the way back that changed it. */
function* rootWriter({ journal }: Handle, at: StoredCommit): Work<StoredCommit> {
  let commit = at
  for (;;) {
    yield pausePoint
    let equal: StoredCommit | undefined
    for (const seq of commit.parents) {
      const parent = yield* readCommit(journal, seq)
      if (parent.tree.id !== commit.tree.id) continue
      equal = parent
      break
    }
    if (equal === undefined) return commit
    commit = equal
  }
}

/** What is known of the k-th draft of a commit: a landing names it in its entry, a step of a graph in its detail. */
function* draftOf({ context }: Journal, commit: StoredCommit, draft: number): Work<Draft | undefined> {
  if (draft === 0) return undefined
  const { detail, record, entry } = commit
  const inDetail = detail && (yield* findEntry(context, detail, ['drafts', String(draft - 1)]))
  if (inDetail !== undefined) return decode(yield* valueOfChild(context, inDetail.child)) as Draft
  const known = findBody(entry, 'commit')?.draft
  return known ?? { label: hexOfId(record.drafts![draft - 1]!).slice(0, 12) }
}
