/** The head as a reader knows it: the newest readable commit of those that led to the head. */

import { hexOfId } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { ancestry } from './ancestry.ts'
import type { BranchScope } from './read-scope.ts'
import { isReadableCommit } from './readable-commit.ts'

/** Undefined when no commit is readable. */
export function* findShownHead(
  handle: Handle,
  head: StoredCommit,
  view: BranchScope | undefined,
): Work<StoredCommit | undefined> {
  if (view === undefined || view.isWhole) return head
  if (view.isBlank) return undefined
  const walk = ancestry(handle, [head.seq], false)
  for (let commit = yield* walk.next(); commit !== undefined; commit = yield* walk.next()) {
    if (yield* isReadableCommit(handle.journal, commit, view)) return commit
  }
  return undefined
}

/** The id of a commit; undefined when it is not readable. */
export function* findShownId(
  { journal }: Pick<Handle, 'journal'>,
  commit: StoredCommit,
  view: BranchScope | undefined,
): Work<string | undefined> {
  return (yield* isReadableCommit(journal, commit, view)) ? hexOfId(commit.id) : undefined
}

/** How an error names the state of a commit. */
export function stateName({ id }: Pick<StoredCommit, 'id'>, view: BranchScope | undefined): string {
  return view === undefined || view.isWhole ? `commit ${hexOfId(id).slice(0, 12)}` : 'what you may read'
}
