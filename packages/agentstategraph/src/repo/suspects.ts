/** The commits among which the first bad one is looked for. */

import { hexOfId } from '../core/index.ts'
import { readCommit, type StoredCommit, type Work } from '../store/index.ts'
import { isSeen } from './access/seen-commit.ts'
import { sightOf } from './access/sight.ts'
import { repoError } from './errors.ts'
import type { Handle } from './handle.ts'
import { isAncestor } from './history.ts'
import { locate, type Revision } from './revision.ts'

/**
 * The commits on the way from a good one to a bad one, oldest first; the bad one is the last.
 *
 * Whoever may not read everything is given those that changed what he may read: the others make no difference that he can see.
 */
export function* suspectsOf(handle: Handle, good: Revision, bad: Revision): Work<StoredCommit[]> {
  const { commit: from } = yield* locate(handle, good)
  const { commit: to, names } = yield* locate(handle, bad)
  const unrelated = repoError('histories-unrelated', { source: hexOfId(from.id), into: hexOfId(to.id) })
  if (!(yield* isAncestor(handle, from, to)) || from.seq === to.seq) throw unrelated
  const view = (yield* sightOf(handle))?.on(names)
  const suspects: StoredCommit[] = []
  let commit = to
  while (commit.seq > from.seq) {
    if (yield* isSeen(handle.journal, commit, view)) suspects.push(commit)
    const parents: StoredCommit[] = []
    for (const seq of commit.parents) parents.push(yield* readCommit(handle.journal, seq))
    // Along the parent that still leads to the good one.
    let next: StoredCommit | undefined
    for (const parent of parents) if (next === undefined && (yield* isAncestor(handle, from, parent))) next = parent
    commit = next ?? from
  }
  if (suspects.length === 0) throw unrelated
  return suspects.reverse()
}
