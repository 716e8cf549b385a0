/**
 * The chains of grants under which an identity may use a capability on a branch, computed once for each access state.
 *
 * This is the only cache of decisions. Everything that does not depend on the path is in it: whether the principal, its key
 * and the branch are active, and which chains are in force. Matching a path against the patterns of those chains is left.
 */

import { leastOf } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import type { AccessState } from '../records/accessor.ts'
import { type AccessRequest, concernsAll } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import { meansPlace } from '../state/place-pattern.ts'
import { accessTime } from './access-state.ts'
import { assertActive, assertNotFrozen, keyExpiry } from './active.ts'
import { allows, type Chain, chainsOf } from './authority.ts'

export interface EffectiveGrants {
  readonly chains: readonly EffectiveChain[]
  /** When the first of them, or the key, expires. */
  readonly until: number
}

/** A chain in force, with the path patterns of each link that has some. */
interface EffectiveChain {
  readonly chain: Chain
  readonly patterns: readonly (readonly string[])[]
}

const cache = new WeakMap<AccessState, WeakMap<Identity, Map<string, EffectiveGrants>>>()
const MAX_CACHED = 256

/** Throws when the principal or the branch is frozen, or the key has ended. */
export function* effectiveGrantsOf(
  state: AccessState,
  identity: Identity,
  request: AccessRequest,
): Work<EffectiveGrants> {
  const identities = cache.get(state) ?? new WeakMap<Identity, Map<string, EffectiveGrants>>()
  const cached = identities.get(identity) ?? new Map<string, EffectiveGrants>()
  const key = `${request.capability}\0${request.branch ?? ''}\0${concernsAll(request)}`
  const known = cached.get(key)
  if (known !== undefined && known.until > accessTime(state)) return known
  const grants = yield* findEffectiveGrants(state, identity, request)
  if (cached.size >= MAX_CACHED) cached.clear()
  cache.set(state, identities.set(identity, cached.set(key, grants)))
  return grants
}

function* findEffectiveGrants(state: AccessState, identity: Identity, request: AccessRequest): Work<EffectiveGrants> {
  yield* assertActive(state, identity)
  yield* assertNotFrozen(state, request)
  const chains: EffectiveChain[] = []
  const ends = [yield* keyExpiry(state, identity)]
  for (const chain of yield* chainsOf(state, identity)) {
    if (!(yield* allows(state, chain, request, undefined))) continue
    for (const { expires } of chain) if (expires !== undefined) ends.push(Date.parse(expires))
    chains.push({ chain, patterns: chain.flatMap(({ paths }) => (paths === undefined ? [] : [paths])) })
  }
  return { chains, until: leastOf(ends) }
}

/** The first chain that allows a path; undefined when none does. Without a path, the first chain. */
export function findAllowing({ chains }: EffectiveGrants, path: readonly string[] | undefined): Chain | undefined {
  if (path === undefined) return chains[0]?.chain
  return chains.find(({ patterns }) => patterns.every(some => some.some(pattern => meansPlace(pattern, path))))?.chain
}
