/**
 * What an identity may do with a capability on a branch, worked out once for each access state: which chains stand, and at which
 * places. What is left to ask for each changed path is whether the patterns of one of them mean it.
 */

import type { Work } from '../../store/index.ts'
import type { AccessState } from '../records/accessor.ts'
import { type AccessRequest, concernsAll } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import { meansPlace } from '../state/place-pattern.ts'
import { accessTime } from './access-state.ts'
import { allows, type Chain, chainsOf } from './authority.ts'

/** A chain that stands, with the patterns of each of its links that is for some places only. */
interface EffectiveChain {
  readonly chain: Chain
  readonly places: readonly (readonly string[])[]
}

interface EffectiveGrants {
  readonly chains: readonly EffectiveChain[]
  /** When the first of them expires. */
  readonly until: number
}

const known = new WeakMap<AccessState, Map<string, EffectiveGrants>>()
const MAX_KNOWN = 1024

/** The first chain under which an identity may do what it asks, at one place of it; undefined when there is none. */
export function* findAllowing(
  state: AccessState,
  identity: Identity,
  request: AccessRequest,
  path: readonly string[] | undefined,
): Work<Chain | undefined> {
  const { chains } = yield* effectiveGrantsOf(state, identity, request)
  const isMeant = (patterns: readonly string[]): boolean => patterns.some(pattern => meansPlace(pattern, path!))
  return chains.find(({ places }) => path === undefined || places.every(isMeant))?.chain
}

function* effectiveGrantsOf(state: AccessState, identity: Identity, request: AccessRequest): Work<EffectiveGrants> {
  const all = known.get(state) ?? new Map<string, EffectiveGrants>()
  const { principal, grant = '' } = identity
  const place = `${principal}\n${grant}\n${request.capability}\n${request.branch ?? ''}\n${concernsAll(request)}`
  const standing = all.get(place)
  if (standing !== undefined && standing.until > accessTime(state)) return standing
  const made = yield* findEffectiveGrants(state, identity, request)
  if (all.size >= MAX_KNOWN) all.clear()
  known.set(state, all.set(place, made))
  return made
}

function* findEffectiveGrants(state: AccessState, identity: Identity, request: AccessRequest): Work<EffectiveGrants> {
  const chains: EffectiveChain[] = []
  let until = Number.POSITIVE_INFINITY
  for (const chain of yield* chainsOf(state, identity)) {
    if (!(yield* allows(state, chain, request, undefined))) continue
    for (const { expires } of chain) if (expires !== undefined) until = Math.min(until, Date.parse(expires))
    chains.push({ chain, places: chain.flatMap(({ paths }) => (paths === undefined ? [] : [paths])) })
  }
  return { chains, until }
}
