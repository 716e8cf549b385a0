/** The two roots of a state: the user's tree and the system's. */

import { type Journal, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import { freshLink, type Link, rootOf } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'

export interface Roots {
  readonly tree: Link
  readonly system: Link
}

export function* stateBefore({ journal }: Handle, commit: StoredCommit): Work<Roots> {
  const parent = commit.parents[0]
  if (parent === undefined) return { tree: emptyRoot(journal), system: emptyRoot(journal) }
  return yield* readCommit(journal, parent)
}

/** The id of a root without entries. */
export const emptyRootId: string = freshLink({ kind: 'map', entries: [] }).id

export function emptyRoot(journal: Journal): Link {
  return rootOf(journal.context, {}, 0)
}
