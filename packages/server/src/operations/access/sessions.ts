/**
 * Sessions: delegated work that spans calls.
 *
 * A session is named by its id, which every write takes as `session`. The key of the call decides whether the caller may use it:
 * an id is no secret. A session that is opened from another one delegates a part of that session's work.
 */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import { limitsFrom, pathPatterns, principalField } from '../../wire/access.ts'
import { idField } from '../../wire/fields.ts'
import { resolutionFields } from '../../wire/observation.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { reportSchema, sessionSchema, wireReport, wireSession } from '../../wire/session.ts'
import { inGroup, type Operation, operation } from '../operation.ts'
import { capabilitiesField, termFields } from './grants.ts'

const sessionId = idField.describe('The id of the session')

const sessions = operation({
  name: 'sessions',
  summary: 'List the sessions that you opened or work in',
  guidance:
    'Finds work that was delegated to you. To act in a session, pass its id as session and its branch as ref in a write.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    agent: principalField.optional().describe('Only sessions of this agent'),
    status: z.enum(['open', 'ended']).optional().describe('Only these'),
    ...pageFields(100),
  }),
  output: () => pageOf(sessionSchema),
  route: 'GET /api/sessions',
  command: 'session list',
  tools: 'standard',
  examples: [{ title: 'what is under way?', input: { status: 'open' } }],
  run: async (repo, { agent, status, ...page }) =>
    wirePage(access(repo).sessions({ agent, status }), page, wireSession),
})

const getSession = operation({
  name: 'get_session',
  summary: 'Show one session',
  guidance: 'Returns its agent, branch, intent and status. list_grants shows what it may do.',
  capability: 'none',
  effect: 'read',
  input: () => ({ session: sessionId }),
  output: () => sessionSchema,
  route: 'GET /api/sessions/{session}',
  command: 'session show <session>',
  examples: [{ title: 'is it still open?', input: { session: 'session-1' } }],
  run: async (repo, { session }) => wireSession(await access(repo).session(session)),
})

const createSession = operation({
  name: 'create_session',
  summary: 'Delegate work to an agent, within limits',
  guidance:
    'Opens a session in which the agent has the rights that you name, never more than your own. Writes that pass its id as ' +
    'session act in it; pass session here to delegate a part of that work further. A missing branch is created. End it with ' +
    'end_session.',
  capability: 'grant',
  effect: 'write',
  input: () => ({
    agent: principalField.describe('The agent that works in it; a new one is named below you, as agent/you/helper'),
    branch: idField.optional().describe('The branch that it works on; your own when left out'),
    intent: z.string().min(1).max(256).optional().describe('The id of the intent that it works on'),
    report_to: principalField.optional().describe('Another principal that gets the report'),
    paths: pathPatterns.optional(),
    capabilities: capabilitiesField
      .optional()
      .describe('Its capabilities; when left out, those for work that you hold'),
    ...termFields,
  }),
  output: () => sessionSchema,
  route: 'POST /api/sessions',
  command: 'session create <agent>',
  examples: [
    {
      title: 'delegate the storage to an agent',
      input: {
        agent: 'agent/storage',
        branch: 'storage/work',
        intent: 'intent-storage',
        paths: ['/storage'],
      },
    },
  ],
  async run(repo, input) {
    const { agent, branch, intent, report_to, paths, ...terms } = input
    const { capabilities, branches, expires, depth, ...limits } = terms
    const scope = { capabilities, branches, expires, depth, paths, limits: limitsFrom(limits) }
    const spec = { agent, branch, intent, reportTo: report_to, scope }
    return wireSession(await access(repo).openSession(spec))
  },
  again: async (repo, _input, { id }) => wireSession(await access(repo).session(id)),
})

const endSession = operation({
  name: 'end_session',
  summary: 'End a session and report what came of it',
  guidance:
    'Report the outcome in a sentence. The principal that opened the session gets the report, the rights of the session end, ' +
    'and its intent changes status. Sessions that were opened from it have to end first.',
  capability: 'none',
  effect: 'write',
  input: () => ({ session: sessionId, ...resolutionFields }),
  output: () => z.strictObject({ session: z.string(), status: z.literal('ended'), outcome: z.string() }),
  route: 'POST /api/sessions/{session}/end',
  command: 'session end <session>',
  examples: [
    {
      title: 'done',
      input: { session: 'session-1', outcome: 'fulfilled', summary: 'The storage is on the new disks' },
    },
  ],
  async run(repo, { session, ...resolution }) {
    const resumed = await access(repo).resumeSession(session)
    await resumed.end(resolution)
    return { session, status: 'ended' as const, outcome: resolution.outcome }
  },
  again: (_repo, { session, outcome }) => ({ session, status: 'ended' as const, outcome }),
})

const sessionReports = operation({
  name: 'session_reports',
  summary: 'Show what sessions reported when they ended',
  guidance:
    'Returns reports to you; with session, those of sessions opened from it; with to, those to another principal.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    session: sessionId.optional().describe('Only reports to this session'),
    to: principalField.optional().describe('Reports to this principal; needs admin'),
    ...pageFields(100),
  }),
  output: () => pageOf(reportSchema),
  route: 'GET /api/session-reports',
  command: 'session reports [session]',
  examples: [{ title: 'what came of it?', input: {} }],
  async run(repo, { session, to, ...page }) {
    const control = access(repo)
    const reports = session === undefined ? control.reports({ to }) : (await control.resumeSession(session)).reports()
    return wirePage(reports, page, wireReport)
  },
})

export const sessionOperations: readonly Operation[] = inGroup('sessions', [
  sessions,
  getSession,
  createSession,
  endSession,
  sessionReports,
])
