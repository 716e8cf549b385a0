/**
 * Delegated intents: proposed by one principal, authorized by another, worked on in a session, and resolved.
 *
 *   proposed → authorized → in-progress → completed | failed | blocked → in-progress …
 *
 * Each step is one decision in the access state. The commits that name an intent are not known here.
 */

import { checkOptions, optionsOf } from '../../core/index.ts'
import {
  type AccessState,
  assertMay,
  checkedText,
  currentAccess,
  type Handle,
  type IntentRecord,
  type IntentStatus,
  isOwnIntent,
  isReadableIntent,
  noteRefusal,
  seesAllIntents,
} from '../../repo/index.ts'
import { newId } from '../../repo/records/once.ts'
import type { Repository } from '../../repository/index.ts'
import { keyedListing, type Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, changeAccess, decidedBy, findOneBehindBoth, proposedBy } from '../change-access.ts'
import { accessFault } from '../errors.ts'
import { isBelow } from '../principals/principals.ts'
import { findRecord, recordsIn } from '../records.ts'
import { byId } from '../run.ts'

/** What can be done with an intent. */
export type IntentAction = 'authorize' | 'start' | 'complete' | 'fail' | 'block'

/** The state machine of intents. */
export const intentSteps: Readonly<
  Record<IntentAction, { readonly from: readonly IntentStatus[]; readonly to: IntentStatus }>
> = {
  authorize: { from: ['proposed'], to: 'authorized' },
  start: { from: ['authorized', 'blocked'], to: 'in-progress' },
  complete: { from: ['in-progress'], to: 'completed' },
  fail: { from: ['in-progress'], to: 'failed' },
  block: { from: ['in-progress'], to: 'blocked' },
}

/** An intent to propose. */
export interface IntentSpec {
  id?: string | undefined
  description: string
  parent?: string | undefined
}

/** Intents that are proposed, authorized and worked on. */
export interface Intents {
  propose(intent: IntentSpec): Promise<IntentRecord>
  /** By another principal than the proposer, with the capability `approve`. */
  authorize(id: string, reason: string): Promise<IntentRecord>
  start(id: string, reason: string): Promise<IntentRecord>
  complete(id: string, reason: string): Promise<IntentRecord>
  fail(id: string, reason: string): Promise<IntentRecord>
  block(id: string, reason: string): Promise<IntentRecord>
  get(id: string): Promise<IntentRecord>
  /** By id. */
  list(filter?: IntentFilter): Listing<IntentRecord>
}

/** Options of `list` of intents. */
export interface IntentFilter {
  status?: IntentStatus | undefined
}

const proposeOptions = optionsOf<IntentSpec>('propose', { id: true, description: true, parent: true })
const listOptions = optionsOf<IntentFilter>('the list of intents', { status: true })

const MAX_TEXT_BYTES = 1024
const MAX_ID_BYTES = 256

export function intentsOf({ handle }: Pick<Repository, 'handle'>): Intents {
  const move = (id: string, action: IntentAction, reason: string): Promise<IntentRecord> =>
    handle.journal.run(moveIntent(handle, id, action, reason))
  return {
    async propose(intent) {
      checkOptions(proposeOptions, intent)
      return handle.journal.run(proposeIntent(handle, intent))
    },
    authorize: (id, reason) => move(id, 'authorize', reason),
    start: (id, reason) => move(id, 'start', reason),
    complete: (id, reason) => move(id, 'complete', reason),
    fail: (id, reason) => move(id, 'fail', reason),
    block: (id, reason) => move(id, 'block', reason),
    get: id => handle.journal.run(getIntent(handle, id)),
    list: (filter = {}) =>
      keyedListing<IntentRecord, IntentFilter>(
        () => handle.journal.run(listIntents(handle, filter.status)),
        byId,
        listOptions,
        filter,
      ),
  }
}

function* proposeIntent(handle: Handle, spec: IntentSpec): Work<IntentRecord> {
  const description = checkedText('description', spec.description ?? '', MAX_TEXT_BYTES)!
  const parent = checkedText('parent intent', spec.parent, MAX_ID_BYTES)
  const given = checkedText('intent id', spec.id, MAX_ID_BYTES)
  const made = given ?? newId(handle)
  return yield* changeAccess(handle, function* (state): Work<AccessChange<IntentRecord>> {
    const grants = yield* assertMay(handle, state, { capability: 'propose' })
    const id = given === undefined ? made : yield* newIntentId(handle, state, given)
    if ((yield* findIntent(state, id)) !== undefined) throw accessFault('intent-exists', { intent: id })
    const record: IntentRecord = {
      id,
      description,
      ...(parent === undefined ? {} : { parent }),
      status: 'proposed',
      ...(yield* proposedBy(handle, state, grants)),
    }
    return { description: `Propose intent ${id}`, edits: [{ set: ['intents', id], value: record }], result: record }
  })
}

/** The id of a new intent. What a principal names that may not know all intents lies below its name, where no hidden one is. */
export function* newIntentId(handle: Handle, state: AccessState | undefined, given: string): Work<string> {
  const { identity } = handle
  if (identity === undefined || state === undefined || (yield* seesAllIntents(handle, state))) return given
  return isBelow(given, identity.principal) ? given : `${identity.principal}/${given}`
}

/** The id of an intent to work on: a known one, or a new one. */
export function* intentIdFor(handle: Handle, state: AccessState | undefined, given: string): Work<string> {
  const known = yield* findIntent(state, given)
  const isKnown = known !== undefined && (yield* isReadableIntent(handle, state!, known))
  return isKnown ? given : yield* newIntentId(handle, state, given)
}

function* moveIntent(handle: Handle, id: string, action: IntentAction, reason: string): Work<IntentRecord> {
  const said = checkedText('reason', reason ?? '', MAX_TEXT_BYTES)!
  return yield* changeAccess(handle, function* (state): Work<AccessChange<IntentRecord>> {
    const intent = yield* intentIn(handle, state, id)
    yield* assertMayMove(handle, state, intent, action)
    const record = movedIntent(handle, intent, action, said)
    const edits = [{ set: ['intents', id], value: record }]
    return { description: `${action} intent ${id}`, reasoning: said, edits, result: record }
  })
}

/** The intent after a step. Throws when its status does not allow the step. */
export function movedIntent(
  handle: Handle,
  intent: IntentRecord,
  action: IntentAction,
  reason: string,
  more: Pick<IntentRecord, 'session' | 'agent'> = {},
): IntentRecord {
  const { from, to } = intentSteps[action]
  if (!from.includes(intent.status)) {
    throw accessFault('intent-transition', { intent: intent.id, status: intent.status, action, to })
  }
  const authorized = action === 'authorize' ? { authorized: { ...decidedBy(handle), reason } } : {}
  return { ...intent, ...authorized, ...more, status: to, reason }
}

function* assertMayMove(
  handle: Handle,
  state: AccessState | undefined,
  intent: IntentRecord,
  action: IntentAction,
): Work<void> {
  const { id } = intent
  if (action === 'authorize') {
    const grants = yield* assertMay(handle, state, { capability: 'approve' })
    const common = yield* findOneBehindBoth(handle, state, intent, grants)
    if (common !== undefined) {
      throw yield* noteRefusal(handle, accessFault('self-authorized', { intent: id, principal: common }))
    }
  } else {
    yield* assertMayWorkOn(handle, state, intent)
  }
}

/** Throws when an intent is not the caller's. For a caller that may not read it, it is unknown. */
export function* assertMayWorkOn(handle: Handle, state: AccessState | undefined, intent: IntentRecord): Work<void> {
  if (!(yield* isReadableIntent(handle, state!, intent))) throw accessFault('intent-unknown', { intent: intent.id })
  const isOwn = yield* isOwnIntent(state!, handle.identity, intent)
  yield* assertMay(handle, state, isOwn ? undefined : { capability: 'admin' })
}

export function findIntent(state: AccessState | undefined, id: string): Work<IntentRecord | undefined> {
  return findRecord<IntentRecord>(state, ['intents', id])
}

/** Throws `intent-unknown` also for an intent that is not readable. */
function* intentIn(handle: Handle, state: AccessState | undefined, id: string): Work<IntentRecord> {
  const intent = yield* findIntent(state, id)
  if (intent === undefined || !(yield* isReadableIntent(handle, state!, intent))) {
    throw accessFault('intent-unknown', { intent: id })
  }
  return intent
}

function* getIntent(handle: Handle, id: string): Work<IntentRecord> {
  const state = yield* currentAccess(handle)
  yield* assertMay(handle, state, undefined)
  return yield* intentIn(handle, state, id)
}

function* listIntents(handle: Handle, status: IntentStatus | undefined): Work<readonly IntentRecord[]> {
  const state = yield* currentAccess(handle)
  yield* assertMay(handle, state, undefined)
  if (state === undefined) return []
  const known: IntentRecord[] = []
  for (const [, intent] of yield* recordsIn<IntentRecord>(state, ['intents'])) {
    const isMeant = status === undefined || intent.status === status
    if (isMeant && (yield* isReadableIntent(handle, state, intent))) known.push(intent)
  }
  return known
}
