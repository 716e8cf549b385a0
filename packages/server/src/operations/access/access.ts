/** Explaining access decisions, listing refusals, and freezing principals or branches. */
import { access, accessFault, capabilities, type FreezeTarget } from 'agentstategraph/access'
import { z } from 'zod'
import { explanationSchema, principalField, reasonField } from '../../wire/access.ts'
import { idField, momentField, pathField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { inGroup, type Operation, operation } from '../operation.ts'

const whoami = operation({
  name: 'whoami',
  summary: 'Show who you are, and what you may do',
  guidance:
    'Returns your principal, the agent of your commits, and the capabilities that your grants give you somewhere; explain tells ' +
    'whether they hold at a branch or path. mode is read-only or propose when this server lets nobody write directly.',
  capability: 'none',
  effect: 'read',
  input: () => ({}),
  output: () =>
    z.strictObject({
      principal: z.string(),
      agent: z.string(),
      mode: z.enum(['write', 'read-only', 'propose']),
      capabilities: z.array(z.string()),
    }),
  route: 'GET /api/whoami',
  command: 'whoami',
  examples: [{ title: 'with which rights do I call?', input: {} }],
  async run(repo, _input, { mode }) {
    const { identity, who } = repo.handle
    const { agent } = who
    if (identity === undefined) return { principal: 'operator', agent, mode, capabilities: [...capabilities] }
    const { principal } = identity
    const held = new Set<string>()
    for await (const { to, revoked, capabilities } of access(repo).grants({ principal })) {
      if (to === principal && revoked === undefined) for (const capability of capabilities) held.add(capability)
    }
    return { principal, agent, mode, capabilities: capabilities.filter(capability => held.has(capability)) }
  },
})

const explain = operation({
  name: 'explain',
  summary: 'Explain why a principal may or may not do something',
  guidance:
    'Returns every grant, rule, taint and freeze that applies, each with its decision. Use it after access-denied to see what ' +
    'is missing. Without admin you can only ask about yourself.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    principal: principalField,
    capability: z.enum(capabilities).describe('The capability to check'),
    branch: idField.optional().describe('The branch'),
    path: pathField.optional().describe('The path'),
  }),
  output: () => explanationSchema,
  route: 'GET /api/access/explain',
  command: 'explain <principal> <capability>',
  examples: [
    {
      title: 'may the writer change the network?',
      input: { principal: 'agent/writer', capability: 'commit', branch: 'main', path: '/network/dns' },
    },
  ],
  run: (repo, { principal, ...request }) => access(repo).explain(principal, request),
})

const listRefusals = operation({
  name: 'list_refusals',
  summary: 'List refused calls by principal, rule and minute',
  guidance:
    'Returns counts by minute, newest first, never the refused content. With admin you see all of them, otherwise your own.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    principal: principalField.optional().describe('Only refusals of this principal'),
    since: momentField.optional().describe('Only since this moment'),
    ...pageFields(100),
  }),
  output: () =>
    pageOf(
      z
        .strictObject({
          principal: z.string(),
          rule: z.string().describe('The rule or taint that refused, or the code of the refusal'),
          minute: z.string().describe('When the minute began'),
          count: z.number().int(),
        })
        .meta({ id: 'Refusals' }),
    ),
  route: 'GET /api/access/refusals',
  command: 'refusal list [principal]',
  examples: [{ title: 'who is refused often?', input: { since: '2026-01-01T00:00:00Z' } }],
  async run(repo, { principal, since, ...page }) {
    const filter = { principal, since: since === undefined ? undefined : new Date(since) }
    return wirePage(access(repo).refusals(filter), page)
  },
})

/** Exactly one of the two is given. */
const targetFields = {
  principal: principalField.optional().describe('The principal'),
  branch: idField.optional().describe('Or the branch'),
}

type Target = z.output<z.ZodObject<typeof targetFields>>

function targetFrom({ principal, branch }: Target): FreezeTarget {
  if (principal !== undefined && branch === undefined) return { principal }
  if (branch !== undefined && principal === undefined) return { branch }
  throw accessFault('target-invalid', { reason: 'it is not exactly one principal or branch' })
}

const freezing = {
  capability: 'admin',
  effect: 'write',
  input: () => ({ ...targetFields, reason: reasonField }),
  output: () => z.strictObject({ ...targetFields, frozen: z.boolean() }),
} as const

const freeze = operation({
  ...freezing,
  name: 'freeze',
  summary: 'Stop a principal or a branch at once',
  guidance:
    'The quick way to stop harm. A frozen principal can do nothing, and neither can the principals that it delegated to; a ' +
    'frozen branch takes no change. Nothing is lost; thaw ends it. Give principal or branch, and the reason.',
  route: 'POST /api/access/freeze',
  command: 'freeze [principal]',
  examples: [{ title: 'an agent that went wild', input: { principal: 'agent/writer', reason: 'It deletes users' } }],
  async run(repo, { reason, ...target }) {
    await access(repo).freeze(targetFrom(target), reason)
    return { ...target, frozen: true }
  },
  again: (_repo, { reason: _, ...target }) => ({ ...target, frozen: true }),
})

const thaw = operation({
  ...freezing,
  name: 'thaw',
  summary: 'Let a frozen principal or branch go on',
  guidance: 'Ends a freeze. Grants, rules and taints hold as they did before.',
  route: 'POST /api/access/thaw',
  command: 'thaw [principal]',
  examples: [{ title: 'all is well again', input: { branch: 'feature/net', reason: 'The cause is found' } }],
  async run(repo, { reason, ...target }) {
    await access(repo).thaw(targetFrom(target), reason)
    return { ...target, frozen: false }
  },
  again: (_repo, { reason: _, ...target }) => ({ ...target, frozen: false }),
})

export const accessOperations: readonly Operation[] = inGroup('access', [whoami, explain, listRefusals, freeze, thaw])
