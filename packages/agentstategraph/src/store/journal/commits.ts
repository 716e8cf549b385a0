/** Reads commits from the journal, and caches recent ones, because heads are read again and again. */

import { hexOfId } from '../../core/index.ts'
import type { Link, Pointer } from '../../tree/index.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { type PackHeader, readHeader } from '../packs/read-pack.ts'
import { parseCommit, remember, type StoredCommit } from './commit.ts'
import { corrupt, readEntry } from './entries.ts'
import type { Journal } from './journal.ts'

/** The commit that an entry holds. */
export function* readCommit(journal: Journal, seq: number): Work<StoredCommit> {
  const known = journal.recent.get(seq)
  if (known !== undefined) return known
  const { record: entry, row } = yield* readEntry(seq, ['text', 'commit', 'part'])
  if (entry.commit === undefined || row.commit === undefined) throw corrupt(seq, row.leaf, 'it holds no commit')
  if (row.part === undefined) throw storeError('pack-dropped', { id: hexOfId(entry.commit), seq })
  const record = parseCommit(row.commit.text)
  const header = headerIn(journal, row.part, seq, entry.commit)
  const commit: StoredCommit = {
    seq,
    id: entry.commit,
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

function headerIn({ nodes }: Journal, part: Uint8Array, seq: number, id: string): PackHeader {
  try {
    nodes.offer(seq, part)
    return readHeader(part, seq)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw corrupt(seq, hexOfId(id), cause.message)
  }
}
