/**
 * Grants: given by the operator, delegated by their holders, revoked by those above.
 *
 * A grant is never changed or deleted; a revoked one names the principal that revoked it, the time and the reason. Each
 * landing checks the whole chain, so revoking a link ends everything below it at once.
 */

import { checkOptions, copyGiven, optionsOf } from '../../core/index.ts'
import {
  type AccessState,
  accessValue,
  allows,
  assertMay,
  type Chain,
  chainsOf,
  chainTo,
  checkedText,
  currentAccess,
  type Ended,
  findGrant,
  type GrantRecord,
  type Handle,
  isAllowed,
} from '../../repo/index.ts'
import { newId } from '../../repo/records/once.ts'
import type { Repository } from '../../repository/index.ts'
import type { Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, type AccessEdit, changeAccess, decidedBy } from '../change-access.ts'
import { accessFault } from '../errors.ts'
import { assertPrincipal } from '../records.ts'
import { byTime, listingOf, run } from '../run.ts'
import { findWidening, inherited, limitsIn } from './delegation.ts'
import { checkedTerms, type GrantSpec, grantOptions, type Terms } from './grant-spec.ts'

export type { GrantLimits, GrantSpec } from './grant-spec.ts'

/** A grant, and whether it was revoked. */
export interface Grant extends GrantRecord {}

export interface GrantExtra {
  /** The session that it is made for. It may be held by its own giver, because it is valid in that session only. */
  readonly session?: string | undefined
  /** Whether the same decision adds the holder as a principal. */
  readonly isNew?: boolean | undefined
}

export interface Grants {
  grant(to: string, spec: GrantSpec): Promise<Grant>
  revoke(grant: string, reason: string): Promise<void>
  /** By when they were made. */
  grants(filter?: GrantFilter): Listing<Grant>
}

/** Options of `grants`. */
export interface GrantFilter {
  /** Who holds them. */
  principal?: string | undefined
}

const grantingOptions = grantOptions('grant')
const grantsOptions = optionsOf<GrantFilter>('grants', { principal: true })

export function grantsOf({ handle }: Pick<Repository, 'handle'>): Grants {
  return {
    async grant(to, spec) {
      checkOptions(grantingOptions, spec)
      return run(handle, 'grant', granted(handle, to, copyGiven(spec)))
    },
    revoke: (grant, reason) => run(handle, 'revoke', revoked(handle, grant, reason)),
    grants: (filter = {}) => listingOf(handle, () => listed(handle, filter.principal), byTime, grantsOptions, filter),
  }
}

function* granted(handle: Handle, to: string, spec: GrantSpec): Work<Grant> {
  return yield* changeAccess(handle, function* (state): Work<AccessChange<Grant>> {
    const { record, edits } = yield* grantIn(handle, state, to, spec)
    return { description: `Grant ${record.capabilities.join(', ')} to ${to}`, edits, result: record }
  })
}

/** A grant as part of a decision: its record and the edits that store it. */
export function* grantIn(
  handle: Handle,
  state: AccessState | undefined,
  to: string,
  spec: GrantSpec,
  extra: GrantExtra = {},
): Work<{ readonly record: GrantRecord; readonly edits: readonly AccessEdit[] }> {
  const { session, isNew = false } = extra
  const { by: from, time } = decidedBy(handle)
  const said = checkedTerms(handle, to, spec)
  const parent =
    handle.identity === undefined ? undefined : yield* parentFor(handle, state, to, said, session !== undefined)
  if (!isNew) yield* assertPrincipal(state, to)
  const record: GrantRecord = {
    id: session === undefined ? newId(handle) : handle.journal.ids(),
    from,
    to,
    ...(parent === undefined ? {} : { parent: parent.id }),
    ...(parent === undefined ? said : inherited(said, parent)),
    ...(session === undefined ? {} : { session }),
    time,
  }
  const { id } = record
  return {
    record,
    edits: [
      { set: ['grants', id], value: record },
      { set: ['held', to, id], value: true },
    ],
  }
}

/** The grant that a principal delegates: its least restricted one that covers the terms. */
function* parentFor(
  handle: Handle,
  state: AccessState | undefined,
  to: string,
  terms: Terms,
  isSession: boolean,
): Work<GrantRecord> {
  const identity = handle.identity!
  yield* assertMay(handle, state, { capability: 'grant' })
  const chains: Chain[] = []
  for (const chain of yield* chainsOf(state!, identity)) {
    if (yield* allows(state!, chain, { capability: 'grant' }, undefined)) chains.push(chain)
  }
  const freest = [...chains].sort((a, b) => limitsIn(a) - limitsIn(b))
  const chain = freest.find(one => findWidening(terms, one.at(-1)!) === undefined)
  const grant = (chain ?? freest[0]!).at(-1)!
  if (chain === undefined) throw accessFault('grant-widened', { grant: grant.id, ...findWidening(terms, grant)! })
  if (!isSession) assertOnward(identity.principal, to, chain)
  return grant
}

/** Throws when authority would return to a principal that it comes from. */
function assertOnward(from: string, to: string, chain: Chain): void {
  if (to === from) throw accessFault('grant-to-self', { principal: to })
  if (chain.some(link => link.from === to || link.to === to)) {
    throw accessFault('grant-circular', { to, grant: chain.at(-1)!.id })
  }
}

function* revoked(handle: Handle, id: string, reason: string): Work<void> {
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    const grant = state === undefined ? undefined : yield* findGrant(state, id)
    if (grant === undefined) throw accessFault('grant-unknown', { grant: id })
    yield* assertMayRevoke(handle, state!, grant)
    if (grant.revoked !== undefined) throw accessFault('grant-over', { grant: id, by: grant.revoked.by })
    const ended: Ended = { ...decidedBy(handle), reason: why }
    const edits = [{ set: ['grants', id, 'revoked'], value: ended }]
    return { description: `Revoke grant ${id}`, reasoning: why, edits, result: undefined }
  })
}

/** Allowed for the givers in its chain and for admin. For a principal that may not read the grant it is unknown. */
function* assertMayRevoke(handle: Handle, state: AccessState, grant: GrantRecord): Work<void> {
  const { identity } = handle
  if (identity === undefined) return
  const chain = yield* chainTo(state, grant.id)
  const isAbove =
    identity.grant === undefined
      ? chain.some(({ from }) => from === identity.principal)
      : chain.slice(0, -1).some(({ id }) => id === identity.grant)
  // Revoking an own grant needs no capability, but an active principal.
  if (isAbove) return void (yield* assertMay(handle, state, undefined))
  if (!(yield* mayReadGrant(handle, state, grant))) throw accessFault('grant-unknown', { grant: grant.id })
  yield* assertMay(handle, state, { capability: 'admin' })
}

/** With admin all grants are readable; otherwise those that the principal gave or holds, and their chains. */
function* mayReadGrant({ identity }: Handle, state: AccessState, grant: GrantRecord): Work<boolean> {
  if (identity === undefined || grant.to === identity.principal) return true
  if ((yield* chainTo(state, grant.id)).some(({ from }) => from === identity.principal)) return true
  for (const chain of yield* chainsOf(state, { principal: identity.principal })) {
    if (chain.some(({ id }) => id === grant.id)) return true
  }
  return yield* isAllowed(state, identity, { capability: 'admin' })
}

function* listed(handle: Handle, principal: string | undefined): Work<readonly Grant[]> {
  const state = yield* currentAccess(handle)
  if (state === undefined) return []
  const ids = principal === undefined ? ['grants'] : ['held', principal]
  const found = Object.keys((yield* accessValue<object>(state, ids)) ?? {})
  const grants: Grant[] = []
  for (const id of found) {
    const grant = yield* findGrant(state, id)
    if (grant !== undefined && (yield* mayReadGrant(handle, state, grant))) grants.push(grant)
  }
  return grants
}

const MAX_REASON_BYTES = 1024

/** The reason that decisions require. */
export function checkedReason(reason: string): string {
  return checkedText('reason', reason ?? '', MAX_REASON_BYTES)!
}
