/**
 * Sessions: delegated work that spans calls.
 *
 * A session is its id. Every write takes one as `session`; whose id it is, is found out from the key, and an id is of no use to
 * anybody whom the session does not concern. One that is opened in another hands its work on.
 */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import { limitsFrom, placePatterns, principalField } from '../../wire/access.ts'
import { idField, namespaceField } from '../../wire/fields.ts'
import { resolutionFields } from '../../wire/observation.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { reportSchema, sessionSchema, wireReport, wireSession } from '../../wire/session.ts'
import { type Operation, operation } from '../operation.ts'
import { capabilitiesField, termFields } from './grants.ts'

const ownSession = idField.describe('The id of the session')

const sessions = operation({
  name: 'sessions',
  group: 'sessions',
  summary: 'List the sessions that you opened or work in',
  guidance:
    'Give an id as session in any write to act in it, and its branch as ref. Look for work that was handed to you.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    agent: principalField.optional().describe('Only sessions of this agent'),
    status: z.enum(['open', 'ended']).optional().describe('Only these'),
    ...pageFields(100),
    namespace: namespaceField,
  }),
  output: pageOf(sessionSchema),
  route: 'GET /api/sessions',
  command: 'session list',
  tools: 'standard',
  examples: [{ title: 'what is under way?', input: { status: 'open' } }],
  async run({ repo }, { agent, status, namespace, ...page }) {
    return wirePage(access(await repo(namespace)).sessions({ agent, status }), page, wireSession)
  },
})

const getSession = operation({
  name: 'get_session',
  group: 'sessions',
  summary: 'Show one session',
  guidance: 'Its agent, branch and intent, and whether it is still open. list_grants shows what it may do.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ session: ownSession, namespace: namespaceField }),
  output: sessionSchema,
  route: 'GET /api/sessions/{session}',
  command: 'session show <session>',
  tools: 'all',
  examples: [{ title: 'is it still open?', input: { session: 'session-1' } }],
  async run({ repo }, { session, namespace }) {
    return wireSession(await access(await repo(namespace)).session(session))
  },
})

const createSession = operation({
  name: 'create_session',
  group: 'sessions',
  summary: 'Delegate work to an agent, within limits',
  guidance:
    'Opens a session in which agent may do what you name, never more than you may. Writes with its id as session are made ' +
    'in its name; give session here too to hand on a part of that work. A branch that is not there is made. End it with ' +
    'end_session.',
  capability: 'grant',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    agent: principalField.describe('Who works in it'),
    branch: idField.optional().describe('Where; your own branch when left out'),
    intent: z.string().min(1).max(256).optional().describe('The id of the intent that it works on'),
    report_to: principalField.optional().describe('Who else is told when it ends'),
    paths: placePatterns.optional(),
    capabilities: capabilitiesField.optional().describe('What it may do; what work takes and you have, when left out'),
    ...termFields,
    namespace: namespaceField,
  }),
  output: sessionSchema,
  route: 'POST /api/sessions',
  command: 'session create <agent>',
  tools: 'all',
  examples: [
    {
      title: 'let an agent look after the storage',
      input: {
        agent: 'agent/storage',
        branch: 'storage/work',
        intent: 'intent-storage',
        paths: ['/storage'],
      },
    },
  ],
  async run({ repo }, input) {
    const { agent, branch, intent, report_to, paths, namespace, ...terms } = input
    const { capabilities, branches, expires, depth, ...limits } = terms
    const scope = { capabilities, branches, expires, depth, paths, limits: limitsFrom(limits) }
    const spec = { agent, branch, intent, reportTo: report_to, scope }
    return wireSession(await access(await repo(namespace)).openSession(spec))
  },
})

const endSession = operation({
  name: 'end_session',
  group: 'sessions',
  summary: 'End a session and report what came of it',
  guidance:
    'Say how it ended in a sentence: whoever opened the session is told, its rights end, and its intent moves on. Sessions ' +
    'that were opened from it have to end first.',
  capability: 'none',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({ session: ownSession, ...resolutionFields, namespace: namespaceField }),
  output: z.strictObject({ session: z.string(), status: z.literal('ended'), outcome: z.string() }),
  route: 'POST /api/sessions/{session}/end',
  command: 'session end <session>',
  tools: 'all',
  examples: [
    {
      title: 'done',
      input: { session: 'session-1', outcome: 'fulfilled', summary: 'The storage is on the new disks' },
    },
  ],
  async run({ repo }, { session, namespace, ...resolution }) {
    const resumed = await access(await repo(namespace)).resumeSession(session)
    await resumed.end(resolution)
    return { session, status: 'ended' as const, outcome: resolution.outcome }
  },
})

const sessionReports = operation({
  name: 'session_reports',
  group: 'sessions',
  summary: 'Show what sessions reported when they ended',
  guidance:
    'What was reported to you; with session, what sessions opened from that one reported; with to, what another was told.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    session: ownSession.optional().describe('Only what was reported to this session'),
    to: principalField.optional().describe('What was reported to this principal, for those who hold admin'),
    ...pageFields(100),
    namespace: namespaceField,
  }),
  output: pageOf(reportSchema),
  route: 'GET /api/session-reports',
  command: 'session reports [session]',
  tools: 'all',
  examples: [{ title: 'what came of it?', input: {} }],
  async run({ repo }, { session, to, namespace, ...page }) {
    const control = access(await repo(namespace))
    const reports = session === undefined ? control.reports({ to }) : (await control.resumeSession(session)).reports()
    return wirePage(reports, page, wireReport)
  },
})

export const sessionOperations: readonly Operation[] = [sessions, getSession, createSession, endSession, sessionReports]
