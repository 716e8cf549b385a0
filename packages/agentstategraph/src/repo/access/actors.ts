/** The principals behind an identity that works in a session of others. */

import type { Work } from '../../store/index.ts'
import type { AccessState } from '../records/accessor.ts'
import type { Identity } from '../records/identity.ts'
import type { SessionRecord } from '../records/session-record.ts'
import { accessValue } from './access-state.ts'

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
