/** The API of sessions: opening, resuming, listing, reports. */

import { checkOptions, copyGiven, optionsOf } from '../../core/index.ts'
import { assertMay, currentAccess, type Handle, operator, principalOf } from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import type { Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import { byId, listingOf, run } from '../run.ts'
import {
  listSessions,
  openSession,
  type Report,
  reportOrder,
  reportsTo,
  resumeSession,
  type Session,
  type SessionFilter,
  type SessionInfo,
  sessionInfo,
} from './session.ts'
import { getSession, type SessionSpec, sessionOptions } from './session-decisions.ts'

/** Delegated work: opening, resuming and listing sessions, and their reports. */
export interface Sessions {
  openSession(session: SessionSpec): Promise<Session>
  /** Resumes an open session, in any process; for its agent and its opener. */
  resumeSession(id: string): Promise<Session>
  /** A session, open or ended, for the same. For others it does not exist. */
  session(id: string): Promise<SessionInfo>
  /** By id. */
  sessions(filter?: SessionFilter): Listing<SessionInfo>
  /** The reports of ended sessions to a principal: the own one unless given. */
  reports(filter?: ReportFilter): Listing<Report>
}

/** Options of `reports`. */
export interface ReportFilter {
  to?: string | undefined
}

const sessionsOptions = optionsOf<SessionFilter>('sessions', { agent: true, status: true })
const reportsOptions = optionsOf<ReportFilter>('reports', { to: true })

export function sessionsOf(repo: Pick<Repository, 'handle'>): Sessions {
  const { handle } = repo
  return {
    async openSession(session) {
      checkOptions(sessionOptions('openSession'), session)
      return openSession(repo, copyGiven(session))
    },
    resumeSession: id => resumeSession(repo, id),
    session: async id => sessionInfo(await run(handle, undefined, getSession(handle, id))),
    sessions: (filter = {}) => listingOf(handle, () => listSessions(handle, filter), byId, sessionsOptions, filter),
    reports: (filter = {}) =>
      listingOf(handle, () => reportsFor(handle, filter.to), reportOrder, reportsOptions, filter),
  }
}

function* reportsFor(handle: Handle, to: string | undefined): Work<readonly Report[]> {
  const principal = principalOf(handle.identity)
  if (to !== undefined && to !== principal && principal !== operator) {
    yield* assertMay(handle, yield* currentAccess(handle), { capability: 'admin' })
  }
  return yield* reportsTo(handle, to ?? principal)
}
