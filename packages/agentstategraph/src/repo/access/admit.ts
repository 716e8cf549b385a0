/**
 * Admission of a landing or an entry: its authorization, with the guard that keeps it valid until the append.
 *
 * A refusal by a stale access state proves nothing, so before an error is thrown the state is read again and judged anew.
 */

import { appendAll, isStateError } from '../../core/index.ts'
import type { CommitInfo, Move, Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { Accessor, AccessState } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import { accessRef } from '../records/ref-names.ts'
import { mergeApprovals, type RequiredApproval } from '../records/required-approval.ts'
import type { SchemaWarning } from '../records/violation.ts'
import { currentAccess, lastAccess } from './access-state.ts'
import { findActors, findCommonLink, linksOf, withGivers } from './actors.ts'
import { authorityFor, principalOf } from './gate.ts'
import { judgeRules } from './rules.ts'
import { judgeTaints } from './taints.ts'

export interface Admission {
  /** Makes the append fail when the access state has moved. */
  readonly guard: Move
  /** The fields of the commit that name its authority. */
  readonly info: Pick<CommitInfo, 'principal' | 'actors' | 'authority' | 'session'>
  /** Set when the landing may only be proposed. */
  readonly requiredApproval?: RequiredApproval | undefined
  /** The grants that allow it. */
  readonly grants?: readonly GrantRecord[] | undefined
  /** Throws when one of the grants has expired at a time. Absent when none expires. */
  readonly checkTime?: ((time: number) => void) | undefined
  /** The warnings of taints on changed paths. */
  readonly warnings?: readonly SchemaWarning[] | undefined
}

/** What is authorized: requests are judged by grants, changes by taints and rules. */
export interface Authorization {
  readonly agent: string
  readonly requests: readonly AccessRequest[]
  readonly changes: readonly ProposedChange[]
  /** The identity that approved exactly this; undefined is the operator. */
  readonly approved?: { readonly identity: Identity | undefined; readonly proposal: string } | undefined
  /** Whether it changes no branch: a draft, or a ref of the system. It then needs no approval. */
  readonly isAside?: boolean | undefined
}

/** The admission of the operator where no access state exists: only the guard that there still is none. */
export const openAdmission: Admission = { guard: guardOf(undefined), info: {} }

/** Authorizes by the cached access state, and again by the current one before it refuses. */
export function* admit(accessor: Accessor, wanted: () => Authorization | Work<Authorization>): Work<Admission> {
  const { identity } = accessor
  for (let state = yield* lastAccess(accessor); ; ) {
    if (state === undefined && identity === undefined) {
      return { ...openAdmission, requiredApproval: yield* approvalWithoutAccess(accessor, wanted) }
    }
    try {
      if (state === undefined) throw accessError('principal-unknown', { principal: principalOf(identity) })
      return { guard: guardOf(state), ...(yield* authorize(accessor, state, yield* settled(wanted()))) }
    } catch (error) {
      if (!isStateError(error)) throw error
      const now: AccessState | undefined = yield* currentAccess(accessor)
      if (now?.head.seq === state?.head.seq) throw error
      state = now
    }
  }
}

/** A proposing handle proposes even where no access state exists. */
function* approvalWithoutAccess(
  { proposes }: Accessor,
  wanted: () => Authorization | Work<Authorization>,
): Work<RequiredApproval | undefined> {
  if (proposes !== true) return undefined
  const { isAside, approved } = yield* settled(wanted())
  return isAside === true || approved !== undefined ? undefined : {}
}

function* settled(wanted: Authorization | Work<Authorization>): Work<Authorization> {
  return 'requests' in wanted ? wanted : yield* wanted
}

/** Drops the cached access state after an append found it stale. */
export function forgetAccess({ shared }: Accessor): void {
  shared.access.seq = undefined
}

function guardOf(state: AccessState | undefined): Move {
  const seq = state?.head.seq ?? null
  return { name: accessRef, expect: seq, to: seq }
}

function* authorize(accessor: Accessor, state: AccessState, wanted: Authorization): Work<Omit<Admission, 'guard'>> {
  const { identity, proposes } = accessor
  const { agent, requests, changes, approved, isAside } = wanted
  if (identity !== undefined && agent !== identity.principal) {
    throw accessError('identity-claimed', { principal: identity.principal, claimed: agent })
  }
  const { grants, isProposed } = yield* findAuthority(state, identity, requests)
  let required: RequiredApproval | undefined = isProposed || proposes === true ? {} : undefined
  const actors = yield* findActors(state, identity)
  const links = withGivers(actors ?? [principalOf(identity)], grants)
  const warnings: SchemaWarning[] = []
  for (const change of changes) {
    const tainted = yield* judgeTaints(state, identity, change)
    appendAll(warnings, tainted.warnings)
    required = mergeApprovals(required, tainted.requiredApproval)
    required = mergeApprovals(required, yield* judgeRules(state, change, identity === undefined ? [agent] : links))
  }
  if (approved !== undefined) yield* assertApprover(state, links, approved, requests, required)
  return {
    info: {
      principal: identity?.principal,
      actors,
      authority: grants.length === 0 ? undefined : grants.map(({ id }) => id),
      session: identity?.session,
    },
    requiredApproval: approved !== undefined || isAside === true ? undefined : required,
    grants,
    checkTime: timeCheckOf(identity, grants),
    warnings,
  }
}

/** An append is later than its authorization, and entries get the time of the newest one where a clock is behind. */
function timeCheckOf(identity: Identity | undefined, grants: readonly GrantRecord[]): Admission['checkTime'] {
  const ending = grants.filter(({ expires }) => expires !== undefined)
  if (ending.length === 0) return undefined
  return time => {
    const ended = ending.find(({ expires }) => Date.parse(expires!) <= time)
    if (ended !== undefined) throw accessError('grant-expired', { principal: principalOf(identity), grant: ended.id })
  }
}

/** The grants for the requests. A write that is denied but may be proposed gets the grants for the proposal. */
function* findAuthority(
  state: AccessState,
  identity: Identity | undefined,
  requests: readonly AccessRequest[],
): Work<{ readonly grants: readonly GrantRecord[]; readonly isProposed: boolean }> {
  try {
    return { grants: yield* authorityFor(state, identity, requests), isProposed: false }
  } catch (error) {
    const isWrite = requests.every(({ capability }) => capability === 'commit' || capability === 'merge')
    if (identity === undefined || !isWrite || !isStateError(error, 'access-denied')) throw error
    const proposed = requests.map((request): AccessRequest => ({ ...request, capability: 'propose' }))
    try {
      return { grants: yield* authorityFor(state, identity, proposed), isProposed: true }
    } catch {
      throw error
    }
  }
}

/** Throws when the approver is not among those required, may not approve, or has a link in common with the proposer. */
function* assertApprover(
  state: AccessState,
  proposer: readonly string[],
  { identity, proposal }: NonNullable<Authorization['approved']>,
  requests: readonly AccessRequest[],
  required: RequiredApproval | undefined,
): Work<void> {
  const principal = principalOf(identity)
  const approvers = required?.approvers
  if (approvers?.includes(principal) === false) throw accessError('approver-unnamed', { principal, approvers })
  const approving = requests.map((request): AccessRequest => ({ ...request, capability: 'approve' }))
  const grants = yield* authorityFor(state, identity, approving)
  const common = findCommonLink(proposer, yield* linksOf(state, identity, grants))
  if (common !== undefined) throw accessError('self-approved', { proposal, principal: common })
}
