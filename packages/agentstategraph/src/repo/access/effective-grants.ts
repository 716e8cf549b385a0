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
interface StandingChain {
  readonly chain: Chain
  readonly places: readonly (readonly string[])[]
}

interface Standing {
  readonly chains: readonly StandingChain[]
  /** When the first of them expires. */
  readonly until: number
}

const known = new WeakMap<AccessState, Map<string, Standing>>()
const MAX_KNOWN = 1024

/** The first chain under which an identity may do what it asks, at one place of it; undefined when there is none. */
export function* findAllowing(
  state: AccessState,
  identity: Identity,
  ask: AccessRequest,
  path: readonly string[] | undefined,
): Work<Chain | undefined> {
  const { chains } = yield* standingOf(state, identity, ask)
  const isMeant = (patterns: readonly string[]): boolean => patterns.some(pattern => meansPlace(pattern, path!))
  return chains.find(({ places }) => path === undefined || places.every(isMeant))?.chain
}

function* standingOf(state: AccessState, identity: Identity, ask: AccessRequest): Work<Standing> {
  const all = known.get(state) ?? new Map<string, Standing>()
  const { principal, grant = '' } = identity
  const place = `${principal}\n${grant}\n${ask.capability}\n${ask.branch ?? ''}\n${concernsAll(ask)}`
  const standing = all.get(place)
  if (standing !== undefined && standing.until > accessTime(state)) return standing
  const made = yield* newStanding(state, identity, ask)
  if (all.size >= MAX_KNOWN) all.clear()
  known.set(state, all.set(place, made))
  return made
}

function* newStanding(state: AccessState, identity: Identity, ask: AccessRequest): Work<Standing> {
  const chains: StandingChain[] = []
  let until = Number.POSITIVE_INFINITY
  for (const chain of yield* chainsOf(state, identity)) {
    if (!(yield* allows(state, chain, ask, undefined))) continue
    for (const { expires } of chain) if (expires !== undefined) until = Math.min(until, Date.parse(expires))
    chains.push({ chain, places: chain.flatMap(({ paths }) => (paths === undefined ? [] : [paths])) })
  }
  return { chains, until }
}
