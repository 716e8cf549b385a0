/**
 * Who may bring commits from elsewhere, asked before any of them is taken.
 *
 * What a ref gains by moving is judged when it moves. But commits come first, and stay in the journal whatever becomes of the
 * refs: so whoever could move none of them brings none. And a principal brings its own commits only: what others did, and on
 * whose authority, is nothing that it can say.
 */

import {
  type AccessRequest,
  accessRefs,
  assertMay,
  branchPrefix,
  currentAccess,
  findRef,
  type Handle,
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
  for (const ref of refs) yield* assertMay(handle, state, yield* askFor(ref))
  if (hasFacts) yield* assertMay(handle, state, { capability: 'admin' })
}

function* askFor(ref: string): Work<AccessRequest> {
  if (ref.startsWith(tagPrefix)) return { capability: 'tag', branch: ref.slice(tagPrefix.length) }
  const branch = ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : ref
  return { capability: (yield* findRef(ref)) === null ? 'branch' : 'merge', branch }
}

/** Why a commit is not the principal's own to bring; undefined when it is, and for the operator. */
export function findForeignHand({ identity }: Handle, text: string): string | undefined {
  if (identity === undefined) return undefined
  const { agent, principal, authority, session } = parseCommit(text)
  if (agent !== identity.principal) return `it was made by ${agent}, and ${identity.principal} can bring only its own`
  if (principal !== undefined || authority !== undefined || session !== undefined) {
    return 'it names an authority, which only the repository where it is made can give it'
  }
  return undefined
}
