/**
 * Revisions: the commit that a name, an id, the beginning of one, or a moment stands for.
 *
 * A ref always wins over the beginning of an id, so a branch called "fee" is that branch.
 */

import {
  ask,
  type FoundCommit,
  type JournalEntry,
  readCommit,
  readEntries,
  readEntry,
  type StoredCommit,
  type Work,
} from '../store/index.ts'
import { repoError } from './errors.ts'
import type { Handle } from './handle.ts'
import { indexUntil } from './index-build.ts'
import { moveTerm } from './index-terms.ts'
import { branchRef, findRef, refNotFound, tagRef } from './refs.ts'

/** A commit, a branch, a tag, a unique prefix of a commit id, or this branch as it was at a moment. */
export type Revision = string | Date | { readonly id: string }

/** How few digits may stand for an id. */
const MIN_DIGITS = 4
const SHOWN_MATCHES = 8
/** How many entries are read at once when a ref's past is looked for. */
const SCANNED_ENTRIES = 256

export function* resolve(handle: Handle, revision: Revision): Work<StoredCommit> {
  if (revision instanceof Date) return yield* commitAtMoment(handle, revision)
  const name = typeof revision === 'string' ? revision : revision?.id
  if (typeof name !== 'string') throw yield* refNotFound(String(revision))
  if (typeof revision === 'string') {
    const seq = (yield* findRef(branchRef(name))) ?? (yield* findRef(tagRef(name)))
    if (seq !== null) return yield* readCommit(handle.journal, seq)
  }
  if (new RegExp(`^[0-9a-f]{${MIN_DIGITS},64}$`).test(name)) {
    const found = yield* ask(log => log.find(name, SHOWN_MATCHES))
    // One commit can be in the journal more than once, when it was dropped and taken over again.
    const ids = [...new Set(found.map(({ id }) => id))]
    if (ids.length > 1) throw repoError('revision-ambiguous', { prefix: name, matches: ids })
    if (found[0] !== undefined) return yield* readCommit(handle.journal, yield* storedPlace(found))
  }
  throw yield* refNotFound(name)
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

/** The head of the handle's branch; undefined before the first write. */
export function* findBranchHead({ journal, branch }: Handle): Work<StoredCommit | undefined> {
  const seq = yield* findRef(branchRef(branch))
  return seq === null ? undefined : yield* readCommit(journal, seq)
}

export function* getBranchHead(handle: Handle): Work<StoredCommit> {
  const head = yield* findBranchHead(handle)
  if (head === undefined) throw yield* refNotFound(handle.branch)
  return head
}

/** Where the branch was at a moment: its last move among the entries until then. */
function* commitAtMoment(handle: Handle, moment: Date): Work<StoredCommit> {
  const ref = branchRef(handle.branch)
  const at = moment.getTime()
  const seq = Number.isNaN(at) ? null : yield* lastPlace(handle, ref, yield* lastEntryUntil(at))
  if (seq !== null) return yield* readCommit(handle.journal, seq)
  const when = Number.isNaN(at) ? 'an invalid date' : moment.toISOString()
  throw repoError('ref-not-found', { ref: `${handle.branch} at ${when}`, known: [] })
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
