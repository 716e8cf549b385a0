/**
 * What it takes to state a fact about a commit or an intent: the right to write what the fact is about.
 *
 * Without it, a principal that may write anywhere on a branch could report that the work of others failed.
 */

import { appendAll } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { currentAccess } from '../access/access-state.ts'
import { requestsAt } from '../access/landing-requests.ts'
import { findOwnedIntent } from '../access/owned-intent.ts'
import type { Handle } from '../handle.ts'
import { query } from '../query/query.ts'
import type { AccessRequest } from '../records/capability.ts'
import { changedPath } from '../records/changed-path.ts'
import { findBody } from '../records/entry-bodies.ts'
import { grantNameOf } from '../records/ref-names.ts'
import { isAncestor } from '../visibility/ancestry.ts'
import { findBranchHead } from '../write/refs.ts'

/** How many commits of an intent are asked for one by one; of more, the whole branch is. */
const MOST_COMMITS = 256

/** The paths that a commit changed, and others that the fact names, on the branch that it is part of. */
export function* requestsAboutCommit(
  handle: Handle,
  commit: StoredCommit,
  named: readonly (readonly string[])[] = [],
): Work<readonly AccessRequest[]> {
  const branch = yield* findBranchOf(handle, commit)
  if (branch === undefined) return [{ capability: 'commit', concernsAll: true }]
  const changed = (commit.entry.changed ?? []).map(path => changedPath(path).segments)
  return requestsAt('commit', branch, [...changed, ...named])
}

/** The branch of the handle where the commit is in its history, else one that it landed on or was drafted for. */
function* findBranchOf(handle: Handle, commit: StoredCommit): Work<string | undefined> {
  const { entry } = commit
  const landed = entry.moves.flatMap(([ref, , to]) => (to === 0 ? (grantNameOf(ref) ?? []) : []))
  if (landed.includes(handle.branch)) return handle.branch
  const head = yield* findBranchHead(handle)
  if (head !== undefined && (yield* isAncestor(handle, commit, head))) return handle.branch
  return landed[0] ?? findBody(entry, 'commit')?.speculation?.branch
}

/**
 * A delegated intent is resolved by those whose it is, others need admin. An intent that only commits name is about what
 * these changed; one that none names yet is about the branch of the handle.
 */
export function* requestsAboutIntent(handle: Handle, intent: string): Work<readonly AccessRequest[]> {
  const { branch, identity } = handle
  const onBranch: AccessRequest = { capability: 'commit', branch }
  const owned = yield* findOwnedIntent(yield* currentAccess(handle), identity, intent)
  if (owned !== undefined) return owned.isOwn ? [onBranch] : [{ capability: 'admin' }]
  const commits = yield* query({ ...handle, identity: undefined }, { intent })
  const requests: AccessRequest[] = [onBranch]
  for (let left = MOST_COMMITS; ; left--) {
    const commit = yield* commits.next()
    if (commit === undefined) return requests
    if (left === 0) return [...requests, { capability: 'commit', concernsAll: true }]
    appendAll(requests, yield* requestsAboutCommit(handle, commit))
  }
}
