/**
 * Letting a landing or an entry in: the gate's judgement, with the guard that makes it hold at the moment of the append.
 *
 * A refusal by an access state that is out of date says nothing, so before anything is refused it is looked at again. Without
 * an access state there is only the guard that it is still not there.
 */

import { appendAll, isStateError, leastOf } from '../../core/index.ts'
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
import { comesFrom } from './authority.ts'
import { authorityFor, principalOf } from './gate.ts'
import { judgeRules } from './rules.ts'
import { judgeTaints, type TaintJudgement } from './taints.ts'

export interface Admission {
  /** Makes the append fail when the access state has moved. */
  readonly guard: Move
  /** What the commit says of the authority it was made under. */
  readonly info: Pick<CommitInfo, 'principal' | 'authority' | 'session'>
  /** Set when it may only be proposed. */
  readonly requiredApproval?: RequiredApproval | undefined
  /** The grants that it is done under. */
  readonly grants?: readonly GrantRecord[] | undefined
  /** The most bytes that the grants allow a commit to add. */
  readonly maxBytes?: number | undefined
  /** What marks on changed places warn of. */
  readonly warnings?: readonly SchemaWarning[] | undefined
}

/** What is judged: asks for the grants, and acts for taints and rules. */
export interface Authorization {
  readonly agent: string
  readonly requests: readonly AccessRequest[]
  readonly changes: readonly ProposedChange[]
  /** Who has approved exactly this; nobody in particular is the operator. */
  readonly approved?: { readonly identity: Identity | undefined; readonly proposal: string } | undefined
  /** Whether it changes no branch: a draft, or what the system keeps. Then nobody has to approve it. */
  readonly isAside?: boolean | undefined
}

const openTo: Admission = { guard: guardOf(undefined), info: {} }

/** What the operator gets where nobody has decided anything: nothing but the guard that it is still so. */
export function findOpenAdmission(
  { identity, proposes, shared }: Accessor,
  { changesAccess }: { readonly changesAccess?: boolean | undefined },
): Admission | undefined {
  const isOpen = identity === undefined && proposes !== true && changesAccess !== true && shared.access.seq === null
  return isOpen ? openTo : undefined
}

/** Judges by the access state there is. `judged` is asked only where there is one. */
export function* admit(accessor: Accessor, judged: () => Authorization | Work<Authorization>): Work<Admission> {
  for (let state = yield* lastAccess(accessor); ; ) {
    if (state === undefined && accessor.identity === undefined) {
      return { guard: guardOf(undefined), info: {}, requiredApproval: yield* approvalWithoutAccess(accessor, judged) }
    }
    try {
      if (state === undefined) throw accessError('principal-unknown', { principal: accessor.identity!.principal })
      return { guard: guardOf(state), ...(yield* judge(accessor, state, yield* made(judged()))) }
    } catch (error) {
      if (!isStateError(error)) throw error
      const now: AccessState | undefined = yield* currentAccess(accessor)
      if (now?.head.seq === state?.head.seq) throw error
      state = now
    }
  }
}

/** Who only proposes does so where nothing else is asked, too. */
function* approvalWithoutAccess(
  { proposes }: Accessor,
  judged: () => Authorization | Work<Authorization>,
): Work<RequiredApproval | undefined> {
  if (proposes !== true) return undefined
  const { isAside, approved } = yield* made(judged())
  return isAside === true || approved !== undefined ? undefined : {}
}

/** Refuses an approval by somebody who may not give it, or is not the one that is asked for. */
function* assertApprover(
  state: AccessState,
  proposer: string,
  { identity, proposal }: NonNullable<Authorization['approved']>,
  requests: readonly AccessRequest[],
  required: RequiredApproval | undefined,
): Work<void> {
  const principal = principalOf(identity)
  const approvers = required?.approvers
  if (approvers?.includes(principal) === false) throw accessError('approver-unnamed', { principal, approvers })
  const approving = requests.map((request): AccessRequest => ({ ...request, capability: 'approve' }))
  const grants = yield* authorityFor(state, identity, approving)
  if (comesFrom(grants, proposer)) throw accessError('self-approved', { proposal, principal: proposer })
}

function* made(judged: Authorization | Work<Authorization>): Work<Authorization> {
  return 'requests' in judged ? judged : yield* judged
}

/** Forgets the access state that an append found to be out of date. */
export function forgetAccess({ shared }: Accessor): void {
  shared.access.seq = undefined
}

function guardOf(state: AccessState | undefined): Move {
  const seq = state?.head.seq ?? null
  return { name: accessRef, expect: seq, to: seq }
}

function* judge(accessor: Accessor, state: AccessState, judged: Authorization): Work<Omit<Admission, 'guard'>> {
  const { identity, proposes } = accessor
  const { agent, requests, changes } = judged
  if (identity !== undefined && agent !== identity.principal) {
    throw accessError('identity-claimed', { principal: identity.principal, claimed: agent })
  }
  const { grants, isProposed } = yield* authority(accessor, state, requests)
  let required: RequiredApproval | undefined = isProposed || proposes === true ? {} : undefined
  const warnings: SchemaWarning[] = []
  for (const change of changes) {
    const tainted: TaintJudgement = yield* judgeTaints(state, identity, change)
    required = mergeApprovals(required, tainted.requiredApproval)
    appendAll(warnings, tainted.warnings)
    required = mergeApprovals(required, yield* judgeRules(state, change))
  }
  if (judged.approved !== undefined)
    yield* assertApprover(state, principalOf(identity), judged.approved, requests, required)
  const { authority: ids, maxBytes } = termsOf(grants)
  return {
    info: {
      principal: identity?.principal,
      authority: ids,
      session: identity?.session,
    },
    requiredApproval: judged.approved !== undefined || judged.isAside === true ? undefined : required,
    grants,
    maxBytes,
    warnings,
  }
}

interface Terms {
  readonly authority: readonly string[] | undefined
  readonly maxBytes: number | undefined
}

/** By the grants that were decided on, which are the same from one commit to the next. */
const terms = new WeakMap<readonly GrantRecord[], Terms>()

/** What grants say of every commit under them. */
function termsOf(grants: readonly GrantRecord[]): Terms {
  const known = terms.get(grants)
  if (known !== undefined) return known
  const bytes = grants.flatMap(({ limits }) => limits?.bytesPerCommit ?? [])
  const made = {
    authority: grants.length === 0 ? undefined : grants.map(({ id }) => id),
    maxBytes: bytes.length === 0 ? undefined : leastOf(bytes),
  }
  terms.set(grants, made)
  return made
}

/** The grants to act under. Who may not write but may propose acts under those. */
function* authority(
  { identity }: Accessor,
  state: AccessState,
  requests: readonly AccessRequest[],
): Work<{ readonly grants: readonly GrantRecord[]; readonly isProposed: boolean }> {
  try {
    return { grants: yield* authorityFor(state, identity, requests), isProposed: false }
  } catch (error) {
    const isWrite = requests.every(({ capability }) => capability === 'commit' || capability === 'merge')
    if (identity === undefined || !isWrite || !isStateError(error, 'access-denied')) throw error
    const proposed = requests.map(request => ({ ...request, capability: 'propose' as const }))
    try {
      return { grants: yield* authorityFor(state, identity, proposed), isProposed: true }
    } catch {
      throw error
    }
  }
}
