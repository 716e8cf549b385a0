/**
 * What was decided for an identity in an access state, so that whoever writes at one place again and again is judged once.
 *
 * A decision holds for that state, until something that it rests on expires. Only what was allowed is remembered.
 */

import { formatPath } from '../../core/index.ts'
import type { GrantRecord } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import { accessTime } from './access-state.ts'

interface Decision {
  readonly grants: readonly GrantRecord[]
  readonly until: number
}

const known = new WeakMap<AccessState, WeakMap<Identity, Map<string, Decision>>>()
const MAX_KNOWN = 256

/** What a simple ask is remembered by; undefined for one of several parts. */
export function cacheKeyOf(requests: readonly AccessRequest[]): string | undefined {
  const [request] = requests
  if (request === undefined || requests.length > 1 || request.concernsAll === true) return undefined
  const { capability, branch = '', paths = [] } = request
  const [path] = paths
  // No name of a branch has this character, and a path is written so that no two are alike.
  return paths.length > 1 ? undefined : `${capability}\0${branch}\0${path === undefined ? '' : formatPath(path)}`
}

export function findDecision(
  state: AccessState,
  identity: Identity,
  place: string,
): readonly GrantRecord[] | undefined {
  const decided = known.get(state)?.get(identity)?.get(place)
  return decided === undefined || decided.until <= accessTime(state) ? undefined : decided.grants
}

export function cacheDecision(
  state: AccessState,
  identity: Identity,
  place: string,
  grants: readonly GrantRecord[],
  until: number,
): void {
  const identities = known.get(state) ?? new WeakMap<Identity, Map<string, Decision>>()
  const places = identities.get(identity) ?? new Map<string, Decision>()
  if (places.size >= MAX_KNOWN) places.clear()
  known.set(state, identities.set(identity, places.set(place, { grants, until })))
}
