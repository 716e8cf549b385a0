/**
 * Decides whether a handle may receive commits of another repository, before any of them is added.
 *
 * The changes that a ref gains are authorized when the ref moves. But commits are added first, and stay in the journal
 * when no ref moves. So a handle that may move none of the refs may add no commit. A principal may add only its own
 * commits, because it cannot state what others did and on whose authority.
 */

import {
  type AccessRequest,
  accessError,
  accessRefs,
  assertMay,
  branchPrefix,
  currentAccess,
  findRef,
  type GrantRecord,
  type Handle,
  noteRefusal,
  type ReadScope,
  readScopeOf,
  repoError,
  tagPrefix,
} from '../../repo/index.ts'
import { parseCommit, type Work } from '../../store/index.ts'

/** Throws when a handle may not move one of these refs at all. */
export function* assertMayReceive(handle: Handle, refs: readonly string[], hasFacts = false): Work<void> {
  for (const ref of refs) {
    if (!accessRefs.some(prefix => ref.startsWith(prefix))) continue
    throw repoError('ref-protected', { ref, reason: 'only decisions about access change it' })
  }
  if (handle.identity === undefined && handle.proposes !== true) return
  const state = yield* currentAccess(handle)
  const scope = yield* readScopeOf(handle)
  for (const ref of refs) {
    for (const request of yield* askFor(ref, scope))
      yield* assertUnlimited(handle, yield* assertMay(handle, state, request))
  }
  if (hasFacts) yield* assertMay(handle, state, { capability: 'admin' })
}

/** Throws under a grant with limits: they are counted where commits are made, and a history of any size can be brought at once. */
function* assertUnlimited(handle: Handle, grants: readonly GrantRecord[]): Work<void> {
  const limited = grants.find(({ limits }) => Object.keys(limits ?? {}).length > 0)
  if (limited === undefined) return
  const principal = handle.identity!.principal
  throw yield* noteRefusal(handle, accessError('grant-limited', { principal, grant: limited.id }))
}

/** Where it may not be read whether the branch exists, creating it and moving it are both asked for. */
function* askFor(ref: string, scope: ReadScope | undefined): Work<readonly AccessRequest[]> {
  if (ref.startsWith(tagPrefix)) return [{ capability: 'tag', branch: ref.slice(tagPrefix.length) }]
  const branch = ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : ref
  const capabilities = ['branch', 'merge'] as const
  if (scope?.on([branch]).isBlank === true) return capabilities.map(capability => ({ capability, branch }))
  return [{ capability: (yield* findRef(ref)) === null ? 'branch' : 'merge', branch }]
}

/** Why a principal may not add a commit; undefined when it may, and for the operator. */
export function findForeignHand({ identity }: Handle, text: string): string | undefined {
  if (identity === undefined) return undefined
  const { agent, principal, authority, session } = parseCommit(text)
  if (agent !== identity.principal) return `it was made by ${agent}, and ${identity.principal} can bring only its own`
  if (principal !== undefined || authority !== undefined || session !== undefined) {
    return 'it names an authority, which only the repository where it is made can give it'
  }
  return undefined
}
