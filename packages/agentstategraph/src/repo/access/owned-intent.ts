/** Whose a delegated intent is: its proposer, who authorised it, the agent that works on it, and who opened the session for that. */

import type { Work } from '../../store/index.ts'
import { operator } from '../records/access-record.ts'
import type { AccessState } from '../records/accessor.ts'
import type { Identity } from '../records/identity.ts'
import type { IntentRecord, SessionRecord } from '../records/session-record.ts'
import { accessValue } from './access-state.ts'
import { principalOf } from './gate.ts'

/** Whether a delegated intent is the caller's; undefined when there is no such intent. */
export function* findOwnedIntent(
  state: AccessState | undefined,
  identity: Identity | undefined,
  id: string,
): Work<{ readonly isOwn: boolean } | undefined> {
  const intent = state && (yield* accessValue<IntentRecord>(state, ['intents', id]))
  return intent === undefined ? undefined : { isOwn: yield* isOwnIntent(state!, identity, intent) }
}

export function* isOwnIntent(
  state: AccessState,
  identity: Identity | undefined,
  { by, agent, authorized, session }: IntentRecord,
): Work<boolean> {
  const principal = principalOf(identity)
  if ([operator, by, agent, authorized?.by].includes(principal)) return true
  const work = session === undefined ? undefined : yield* accessValue<SessionRecord>(state, ['sessions', session])
  return work?.by === principal
}
