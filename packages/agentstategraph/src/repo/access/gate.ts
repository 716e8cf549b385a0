/**
 * The gate: which grants allow a request in an access state.
 *
 * The operator needs no grant, but frozen branches stop it too. Taints and rules are judged in `admit`, after the grants. The
 * gate changes nothing and records nothing.
 */

import { formatPath, isStateError } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import { type GrantRecord, operator } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import { assertActive, assertNotFrozen } from './active.ts'
import { chainsOf, type LinkFault, linkFault } from './authority.ts'
import { type EffectiveGrants, effectiveGrantsOf, findAllowing } from './effective-grants.ts'

/** The principal of an identity; without one it is the operator. */
export function principalOf(identity: Identity | undefined): string {
  return identity?.principal ?? operator
}

/** The grants that allow every path of every request, chain after chain, root first. Throws when one is not allowed. */
export function* authorityFor(
  state: AccessState,
  identity: Identity | undefined,
  requests: readonly AccessRequest[],
): Work<readonly GrantRecord[]> {
  if (identity === undefined) {
    for (const request of requests) yield* assertNotFrozen(state, request)
    return []
  }
  if (requests.length === 0) yield* assertActive(state, identity)
  const effective: EffectiveGrants[] = []
  for (const request of requests) effective.push(yield* effectiveGrantsOf(state, identity, request))
  const used = new Set<GrantRecord>()
  for (const [i, request] of requests.entries()) {
    for (const path of request.paths?.length ? request.paths : [undefined]) {
      const chain = findAllowing(effective[i]!, path)
      if (chain === undefined) throw yield* refusal(state, identity, request, path)
      for (const grant of chain) used.add(grant)
    }
  }
  return [...used]
}

/** The same as a boolean. */
export function* isAllowed(state: AccessState, identity: Identity | undefined, request: AccessRequest): Work<boolean> {
  try {
    yield* authorityFor(state, identity, [request])
    return true
  } catch (error) {
    if (isStateError(error)) return false
    throw error
  }
}

/** The most specific error: a chain whose only faults are expired or revoked links is named before a plain denial. */
function* refusal(
  state: AccessState,
  identity: Identity,
  request: AccessRequest,
  path: readonly string[] | undefined,
): Work<Error> {
  const { principal, session, grant: own } = identity
  for (const chain of yield* chainsOf(state, identity)) {
    const faults: { readonly grant: string; readonly kind: LinkFault['kind'] }[] = []
    for (const [at, { id }] of chain.entries()) {
      const fault = yield* linkFault(state, chain, at, request, path)
      if (fault !== undefined) faults.push({ grant: id, kind: fault.kind })
    }
    const [ended] = faults
    if (ended === undefined || !faults.every(({ kind }) => kind === 'expired' || kind === 'revoked')) continue
    const { grant, kind } = ended
    if (session !== undefined && grant === own) return accessError('session-ended', { session })
    return accessError(kind === 'expired' ? 'grant-expired' : 'grant-revoked', { principal, grant })
  }
  const { capability, branch } = request
  return accessError('access-denied', {
    principal,
    capability,
    ...(branch === undefined ? {} : { branch }),
    ...(path === undefined ? {} : { path: formatPath(path) }),
  })
}
