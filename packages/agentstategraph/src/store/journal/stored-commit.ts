/** A commit as it is in a journal: what it says, where it lies, and the roots of its trees. */

import type { Link } from '../../tree/index.ts'
import type { CommitRecord } from './commit.ts'
import type { EntryRecord } from './entry.ts'

export interface StoredCommit {
  readonly seq: number
  /** The commit's id, as it is in texts. */
  readonly id: string
  readonly record: CommitRecord
  readonly entry: EntryRecord
  /** The entries of the parents, in the order in which the record names them. */
  readonly parents: readonly number[]
  readonly tree: Link
  readonly system: Link
  readonly detail: Link | undefined
}
