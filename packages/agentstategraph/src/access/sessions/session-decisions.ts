/**
 * Opening and ending sessions, as decisions in the access state.
 *
 * A session has a grant of its own, within the grants of its opener. Opening adds the agent as a principal if needed, grants, and
 * starts the delegated intent, in one commit. Ending revokes the grant and reports, in another.
 */

import { greatestOf, type Options, optionsOf } from '../../core/index.ts'
import {
  type AccessState,
  accessError,
  allows,
  assertMay,
  type Capability,
  chainsOf,
  checkedText,
  currentAccess,
  type Handle,
  operator,
  type PrincipalRecord,
  principalOf,
  type Resolution,
  type SessionRecord,
} from '../../repo/index.ts'
import { newId } from '../../repo/records/once.ts'
import type { Work } from '../../store/index.ts'
import { type AccessChange, type AccessEdit, changeAccess, decidedBy } from '../change-access.ts'
import { accessFault } from '../errors.ts'
import { type GrantSpec, grantOptions } from '../grants/grant-spec.ts'
import { grantIn } from '../grants/grants.ts'
import { assertNameFree, assertPrincipalId, isBelow } from '../principals/principals.ts'
import { assertPrincipal, findRecord, recordsIn } from '../records.ts'
import { assertMayWorkOn, findIntent, intentIdFor, movedIntent } from './intents.ts'

/** A session to open. */
export interface SessionSpec {
  /** Who works in it. */
  agent: string
  /** The branch, which is created if it does not exist. The opener's branch unless given. */
  branch?: string | undefined
  /** The intent that is delegated. */
  intent?: string | undefined
  /** Who gets the report when it ends, beside the session that it was opened from. */
  reportTo?: string | undefined
  /** What it may do, within what its opener may do. */
  scope?: (Omit<GrantSpec, 'capabilities'> & { capabilities?: readonly Capability[] | undefined }) | undefined
}

/** The options of a call that opens a session. */
export function sessionOptions(call: string): Options<SessionSpec> {
  return optionsOf<SessionSpec>(call, {
    agent: true,
    branch: true,
    intent: true,
    reportTo: true,
    scope: grantOptions(`the scope of ${call}`),
  })
}

/** The default capabilities of a session. */
const WORK: readonly Capability[] = ['read', 'propose', 'commit', 'merge', 'branch', 'grant']
/** The default delegation depth. */
const DEPTH = 8
const MAX_OPEN = 1000
const MAX_NAME_BYTES = 256

export function* openedSession(handle: Handle, spec: SessionSpec): Work<SessionRecord> {
  const { agent } = spec
  assertPrincipalId(agent)
  const wanted = checkedText('intent', spec.intent, MAX_NAME_BYTES)
  const reportTo = checkedText('reportTo', spec.reportTo, MAX_NAME_BYTES)
  const id = newId(handle)
  const branch = spec.branch ?? handle.branch
  return yield* changeAccess(handle, function* (state): Work<AccessChange<SessionRecord>> {
    const known = yield* findRecord(state, ['principals', agent])
    if (known === undefined) yield* assertNewAgent(handle, state, agent)
    const working = yield* recordsIn(state, ['working', agent])
    if (working.length >= MAX_OPEN) throw accessFault('sessions-many', { agent, limit: MAX_OPEN })
    if (reportTo !== undefined && reportTo !== operator) yield* assertPrincipal(state, reportTo)
    const scope = yield* scopeOf(handle, state, branch, spec.scope ?? {})
    const added: AccessEdit[] = known === undefined ? [newAgent(handle, agent)] : []
    const grant = yield* grantIn(handle, state, agent, scope, { session: id, isNew: known === undefined })
    const { by, time } = decidedBy(handle)
    const intent = wanted === undefined ? undefined : yield* intentIdFor(handle, state, wanted)
    const record: SessionRecord = {
      id,
      agent,
      branch,
      by,
      ...(handle.identity?.session === undefined ? {} : { parent: handle.identity.session }),
      ...(intent === undefined ? {} : { intent }),
      ...(reportTo === undefined ? {} : { reportTo }),
      grant: grant.record.id,
      status: 'open',
      time,
    }
    const edits: AccessEdit[] = [
      ...added,
      ...grant.edits,
      { set: ['sessions', id], value: record },
      { set: ['working', agent, id], value: true },
    ]
    if (record.parent !== undefined) edits.push({ set: ['delegated', record.parent, id], value: true })
    if (intent !== undefined) edits.push(yield* startedIntent(handle, state, intent, record))
    const description = `Open a session for ${agent} on ${branch}`
    return { description, tags: [`session:${id}`], edits, result: record }
  })
}

/** Throws when a new agent has a name that is not its maker's to give: names that a principal gives lie below its own. */
function* assertNewAgent(handle: Handle, state: AccessState | undefined, agent: string): Work<void> {
  const maker = handle.identity?.principal
  if (maker !== undefined && !isBelow(agent, maker)) {
    const reason = `${maker} names new agents below itself, such as "${maker}/helper"`
    throw accessFault('principal-invalid', { principal: agent, reason })
  }
  yield* assertNameFree(handle, state, agent)
}

function newAgent(handle: Handle, agent: string): AccessEdit {
  const record: PrincipalRecord = { kind: 'agent', ...decidedBy(handle) }
  return { set: ['principals', agent], value: record }
}

/** Delegating authorizes a new intent; one that was proposed must be authorized already. */
function* startedIntent(
  handle: Handle,
  state: AccessState | undefined,
  id: string,
  { id: session, agent }: SessionRecord,
): Work<AccessEdit> {
  const decided = decidedBy(handle)
  const reason = `delegated to ${agent}`
  const parent = handle.who.intent === id ? undefined : handle.who.intent
  const known = yield* findIntent(state, id)
  if (known !== undefined) yield* assertMayWorkOn(handle, state, known)
  // Several sessions may work on one intent, also at once.
  if (known?.status === 'in-progress') return { set: ['intents', id], value: { ...known, session, agent } }
  const intent = known ?? {
    id,
    ...(parent === undefined ? {} : { parent }),
    status: 'authorized' as const,
    ...decided,
    authorized: { ...decided, reason },
  }
  return { set: ['intents', id], value: movedIntent(handle, intent, 'start', reason, { session, agent }) }
}

/** The scope of a session. Capabilities that are left out are those that the opener can delegate on the branch. */
function* scopeOf(
  handle: Handle,
  state: AccessState | undefined,
  branch: string,
  scope: NonNullable<SessionSpec['scope']>,
): Work<GrantSpec> {
  const { identity } = handle
  const branches = scope.branches ?? [branch]
  if (identity === undefined || state === undefined) {
    return { ...scope, branches, capabilities: scope.capabilities ?? WORK, depth: scope.depth ?? DEPTH }
  }
  const chains = yield* chainsOf(state, identity)
  const depths = chains.map(chain => chain.at(-1)?.depth ?? 0)
  const depth = scope.depth ?? Math.max(0, Math.max(0, greatestOf(depths)) - 1)
  if (scope.capabilities !== undefined) return { ...scope, branches, capabilities: scope.capabilities, depth }
  const capabilities: Capability[] = []
  for (const capability of WORK) {
    for (const chain of chains) {
      if (capabilities.includes(capability) || !(yield* allows(state, chain, { capability, branch }, undefined)))
        continue
      capabilities.push(capability)
    }
  }
  return { ...scope, branches, capabilities, depth }
}

/** A session, for its agent, its opener and the operator. For others it does not exist. */
export function* sessionIn(handle: Handle, state: AccessState | undefined, id: string): Work<SessionRecord> {
  const record = yield* findRecord<SessionRecord>(state, ['sessions', id])
  const principal = principalOf(handle.identity)
  const concerned = record === undefined ? [] : [operator, record.agent, record.by]
  if (record === undefined || !concerned.includes(principal)) throw accessFault('session-unknown', { session: id })
  return record
}

/** The same, by the current access state. */
export function* getSession(handle: Handle, id: string): Work<SessionRecord> {
  return yield* sessionIn(handle, yield* currentAccess(handle), id)
}

/** Ends a session: revokes its grant, resolves its intent, and writes the reports. */
export function* endedSession(handle: Handle, id: string, resolution: Resolution): Work<SessionRecord> {
  return yield* changeAccess(handle, function* (state): Work<AccessChange<SessionRecord>> {
    const session = yield* sessionIn(handle, state, id)
    if (session.status === 'ended') throw accessError('session-ended', { session: id })
    yield* assertMay(handle, state, undefined)
    const open = yield* openChildren(state!, id)
    if (open.length > 0) throw accessFault('session-busy', { session: id, children: open })
    const decided = decidedBy(handle)
    const { time } = decided
    const { agent, grant, intent, reportTo, parent, by } = session
    const record: SessionRecord = { ...session, status: 'ended', ended: time, resolution }
    const report = { session: id, agent, resolution, time }
    const to = new Set([parent ?? by, ...(reportTo === undefined ? [] : [reportTo])])
    const reason = `its session ended: ${resolution.outcome}`
    const edits: AccessEdit[] = [
      { set: ['sessions', id], value: record },
      { delete: ['working', agent, id] },
      { set: ['grants', grant, 'revoked'], value: { ...decided, reason } },
      ...[...to].map((name): AccessEdit => ({ set: ['reports', name, id], value: report })),
    ]
    const known = intent === undefined ? undefined : yield* findIntent(state, intent)
    // An intent that was moved by another call keeps that status.
    if (known?.status === 'in-progress' && known.session === id) {
      const moved = movedIntent(handle, known, stepFor[resolution.outcome], resolution.summary)
      edits.push({ set: ['intents', known.id], value: moved })
    }
    const description = `End the session of ${agent} on ${session.branch}`
    return { description, reasoning: resolution.summary, tags: [`session:${id}`], edits, result: record }
  })
}

const stepFor = { fulfilled: 'complete', partial: 'complete', failed: 'fail', deferred: 'block' } as const

/** The sessions that were opened from one and have not ended. */
export function* openChildren(state: AccessState, id: string): Work<readonly string[]> {
  const open: string[] = []
  for (const [child] of yield* recordsIn(state, ['delegated', id])) {
    const record = yield* findRecord<SessionRecord>(state, ['sessions', child])
    if (record?.status === 'open') open.push(child)
  }
  return open
}
