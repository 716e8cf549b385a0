/** The version of a state, written where it has none: a new store's, or one that is older than its migrations. */

import type { StoredCommit, Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { reasonOf } from '../records/info.ts'
import { branchRef } from '../records/ref-names.ts'
import { withVersion } from '../state/meta.ts'
import { emptyRoot } from '../state/roots.ts'
import { type Written, writtenFrom } from '../visibility/commit.ts'
import { landOn } from './land-with-retry.ts'
import type { Prepared } from './prepared.ts'
import { findBranchHead } from './refs.ts'

/** Stamps a new store; one that has a first commit already is left as it is. */
export function* stampNew(handle: Handle, version: number): Work<void> {
  if (version > 0 && (yield* findBranchHead(handle)) === undefined) yield* stamp(handle, version, true)
}

/** Writes the version of the branch's state. With `isNew`, only if the branch still has no commit. */
export function* stamp(handle: Handle, version: number, isNew: boolean): Work<Written | undefined> {
  const { journal } = handle
  const prepare = function* (head: StoredCommit | undefined): Work<Prepared<undefined>> {
    if (isNew && head !== undefined) return { kind: 'unchanged', result: undefined }
    const empty = emptyRoot(journal)
    const system = yield* withVersion(journal, head?.system ?? empty, version)
    const { info } = reasonOf(handle, `Begin at version ${version}`, 'Migrate')
    const landing = { tree: head?.tree ?? empty, system, info, changesMeta: true }
    return { kind: 'landing', landing, result: undefined }
  }
  const outcome = yield* landOn(handle, branchRef(handle.branch), prepare)
  return outcome.kind === 'done' ? yield* writtenFrom(handle, outcome.commit, true) : undefined
}
