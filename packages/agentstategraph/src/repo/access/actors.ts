/**
 * The principals behind an action, and whether two actions have one of them in common.
 *
 * A principal acts under grants that others gave it, and in sessions that others opened for it. Each of them could have acted
 * through it, so each is a link of the action's chain.
 */

import type { CommitInfo, Work } from '../../store/index.ts'
import { type GrantRecord, operator } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { Identity } from '../records/identity.ts'
import type { SessionRecord } from '../records/session-record.ts'
import { accessValue } from './access-state.ts'
import { findGrant } from './authority.ts'
import { principalOf } from './gate.ts'

/**
 * The principals of a chain of sessions: the one that opened the first session, then those that it was delegated to, and
 * last the one that acts. Undefined outside sessions, and in a session that a principal opened for itself.
 */
export function* findActors(state: AccessState, identity: Identity | undefined): Work<readonly string[] | undefined> {
  if (identity?.session === undefined) return undefined
  const actors = [identity.principal]
  for (let id: string | undefined = identity.session; id !== undefined; ) {
    const session: SessionRecord | undefined = yield* accessValue<SessionRecord>(state, ['sessions', id])
    if (session !== undefined && session.by !== actors[0]) actors.unshift(session.by)
    id = session?.parent
  }
  return actors.length === 1 ? undefined : actors
}

/** The links of an action under grants: those who act, and those who gave the grants. Giving does not make the operator one. */
export function* linksOf(
  state: AccessState | undefined,
  identity: Identity | undefined,
  grants: readonly GrantRecord[],
): Work<readonly string[]> {
  const actors = state && (yield* findActors(state, identity))
  return withGivers(actors ?? [principalOf(identity)], grants)
}

/** The links of a commit that was made before. */
export function* linksOfCommit(
  state: AccessState | undefined,
  { agent, principal, actors, authority = [] }: Pick<CommitInfo, 'agent' | 'principal' | 'actors' | 'authority'>,
): Work<readonly string[]> {
  const grants: GrantRecord[] = []
  for (const id of authority) {
    const grant = state && (yield* findGrant(state, id))
    if (grant !== undefined) grants.push(grant)
  }
  return withGivers(actors ?? [principal ?? agent], grants)
}

/** Those who act, and those who gave the grants that they act under. */
export function withGivers(actors: readonly string[], grants: readonly GrantRecord[]): readonly string[] {
  if (grants.length === 0) return actors
  const givers = grants.map(({ from }) => from).filter(from => from !== operator)
  return [...new Set([...givers, ...actors])]
}

/** A principal that is in both chains: then the second is no second opinion about the first. */
export function findCommonLink(first: readonly string[], second: readonly string[]): string | undefined {
  return second.find(name => first.includes(name))
}
