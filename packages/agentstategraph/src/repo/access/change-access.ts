/**
 * Changing the access state: one commit on `system/access` for each decision, on whatever the state is by then.
 *
 * Whether the one who decides may do so is asked by `decide`, of the state that the change lands on.
 */

import { encode } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { type Edit, edit } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { reasonOf } from '../info.ts'
import { land } from '../land.ts'
import { emptyRoot } from '../write.ts'
import { type AccessState, accessRef, currentAccess } from './access-state.ts'
import { accessError } from './errors.ts'
import { noteRefusal } from './refusals.ts'

/** A decision: what it changes, what the commit says, and what the caller is told. */
export interface AccessChange<T> {
  readonly description: string
  readonly reasoning?: string | undefined
  readonly tags?: readonly string[]
  readonly edits: readonly AccessEdit[]
  readonly result: T
}

export type AccessEdit =
  | { readonly set: readonly string[]; readonly value: unknown }
  | { readonly delete: readonly string[] }

export function* changeAccess<T>(
  handle: Handle,
  decide: (state: AccessState | undefined) => Work<AccessChange<T>>,
): Work<{ readonly result: T; readonly commit: StoredCommit | undefined }> {
  const { journal, by, who, proposes } = handle
  if (by !== undefined && who.agent !== by.principal) {
    const claimed = accessError('identity-claimed', { principal: by.principal, claimed: who.agent })
    throw yield* noteRefusal(handle, claimed)
  }
  if (proposes === true) {
    throw yield* noteRefusal(handle, accessError('proposal-impossible', { what: 'A decision about access' }))
  }
  for (;;) {
    const state = yield* currentAccess(handle)
    const { edits, description, reasoning, tags = [], result } = yield* decide(state)
    if (edits.length === 0) return { result, commit: undefined }
    const before = state?.head.tree ?? emptyRoot(journal)
    const { root, changed } = yield* edit(journal.context, before, edits.map(editOf))
    const { info } = reasonOf(handle, { description, reasoning, tags }, 'Access')
    const system = state?.head.system ?? emptyRoot(journal)
    const landing = { ref: accessRef, head: state?.head, tree: root, system, changed, info, changesAccess: true }
    const outcome = yield* land(handle, landing)
    if (outcome.kind === 'done') return { result, commit: outcome.commit }
  }
}

function editOf(change: AccessEdit): Edit {
  if ('delete' in change) return { op: 'delete', path: change.delete }
  return { op: 'set', path: change.set, value: encode(change.value) }
}
