/**
 * Revisions: the commit that a name, an id, the beginning of one, or a moment stands for.
 *
 * A ref always wins over the beginning of an id, so a branch called "fee" is that branch. A name that is both a branch and a
 * tag is refused.
 */

import { checkedMoment, coreError, hexOfId, isMoment } from '../../core/index.ts'
import {
  ask,
  type FoundCommit,
  findCommits,
  type Journal,
  type JournalEntry,
  pausePoint,
  readCommit,
  readEntries,
  readEntry,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { branchRef, findRef, tagRef } from '../records/ref-names.ts'
import { assertNoExposure } from '../visibility/assert-reads.ts'
import { namesOfCommit } from '../visibility/names-of-commit.ts'
import { type ReadScope, readScopeOf } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { refNotFound } from '../write/refs.ts'
import { indexUntil } from './index-build.ts'
import { moveTerm } from './index-terms.ts'

/**
 * A commit, a branch, a tag, a unique prefix of a commit id, or this branch as it was at a moment. After a name, `~2` is the
 * second commit before it, by first parents, and `@{2026-05-01T12:00:00Z}` the branch as it was then. `HEAD` is this branch.
 */
export type Revision = string | Date | { readonly id: string }

/** How few digits may stand for an id. */
const MIN_DIGITS = 4
const SHOWN_MATCHES = 8
/** How many entries are read at once when a ref's past is looked for. */
const SCANNED_ENTRIES = 256

/** A commit, and the names under which it is read; none for a handle without a read scope. */
export interface Located {
  readonly commit: StoredCommit
  readonly names: readonly string[]
}

export function* resolve(handle: Handle, revision: Revision): Work<StoredCommit> {
  return (yield* locate(handle, revision)).commit
}

/** A revision that is to be brought to the handle's branch: nothing of it may become readable by that. */
export function* resolveInto(handle: Handle, revision: Revision): Work<StoredCommit> {
  const { commit, names } = yield* locate(handle, revision)
  yield* assertNoExposure(handle, yield* readScopeOf(handle), names, handle.branch)
  return commit
}

/** The same for a commit to revert or cherry-pick: a handle that may not see it cannot reach it by a name that leads to it. */
export function* resolveCommitInto(handle: Handle, revision: Revision): Work<StoredCommit> {
  const { commit, names } = yield* locate(handle, revision)
  const scope = yield* readScopeOf(handle)
  yield* assertNoExposure(handle, scope, names, handle.branch)
  if (yield* isReadableCommit(handle.journal, commit, scope?.on(names))) return commit
  throw yield* refNotFound(handle, nameOf(revision))
}

/** A revision in the words of its caller, for errors. */
export function nameOf(revision: Revision): string {
  if (revision instanceof Date) return Number.isNaN(revision.getTime()) ? 'an invalid date' : revision.toISOString()
  return typeof revision === 'string' ? revision : String(revision?.id)
}

/** The commit that a revision stands for. What may not be read at all is as unknown as what is not there. */
export function* locate(handle: Handle, revision: Revision): Work<Located> {
  const scope = yield* readScopeOf(handle)
  const isKnown = (name: string): boolean => scope === undefined || !scope.on([name]).isBlank
  if (revision instanceof Date) {
    const time = checkedMoment('moment', revision)
    if (!isKnown(handle.branch)) throw yield* refNotFound(handle, handle.branch)
    return { commit: yield* commitAtMoment(handle, time), names: [handle.branch] }
  }
  const name = typeof revision === 'string' ? revision : revision?.id
  if (typeof name !== 'string') throw yield* refNotFound(handle, String(revision))
  if (typeof revision === 'string' && isKnown(name)) {
    const [branch, tag] = [yield* findRef(branchRef(name)), yield* findRef(tagRef(name))]
    if (branch !== null && tag !== null && branch !== tag) throw repoError('name-ambiguous', { name })
    const seq = branch ?? tag
    if (seq !== null) return { commit: yield* readCommit(handle.journal, seq), names: [name] }
  }
  return (yield* findById(handle, scope, name)) ?? (yield* findRelative(handle, name)) ?? (yield* noRef(handle, name))
}

/** What `HEAD`, `name~2` and `name@{moment}` stand for. No new ref can have such a name. */
function* findRelative(handle: Handle, name: string): Work<Located | undefined> {
  if (name === 'HEAD') return yield* locate(handle, handle.branch)
  const [, after, count] = /^(.+)~(\d{0,6})$/.exec(name) ?? []
  if (after !== undefined) return yield* findBefore(handle, after, count === '' ? 1 : Number(count))
  const [, branch, moment] = /^(.+)@\{([^{}]+)\}$/.exec(name) ?? []
  if (branch === undefined || moment === undefined) return undefined
  const at = new Date(moment)
  if (!isMoment(at.getTime())) {
    const reason = `${JSON.stringify(moment)} in ${name} is no moment such as 2026-05-01T12:00:00Z`
    throw coreError('option-invalid', { field: 'revision', reason })
  }
  return yield* locate({ ...handle, branch: branch === 'HEAD' ? handle.branch : branch }, at)
}

/** The commit so many first parents before another; undefined where the history is shorter. */
function* findBefore(handle: Handle, name: string, count: number): Work<Located | undefined> {
  const { commit: newest, names } = yield* locate(handle, name)
  let commit = newest
  for (let left = count; left > 0; left--) {
    const [parent] = commit.parents
    if (parent === undefined) return undefined
    commit = yield* readCommit(handle.journal, parent)
    yield pausePoint
  }
  return { commit, names }
}

function* noRef(handle: Handle, name: string): Work<never> {
  throw yield* refNotFound(handle, name)
}

/** The commit whose id is given or begun, among those that may be seen. */
function* findById(handle: Handle, scope: ReadScope | undefined, digits: string): Work<Located | undefined> {
  if (!new RegExp(`^[0-9a-f]{${MIN_DIGITS},64}$`).test(digits)) return undefined
  const found = yield* findCommits(digits, SHOWN_MATCHES)
  // One commit can be in the journal more than once, when it was dropped and taken over again.
  const ids = [...new Set(found.map(({ id }) => id))]
  const seen: Located[] = []
  for (const id of scope === undefined && ids.length > 1 ? [] : ids) {
    const commit = yield* readCommit(handle.journal, yield* storedPlace(found.filter(one => one.id === id)))
    const names = scope === undefined ? [] : yield* namesOfCommit(handle, scope, commit)
    if (yield* isReadableCommit(handle.journal, commit, scope?.on(names))) seen.push({ commit, names })
  }
  const matches = scope === undefined ? ids : seen.map(({ commit }) => hexOfId(commit.id))
  if (matches.length > 1) throw repoError('revision-ambiguous', { prefix: digits, matches })
  return seen[0]
}

/** The commit of a full id that is named in the history, without regard to read scopes. */
export function* commitOfId(journal: Journal, id: string): Work<StoredCommit> {
  const found = yield* findCommits(id, SHOWN_MATCHES)
  if (found.length === 0) throw repoError('ref-not-found', { ref: id, known: [] })
  return yield* readCommit(journal, yield* storedPlace(found))
}

/** The first of a commit's entries whose pack is there; the first of all when none is. */
function* storedPlace(found: readonly FoundCommit[]): Work<number> {
  if (found.length > 1) {
    for (const { seq } of found) {
      const [row] = yield* ask(log => log.entries(seq, seq, ['part']))
      if (row?.part !== undefined) return seq
    }
  }
  return found[0]!.seq
}

/** Where the branch was at a moment: its last move among the entries until then. */
function* commitAtMoment(handle: Handle, time: number): Work<StoredCommit> {
  const ref = branchRef(handle.branch)
  const seq = yield* lastPlace(handle, ref, yield* lastEntryUntil(time))
  if (seq !== null) return yield* readCommit(handle.journal, seq)
  const isThere = (yield* findRef(ref)) !== null
  throw yield* refNotFound(handle, handle.branch, isThere ? new Date(time).toISOString() : undefined)
}

/** Where a ref was after an entry of the journal. */
function* lastPlace(handle: Handle, ref: string, until: number): Work<number | null> {
  for (let end = until; end > 0; end -= SCANNED_ENTRIES) {
    const entries = yield* readEntries(Math.max(1, end - SCANNED_ENTRIES + 1), end, ['text'])
    for (const entry of entries.reverse()) {
      const place = placeIn(entry, ref)
      if (place !== undefined) return place
    }
    // A ref that moves seldom is looked up, where there is an index.
    const before = end - SCANNED_ENTRIES
    if (before > 0 && (yield* indexUntil(handle, before))) return yield* indexedPlace(ref, before)
    yield pausePoint
  }
  return null
}

function* indexedPlace(ref: string, until: number): Work<number | null> {
  const search = { from: 1, to: until, all: [[moveTerm(ref)]], none: [], order: 'newest' as const, limit: 1 }
  const [seq] = (yield* ask(log => log.index!.search(search))).seqs
  return seq === undefined ? null : (placeIn(yield* readEntry(seq), ref) ?? null)
}

/** Where an entry put a ref; undefined when it did not move it. */
function placeIn({ seq, record }: JournalEntry, ref: string): number | null | undefined {
  const move = record.moves.find(([name]) => name === ref)
  return move?.[2] === 0 ? seq : move?.[2]
}

/** Time never runs backwards in a journal, so a moment's place in it is found by halving. */
export function* lastEntryUntil(time: number): Work<number> {
  const head = yield* ask(log => log.head())
  let low = 0
  let high = head.seq
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const { record } = yield* readEntry(middle)
    if (record.time <= time) low = middle
    else high = middle - 1
  }
  return low
}
