/** Whether a delegated or proposed intent is readable, wherever it is asked for. */

import type { Work } from '../../store/index.ts'
import { isAllowed } from '../access/gate.ts'
import { isOwnIntent } from '../access/owned-intent.ts'
import type { Accessor, AccessState } from '../records/accessor.ts'
import type { IntentRecord } from '../records/session-record.ts'
import { readScopeOf } from './read-scope.ts'

/** It is for those whose it is, with `approve` or `admin`, and for principals that may read everything. */
export function* isReadableIntent(accessor: Accessor, state: AccessState, intent: IntentRecord): Work<boolean> {
  return (yield* isOwnIntent(state, accessor.identity, intent)) || (yield* seesAllIntents(accessor, state))
}

/** Whether no intent is hidden. */
export function* seesAllIntents(accessor: Accessor, state: AccessState): Work<boolean> {
  for (const capability of ['approve', 'admin'] as const) {
    if (yield* isAllowed(state, accessor.identity, { capability })) return true
  }
  return (yield* readScopeOf(accessor))?.isWhole === true
}
