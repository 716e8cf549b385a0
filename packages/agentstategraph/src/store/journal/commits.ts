/** Reads commits from the journal, and caches recent ones, because heads are read again and again. */

import { type Link, type Pointer, pausePoint } from '../../tree/index.ts'
import type { Column, FoundCommit, StoredEntry } from '../contract/backend.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { type PackHeader, readHeader } from '../packs/read-pack.ts'
import { parseCommit, remember, type StoredCommit } from './commit.ts'
import { corrupt, readEntry } from './entries.ts'
import type { EntryRecord } from './entry.ts'
import type { Journal } from './journal.ts'

/** The commit that an entry holds. */
export function* readCommit(journal: Journal, seq: number): Work<StoredCommit> {
  const known = journal.recent.get(seq) ?? journal.unappended.get(seq)
  if (known !== undefined) return known
  const { record, row } = yield* readEntry(seq, columns)
  if (record.commit === undefined) throw corrupt(seq, row.leaf, 'it holds no commit')
  if (row.part === undefined) throw storeError('pack-dropped', { seq })
  return commitIn(journal, record, row, row.part)
}

/** The same, with undefined for an entry that holds no commit or has lost its pack. */
export function* findCommitAt(journal: Journal, seq: number): Work<StoredCommit | undefined> {
  const known = journal.recent.get(seq)
  if (known !== undefined) return known
  const { record, row } = yield* readEntry(seq, columns)
  return record.commit === undefined || row.part === undefined ? undefined : commitIn(journal, record, row, row.part)
}

/** The entries whose commit id begins with these hex digits, oldest first. */
export function* findCommits(prefix: string, limit: number): Work<readonly FoundCommit[]> {
  while (yield* ask(log => log.indexIds?.() ?? false)) yield pausePoint
  return yield* ask(log => log.find(prefix, limit))
}

const columns: readonly Column[] = ['text', 'commit', 'part']

/** The commit of an entry that was read with all its columns. */
export function commitIn(journal: Journal, entry: EntryRecord, row: StoredEntry, part: Uint8Array): StoredCommit {
  const { seq } = row
  const id = entry.commit!
  const record = parseCommit(row.commit!.text)
  journal.nodes.offer(seq, part)
  const header = headerOf(part, seq, id)
  const commit: StoredCommit = {
    seq,
    id,
    record,
    entry,
    parents: header.parents,
    tree: linkTo(record.tree, header.tree),
    system: linkTo(record.system, header.system),
    detail:
      record.detail === undefined || header.detail === undefined ? undefined : linkTo(record.detail, header.detail),
  }
  remember(journal, commit)
  return commit
}

/** What the journal keeps of a commit whose pack was dropped: its text and its entry. */
export type CommitText = Pick<StoredCommit, 'seq' | 'id' | 'record' | 'entry'>

export function* readCommitText(seq: number): Work<CommitText> {
  const { record: entry, row } = yield* readEntry(seq, ['text', 'commit'])
  if (entry.commit === undefined || row.commit === undefined) throw corrupt(seq, row.leaf, 'it holds no commit')
  return { seq, id: entry.commit, record: parseCommit(row.commit.text), entry }
}

/** The commit that a ref points to; undefined when there is no such ref. */
export function* findHead(journal: Journal, ref: string): Work<StoredCommit | undefined> {
  const seq = yield* ask(log => log.ref(ref))
  return seq === null ? undefined : yield* readCommit(journal, seq)
}

export function linkTo(id: string, at: Pointer): Link {
  return { kind: 'link', id, at, fresh: undefined }
}

/** The header of the pack of an entry, from its first part. `id` is what an error calls it. */
export function headerOf(part: Uint8Array, seq: number, id: string): PackHeader {
  try {
    return readHeader(part, seq)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw corrupt(seq, id, cause.message)
  }
}
