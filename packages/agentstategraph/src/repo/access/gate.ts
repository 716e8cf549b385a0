/**
 * The gate: whether somebody may do something, asked of the access state before it is appended.
 *
 * In this order: who is frozen, what the grants allow, what is tainted, what the rules say. The operator needs no grants; taints,
 * rules and frozen branches hold for everybody. It judges and changes nothing.
 */

import { formatPath, isStateError, leastOf } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import { type FrozenRecord, type GrantRecord, type KeyRecord, operator } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import type { Identity } from '../records/identity.ts'
import { accessTime, accessValue } from './access-state.ts'
import { chainsOf, linkFault } from './authority.ts'
import { cacheDecision, cacheKeyOf, findDecision } from './decision-cache.ts'
import { findAllowing } from './effective-grants.ts'

/** Who acts: nobody in particular is the operator. */
export function principalOf(identity: Identity | undefined): string {
  return identity?.principal ?? operator
}

const none: readonly GrantRecord[] = []

/** The grants under which every part of what is asked is allowed, root first, chain after chain; throws when one is not. */
export function* authorityFor(
  state: AccessState,
  identity: Identity | undefined,
  requests: readonly AccessRequest[],
): Work<readonly GrantRecord[]> {
  if (identity === undefined) {
    yield* assertNotFrozen(state, requests)
    return none
  }
  const place = cacheKeyOf(requests)
  const known = place === undefined ? undefined : findDecision(state, identity, place)
  if (known !== undefined) return known
  yield* assertActive(state, identity)
  yield* assertNotFrozen(state, requests)
  const grants = yield* grantsFor(state, identity, requests)
  if (place !== undefined) cacheDecision(state, identity, place, grants, yield* untilOf(state, identity, grants))
  return grants
}

function* grantsFor(
  state: AccessState,
  identity: Identity,
  requests: readonly AccessRequest[],
): Work<readonly GrantRecord[]> {
  const used = new Set<GrantRecord>()
  for (const request of requests) {
    for (const path of placesOf(request)) {
      const chain = yield* findAllowing(state, identity, request, path)
      if (chain === undefined) throw yield* refusal(state, identity, request, path)
      for (const grant of chain) used.add(grant)
    }
  }
  return [...used]
}

/** When the first of the grants, or the key, expires. */
function* untilOf(state: AccessState, { key }: Identity, grants: readonly GrantRecord[]): Work<number> {
  const record = key === undefined ? undefined : yield* accessValue<KeyRecord>(state, ['keys', key])
  const times = [record?.expires, ...grants.map(({ expires }) => expires)]
  return leastOf(times.map(time => (time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time))))
}

/** What changes no place is asked for as a whole. */
function placesOf({ paths = [] }: AccessRequest): readonly (readonly string[] | undefined)[] {
  return paths.length === 0 ? [undefined] : paths
}

/** Whether somebody may do something, as a value. */
export function* isAllowed(state: AccessState, identity: Identity | undefined, request: AccessRequest): Work<boolean> {
  try {
    yield* authorityFor(state, identity, [request])
    return true
  } catch (error) {
    if (isStateError(error)) return false
    throw error
  }
}

/** Refuses who is frozen, and who came with a key that is over by now. */
export function* assertActive(state: AccessState, identity: Identity): Work<void> {
  const { principal, key } = identity
  const frozen = yield* accessValue<FrozenRecord>(state, ['frozen', 'principals', principal])
  if (frozen !== undefined) throw accessError('principal-frozen', { principal, reason: frozen.reason })
  if (key !== undefined && !(yield* isKeyGood(state, key))) throw accessError('key-ended', { principal, key })
}

/** Whether a key is there, and neither revoked nor expired. */
export function* isKeyGood(state: AccessState, key: string): Work<boolean> {
  const record = yield* accessValue<KeyRecord>(state, ['keys', key])
  if (record === undefined || record.revoked !== undefined) return false
  return record.expires === undefined || Date.parse(record.expires) > accessTime(state)
}

function* assertNotFrozen(state: AccessState, requests: readonly AccessRequest[]): Work<void> {
  for (const { branch, capability } of requests) {
    if (branch === undefined || capability === 'read' || capability === 'admin') continue
    const frozen = yield* accessValue<FrozenRecord>(state, ['frozen', 'branches', branch])
    if (frozen !== undefined) throw accessError('branch-frozen', { branch, reason: frozen.reason })
  }
}

/** The most telling reason: a grant that would do if it had not ended, before one that never did. */
function* refusal(
  state: AccessState,
  identity: Identity,
  request: AccessRequest,
  path: readonly string[] | undefined,
): Work<Error> {
  const { principal, session, grant: own } = identity
  for (const chain of yield* chainsOf(state, identity)) {
    const faults: { readonly grant: string; readonly kind: string }[] = []
    for (let at = 0; at < chain.length; at++) {
      const fault = yield* linkFault(state, chain, at, request, path)
      if (fault !== undefined) faults.push({ grant: chain[at]!.id, kind: fault.kind })
    }
    const ended = faults.find(({ kind }) => kind === 'expired' || kind === 'revoked')
    if (ended !== undefined && faults.every(({ kind }) => kind === 'expired' || kind === 'revoked')) {
      if (session !== undefined && ended.grant === own) return accessError('session-ended', { session })
      return accessError(ended.kind === 'expired' ? 'grant-expired' : 'grant-revoked', {
        principal,
        grant: ended.grant,
      })
    }
  }
  const { capability, branch } = request
  return accessError('access-denied', {
    principal,
    capability,
    ...(branch === undefined ? {} : { branch }),
    ...(path === undefined ? {} : { path: formatPath(path) }),
  })
}
