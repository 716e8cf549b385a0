/**
 * Who deleted a path: nothing in a state names the writer of what is not there, so it is found in the history.
 *
 * Only commits that changed the path, a place above it, or the list that it is in, can have deleted it. Where there is an index
 * it names them; elsewhere the entries on the way back do.
 */

import { formatPath, greatestOf, isIndex, startsWithPath } from '../../core/index.ts'
import { ask, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { containerOfChild, familyOf, findEntry } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { indexUntil } from '../query/index-build.ts'
import { atTerm, inTerm } from '../query/index-terms.ts'
import { changedPath } from '../records/changed-path.ts'
import { findKept } from '../records/find-kept.ts'
import { findChild, rootOfPath } from '../state/state.ts'
import { ancestry, isAncestor } from '../visibility/ancestry.ts'

/** How many entries the index proposes at once. */
const PROPOSED_ENTRIES = 64

/** The newest commit at or behind these that took a path away: it lacks the path, and all of its parents have it. */
export function* newestDeletion(
  handle: Handle,
  from: readonly number[],
  path: readonly string[],
): Work<StoredCommit | undefined> {
  if (from.length === 0) return undefined
  const lists = yield* listsAbove(handle, from, path)
  const newest = greatestOf(from)
  if (yield* indexUntil(handle, newest)) return yield* indexedDeletion(handle, from, path, lists, newest)
  const walk = ancestry(handle, from, false)
  for (let commit = yield* walk.next(); commit !== undefined; commit = yield* walk.next()) {
    if (isChangedBy(commit, path, lists) && (yield* isDeletedBy(handle, commit, path))) return commit
  }
  return undefined
}

function* indexedDeletion(
  handle: Handle,
  from: readonly number[],
  path: readonly string[],
  lists: Lists,
  newest: number,
): Work<StoredCommit | undefined> {
  const above = Array.from({ length: path.length + 1 }, (_, length) => atTerm(formatPath(path.slice(0, length))))
  const terms = [...above, ...lists.map(list => inTerm(formatPath(list)))]
  for (let to = newest; to > 0; ) {
    const search = { from: 1, to, all: [terms], none: [], order: 'newest' as const, limit: PROPOSED_ENTRIES }
    const { seqs } = yield* ask(log => log.index!.search(search))
    for (const seq of seqs) {
      const commit = yield* findKept(handle.journal, seq)
      if (commit === undefined || !isChangedBy(commit, path, lists)) continue
      if ((yield* isDeletedBy(handle, commit, path)) && (yield* isBehind(handle, commit, from))) return commit
    }
    to = seqs.length < PROPOSED_ENTRIES ? 0 : seqs.at(-1)! - 1
  }
  return undefined
}

/** Whether a commit's entry lists the path, a place above it, or something in one of the lists. */
function isChangedBy({ entry }: StoredCommit, path: readonly string[], lists: Lists): boolean {
  return (entry.changed ?? []).some(changed => {
    const { segments } = changedPath(changed)
    return startsWithPath(path, segments) || lists.some(list => startsWithPath(segments, list))
  })
}

type Lists = readonly (readonly string[])[]

/** The places above a path that are lists, or may have been: a deletion before an element moves it elsewhere. */
function* listsAbove({ journal }: Handle, from: readonly number[], path: readonly string[]): Work<Lists> {
  const lists: (readonly string[])[] = []
  for (const [length, segment] of path.entries()) {
    const place = path.slice(0, length)
    if (length === 0 || !isIndex(segment)) continue
    for (const seq of from) {
      const child = yield* findChild(journal.context, yield* readCommit(journal, seq), place)
      const container = child === undefined ? undefined : yield* containerOfChild(journal.context, child)
      if (container !== undefined && familyOf(container).leaf === 'map') continue
      lists.push(place)
      break
    }
  }
  return lists
}

function* isDeletedBy(handle: Handle, commit: StoredCommit, path: readonly string[]): Work<boolean> {
  if (commit.parents.length === 0 || (yield* hasPath(handle, commit, path))) return false
  for (const seq of commit.parents) {
    if (!(yield* hasPath(handle, yield* readCommit(handle.journal, seq), path))) return false
  }
  return true
}

function* hasPath({ journal }: Handle, commit: StoredCommit, path: readonly string[]): Work<boolean> {
  return (yield* findEntry(journal.context, rootOfPath(commit, path), path)) !== undefined
}

function* isBehind(handle: Handle, commit: StoredCommit, from: readonly number[]): Work<boolean> {
  for (const seq of from) {
    if (seq < commit.seq) continue
    if (yield* isAncestor(handle, commit, yield* readCommit(handle.journal, seq))) return true
  }
  return false
}
