/** Explaining access decisions, listing refusals, and freezing principals or branches. */
import { access, accessFault, capabilities, type FreezeTarget } from 'agentstategraph/access'
import { z } from 'zod'
import { explanationSchema, principalField, reasonField, wireExplanation } from '../../wire/access.ts'
import { idField, momentField, namespaceField, pathField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { type Operation, operation } from '../operation.ts'

const explain = operation({
  name: 'explain',
  group: 'access',
  summary: 'Explain why a principal may or may not do something',
  guidance:
    'Returns every grant, rule, taint and freeze that applies, each with its decision. Use it after access-denied to see what ' +
    'is missing. Without admin you can only ask about yourself.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    principal: principalField,
    capability: z.enum(capabilities).describe('The capability to check'),
    branch: idField.optional().describe('The branch'),
    path: pathField.optional().describe('The path'),
    namespace: namespaceField,
  }),
  output: explanationSchema,
  route: 'GET /api/access/explain',
  command: 'explain <principal> <capability>',
  tools: 'all',
  examples: [
    {
      title: 'may the writer change the network?',
      input: { principal: 'agent/writer', capability: 'commit', branch: 'main', path: '/network/dns' },
    },
  ],
  async run({ repo }, { principal, capability, branch, path, namespace }) {
    return wireExplanation(await access(await repo(namespace)).explain(principal, { capability, branch, path }))
  },
})

const listRefusals = operation({
  name: 'list_refusals',
  group: 'access',
  summary: 'List refused calls by principal, rule and minute',
  guidance:
    'Returns counts by minute, newest first, never the refused content. With admin you see all of them, otherwise your own.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    principal: principalField.optional().describe('Only refusals of this principal'),
    since: momentField.optional().describe('Only since this moment'),
    ...pageFields(100),
    namespace: namespaceField,
  }),
  output: pageOf(
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
  tools: 'all',
  examples: [{ title: 'who is refused often?', input: { since: '2026-01-01T00:00:00Z' } }],
  async run({ repo }, { principal, since, namespace, ...page }) {
    const filter = { principal, since: since === undefined ? undefined : new Date(since) }
    return wirePage(access(await repo(namespace)).refusals(filter), page, count => ({ ...count }))
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

const freezeInput = z.strictObject({ ...targetFields, reason: reasonField, namespace: namespaceField })

type FreezeWords = Pick<Operation<typeof freezeInput>, 'summary' | 'guidance' | 'examples'>

function freezing(name: 'freeze' | 'thaw', words: FreezeWords): Operation {
  return operation({
    ...words,
    name,
    group: 'access',
    capability: 'admin',
    effect: 'write',
    idempotent: false,
    input: freezeInput,
    output: z.strictObject({ ...targetFields, frozen: z.boolean() }),
    route: `POST /api/access/${name}`,
    command: name,
    tools: 'all',
    async run({ repo }, { reason, namespace, ...target }) {
      await access(await repo(namespace))[name](targetFrom(target), reason)
      return { ...target, frozen: name === 'freeze' }
    },
  })
}

const freeze = freezing('freeze', {
  summary: 'Stop a principal or a branch at once',
  guidance:
    'The quick way to stop harm. A frozen principal can do nothing, and neither can the principals that it delegated to; a ' +
    'frozen branch takes no change. Nothing is lost; thaw ends it. Give principal or branch, and the reason.',
  examples: [{ title: 'an agent that went wild', input: { principal: 'agent/writer', reason: 'It deletes users' } }],
})

const thaw = freezing('thaw', {
  summary: 'Let a frozen principal or branch go on',
  guidance: 'Ends a freeze. Grants, rules and taints hold as they did before.',
  examples: [{ title: 'all is well again', input: { branch: 'feature/net', reason: 'The cause is found' } }],
})

export const accessOperations: readonly Operation[] = [explain, listRefusals, freeze, thaw]
