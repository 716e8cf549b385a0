/**
 * Chains of grants, from the operator down to the holder.
 *
 * A chain allows what every link of it allows now. A link that expired, was revoked, or was given by a principal that is
 * frozen ends the chain. Different chains may allow different parts of one change.
 */

import type { Work } from '../../store/index.ts'
import { type GrantRecord, operator } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import { type AccessRequest, concernsAll } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import { meansName, meansPlace } from '../state/place-pattern.ts'
import { accessTime, accessValue } from './access-state.ts'

/** Grants, the operator's first. */
export type Chain = readonly GrantRecord[]

/** Why a link does not allow a request. */
export interface LinkFault {
  /** Faults of scope come before faults of time. */
  readonly kind: 'broken' | 'capability' | 'branch' | 'path' | 'revoked' | 'expired' | 'frozen'
}

/** The longest chain. It bounds the cost of an authorization. */
export const maxChain = 16

/** The chains that an identity may act under. The grant of a session is valid in that session only. */
export function* chainsOf(state: AccessState, { principal, grant }: Identity): Work<readonly Chain[]> {
  const held = yield* accessValue<Readonly<Record<string, unknown>>>(state, ['held', principal])
  const chains: Chain[] = []
  for (const id of Object.keys(held ?? {})) {
    if (grant !== undefined && id !== grant) continue
    const chain = yield* chainTo(state, id)
    if (grant !== undefined || chain.at(-1)?.session === undefined) chains.push(chain)
  }
  return chains
}

export function* findGrant(state: AccessState, id: string): Work<GrantRecord | undefined> {
  return yield* accessValue<GrantRecord>(state, ['grants', id])
}

/** The chain that ends with a grant. A broken chain does not begin with the operator, and so allows nothing. */
export function* chainTo(state: AccessState, id: string): Work<Chain> {
  const chain: GrantRecord[] = []
  for (let next: string | undefined = id; next !== undefined && chain.length <= maxChain; ) {
    const grant: GrantRecord | undefined = yield* findGrant(state, next)
    if (grant === undefined) break
    chain.unshift(grant)
    next = grant.parent
  }
  return chain
}

/** Why one link of a chain does not allow a path of a request; undefined when it does. */
export function* linkFault(
  state: AccessState,
  chain: Chain,
  at: number,
  request: Omit<AccessRequest, 'paths'>,
  path: readonly string[] | undefined,
): Work<LinkFault | undefined> {
  const link = chain[at]!
  const before = chain[at - 1]
  if (before === undefined ? link.from !== operator : link.from !== before.to) return { kind: 'broken' }
  if (!link.capabilities.includes(request.capability)) return { kind: 'capability' }
  const { branch } = request
  // A request for the whole repository needs a grant without branches and paths.
  if (path === undefined && concernsAll(request)) {
    if (link.branches !== undefined) return { kind: 'branch' }
    if (link.paths !== undefined) return { kind: 'path' }
  }
  if (branch !== undefined && link.branches?.some(pattern => meansName(pattern, branch)) === false) {
    return { kind: 'branch' }
  }
  if (path !== undefined && link.paths?.some(pattern => meansPlace(pattern, path)) === false) return { kind: 'path' }
  if (link.revoked !== undefined) return { kind: 'revoked' }
  if (link.expires !== undefined && Date.parse(link.expires) <= accessTime(state)) return { kind: 'expired' }
  if (link.from !== operator && (yield* accessValue(state, ['frozen', 'principals', link.from])) !== undefined) {
    return { kind: 'frozen' }
  }
  return undefined
}

/** Whether a chain allows a path of a request. */
export function* allows(
  state: AccessState,
  chain: Chain,
  request: Omit<AccessRequest, 'paths'>,
  path: readonly string[] | undefined,
): Work<boolean> {
  for (let at = 0; at < chain.length; at++) {
    if ((yield* linkFault(state, chain, at, request, path)) !== undefined) return false
  }
  return chain.length > 0
}
