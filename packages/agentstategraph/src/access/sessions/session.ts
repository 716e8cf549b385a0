/// <reference lib="esnext.disposable" preserve="true" />

/**
 * A session: delegated work, with a repository that is limited to its scope and writes as its agent.
 *
 * The holder of the object acts as the agent, so it is returned only to the agent, the opener and the operator. For an agent
 * with a key of its own, only that agent and the operator can act.
 */

import { checkOptions, isStateError } from '../../core/index.ts'
import {
  accessError,
  currentAccess,
  type Handle,
  type Identity,
  type KeyRecord,
  operator,
  type PrincipalRecord,
  principalOf,
  type ReportRecord,
  type Resolution,
  resolveIntent,
  type SessionRecord,
} from '../../repo/index.ts'
import { resolutionOptions } from '../../repository/call-options.ts'
import type { KeyOrder, Listing } from '../../repository/listing.ts'
import { Repository } from '../../repository/repository.ts'
import type { Work } from '../../store/index.ts'
import { accessFault } from '../errors.ts'
import { findRecord, recordsIn } from '../records.ts'
import { listingOf, run } from '../run.ts'
import {
  endedSession,
  getSession,
  openChildren,
  openedSession,
  type SessionSpec,
  sessionOptions,
} from './session-decisions.ts'

/** A session as listings show it. */
export interface SessionInfo {
  readonly id: string
  readonly agent: string
  readonly branchName: string
  readonly parent?: string
  readonly intent?: string
  readonly status: 'open' | 'ended'
}

/** Options of `sessions`. */
export interface SessionFilter {
  agent?: string | undefined
  status?: 'open' | 'ended' | undefined
}

/** What a session reported when it ended. */
export type Report = ReportRecord

/** An open session: a repository that acts for its agent, inside its scope. */
export interface Session extends SessionInfo, AsyncDisposable {
  readonly repo: Repository
  /** Opens a session for a part of the work. */
  delegate(session: SessionSpec): Promise<Session>
  /** The reports of sessions that were opened from this one. */
  reports(): Listing<Report>
  /** Ends it and reports to its opener. Disposing an open session ends it as deferred. */
  end(resolution: Resolution): Promise<void>
}

const endOptions = resolutionOptions('end')

export function sessionInfo({ id, agent, branch, parent, intent, status }: SessionRecord): SessionInfo {
  return {
    id,
    agent,
    branchName: branch,
    ...(parent === undefined ? {} : { parent }),
    ...(intent === undefined ? {} : { intent }),
    status,
  }
}

/** Opens a session, and creates its branch if needed. */
export async function openSession({ handle }: Pick<Repository, 'handle'>, spec: SessionSpec): Promise<Session> {
  // A key stands for the session; the branch that it may need is there when it is asked for again.
  const opener = new Repository({ ...handle, once: undefined })
  const { branch } = spec
  if (branch !== undefined && !(await isBranch(opener, branch))) await opener.branch(branch)
  const record = await handle.journal.run(openedSession(handle, spec))
  return sessionOn(handle, record)
}

async function isBranch(repo: Repository, name: string): Promise<boolean> {
  return (await repo.branches({ prefix: name })).some(branch => branch.name === name)
}

/** Resumes an open session, in any process. */
export async function resumeSession({ handle }: Pick<Repository, 'handle'>, id: string): Promise<Session> {
  const record = await run(handle, undefined, getSession(handle, id))
  if (record.status === 'ended') throw accessError('session-ended', { session: id })
  return sessionOn(handle, record)
}

async function sessionOn(handle: Handle, record: SessionRecord): Promise<Session> {
  const { id, agent, branch, intent, grant } = record
  const { journal, shared, proposes, once } = handle
  const who = { ...handle.who, agent, intent: intent ?? handle.who.intent }
  // The handle ends with the key that the session was opened or resumed with.
  const identity: Identity = { principal: agent, session: id, grant, key: handle.identity?.key }
  const repo = new Repository({ shared, journal, branch, who, identity, proposes })
  const mayAct = await journal.run(isEntitled(handle, record))
  const assertMayAct = (): void => {
    if (!mayAct) throw accessFault('session-foreign', { session: id, agent })
  }
  const session: Session = {
    ...sessionInfo(record),
    get repo() {
      assertMayAct()
      return repo
    },
    async delegate(spec) {
      checkOptions(sessionOptions('delegate'), spec)
      assertMayAct()
      return openSession(repo, { ...spec, branch: spec.branch ?? branch })
    },
    reports: () => listingOf(handle, () => reportsTo(handle, id), reportOrder),
    async end(resolution) {
      checkOptions(endOptions, resolution)
      const ender = mayAct ? repo.handle : { ...handle, once: undefined }
      if (intent !== undefined) await journal.run(resolveIntent(ender, intent, resolution))
      await journal.run(endedSession({ ...ender, once }, id, resolution))
    },
    async [Symbol.asyncDispose]() {
      await disposed(handle, repo.handle, record)
    },
  }
  return session
}

const over: readonly string[] = ['session-ended', 'principal-frozen', 'key-ended']

/** Ends an open session, its child sessions first. */
async function disposed(handle: Handle, own: Handle, { id }: SessionRecord): Promise<void> {
  const { isClosed, isReadOnly } = handle.shared
  const state = await handle.journal.run(currentAccess(handle))
  const now = await handle.journal.run(findRecord<SessionRecord>(state, ['sessions', id]))
  if (state === undefined || now?.status !== 'open' || isClosed || isReadOnly) return
  for (const child of await handle.journal.run(openChildren(state, id))) {
    await using _ = await resumeSession(new Repository(own), child)
  }
  const resolution: Resolution = { outcome: 'deferred', summary: 'It was left without a resolution' }
  try {
    await handle.journal.run(endedSession(own, id, resolution))
  } catch (error) {
    // Another call ended it first, or this handle may no longer end it.
    if (!isStateError(error) || !over.includes(error.code)) throw error
  }
}

/** Whether a handle may act as the agent: the agent itself, the operator, and the creator of an agent without a key. */
function* isEntitled(handle: Handle, { agent, by }: SessionRecord): Work<boolean> {
  const principal = principalOf(handle.identity)
  if (principal === operator || principal === agent) return true
  const state = yield* currentAccess(handle)
  const record = yield* findRecord<PrincipalRecord>(state, ['principals', agent])
  if (record?.by !== principal || by !== principal) return false
  return !(yield* recordsIn<KeyRecord>(state, ['keys'])).some(([, key]) => key.principal === agent)
}

/** By when they were made. */
export const reportOrder: KeyOrder<Report> = { key: ({ time, session }) => `${time} ${session}` }

export function* reportsTo(handle: Handle, to: string): Work<readonly Report[]> {
  const reports = yield* recordsIn<Report>(yield* currentAccess(handle), ['reports', to])
  return reports.map(([, report]) => report)
}

export function* listSessions(handle: Handle, filter: SessionFilter): Work<readonly SessionInfo[]> {
  const all = yield* recordsIn<SessionRecord>(yield* currentAccess(handle), ['sessions'])
  const principal = principalOf(handle.identity)
  return all
    .map(([, session]) => session)
    .filter(({ agent, by }) => principal === operator || principal === agent || principal === by)
    .filter(({ agent }) => filter.agent === undefined || agent === filter.agent)
    .filter(({ status }) => filter.status === undefined || status === filter.status)
    .map(sessionInfo)
}
