/**
 * Changing the access state: each decision is one commit on `system/access`, retried when the state has moved.
 *
 * `decide` authorizes the decision, by the state that the change lands on.
 */

import { encode } from '../core/index.ts'
import { currentAccess } from '../repo/access/access-state.ts'
import { findCommonLink, linksOf } from '../repo/access/actors.ts'
import { principalOf } from '../repo/access/gate.ts'
import { noteRefusal } from '../repo/access/refusals.ts'
import type { Handle } from '../repo/handle.ts'
import { accessError } from '../repo/records/access-errors.ts'
import type { GrantRecord } from '../repo/records/access-record.ts'
import type { AccessState } from '../repo/records/accessor.ts'
import { reasonOf } from '../repo/records/info.ts'
import { accessRef } from '../repo/records/ref-names.ts'
import { emptyRoot } from '../repo/state/roots.ts'
import { landAt, type Place } from '../repo/write/land-with-retry.ts'
import type { Prepared } from '../repo/write/prepared.ts'
import type { Work } from '../store/index.ts'
import { type Edit, edit } from '../tree/index.ts'

/** A decision: its edits, its commit message, and the result for the caller. */
export interface AccessChange<T> {
  readonly description: string
  readonly reasoning?: string | undefined
  readonly tags?: readonly string[]
  /** A unique name by which the entry of the decision is found. */
  readonly name?: string
  readonly edits: readonly AccessEdit[]
  readonly result: T
}

export type AccessEdit =
  | { readonly set: readonly string[]; readonly value: unknown }
  | { readonly delete: readonly string[] }

export function* changeAccess<T>(
  handle: Handle,
  decide: (state: AccessState | undefined) => Work<AccessChange<T>>,
): Work<T> {
  const { journal, identity, who, proposes } = handle
  if (identity !== undefined && who.agent !== identity.principal) {
    const claimed = accessError('identity-claimed', { principal: identity.principal, claimed: who.agent })
    throw yield* noteRefusal(handle, claimed)
  }
  if (proposes === true) {
    throw yield* noteRefusal(handle, accessError('proposal-impossible', { what: 'A decision about access' }))
  }
  const find = function* (): Work<AccessPlace> {
    const state = yield* currentAccess(handle)
    return { state, ref: accessRef, head: state?.head }
  }
  const outcome = yield* landAt(handle, find, function* ({ state, head }): Work<Prepared<T>> {
    const { edits, description, reasoning, tags = [], name, result } = yield* decide(state)
    if (edits.length === 0) return { kind: 'unchanged', result }
    const before = head?.tree ?? emptyRoot(journal)
    const { root } = yield* edit(journal.context, before, edits.map(editOf))
    const { info } = reasonOf(handle, { description, reasoning, tags }, 'Access')
    const system = head?.system ?? emptyRoot(journal)
    return { kind: 'landing', landing: { tree: root, system, info, changesAccess: true, name }, result }
  })
  if (outcome.kind === 'repeated') throw new Error('A decision without a key was answered as repeated')
  return outcome.result
}

/** Who decides and when, as records keep it. */
export function decidedBy({ identity, journal }: Handle): { readonly by: string; readonly time: string } {
  return { by: principalOf(identity), time: new Date(journal.now()).toISOString() }
}

/** The same with the links of the decision, for one that needs a second opinion. */
export function* proposedBy(
  handle: Handle,
  state: AccessState | undefined,
  grants: readonly GrantRecord[],
): Work<ReturnType<typeof decidedBy> & { readonly actors?: readonly string[] }> {
  const actors = yield* linksOf(state, handle.identity, grants)
  return { ...decidedBy(handle), ...(actors.length === 1 ? {} : { actors }) }
}

/** A principal that is behind a proposal and behind the decision about it. */
export function* findOneBehindBoth(
  { identity }: Handle,
  state: AccessState | undefined,
  { by, actors = [by] }: { readonly by: string; readonly actors?: readonly string[] },
  grants: readonly GrantRecord[],
): Work<string | undefined> {
  return findCommonLink(actors, yield* linksOf(state, identity, grants))
}

interface AccessPlace extends Place {
  readonly state: AccessState | undefined
}

function editOf(change: AccessEdit): Edit {
  if ('delete' in change) return { op: 'delete', path: change.delete }
  return { op: 'set', path: change.set, value: encode(change.value) }
}
