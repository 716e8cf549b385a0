/** Access rules: proposed by one principal, ratified by another. */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import { reasonField } from '../../wire/access.ts'
import { idField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { policySchema, ruleFrom, ruleSchema, ruleStatuses, wirePolicy } from '../../wire/rule.ts'
import { inGroup, type Operation, operation } from '../operation.ts'

const propose = operation({
  name: 'policy_propose',
  summary: 'Propose a rule about changes',
  guidance:
    'A rule allows, denies, or requires approval for the changes that its selectors match. It takes effect when another ' +
    'principal ratifies it (policy_ratify), and replaces the rule of the same name.',
  capability: 'policy',
  effect: 'write',
  input: () => ({ ...ruleSchema.shape }),
  output: () => z.strictObject({ id: z.string().describe('What policy_ratify takes'), version: z.number().int() }),
  route: 'POST /api/access/policies',
  command: 'policy propose <name> <effect>',
  examples: [
    {
      title: 'unsure changes of the network need approval',
      input: {
        name: 'unsure-network',
        effect: 'require-approval',
        when: { paths: ['/network'], confidence: { max: 0.8 } },
      },
    },
  ],
  run: async (repo, rule) => access(repo).proposePolicy(ruleFrom(rule)),
  async again(repo, _rule, { id }) {
    return { id, version: (await access(repo).policies()).find(policy => policy.id === id)!.version }
  },
})

const ratify = operation({
  name: 'policy_ratify',
  summary: 'Ratify a rule that another principal proposed',
  guidance:
    'Read it with policy_list first. From then on it applies to every change, and replaces the rule of the same name.',
  capability: 'policy',
  effect: 'write',
  input: () => ({ id: idField.describe('The id of the rule'), reason: reasonField }),
  output: () => z.strictObject({ id: z.string(), status: z.literal('ratified') }),
  route: 'POST /api/access/policies/{id}/ratify',
  command: 'policy ratify <id>',
  examples: [{ title: 'agreed', input: { id: 'rule-1', reason: 'The team agreed' } }],
  async run(repo, { id, reason }) {
    await access(repo).ratifyPolicy(id, reason)
    return { id, status: 'ratified' as const }
  },
  again: (_repo, { id }) => ({ id, status: 'ratified' as const }),
})

const list = operation({
  name: 'policy_list',
  summary: 'List rules: ratified, proposed and superseded',
  guidance: 'Returns ratified rules first, then proposed ones, then superseded versions. A denial names its rule.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    status: z.enum(ruleStatuses).optional().describe('Only these'),
    ...pageFields(100),
  }),
  output: () => pageOf(policySchema),
  route: 'GET /api/access/policies',
  command: 'policy list',
  examples: [{ title: 'what holds now?', input: { status: 'ratified' } }],
  run: async (repo, { status, ...page }) => wirePage(access(repo).policies({ status }), page, wirePolicy),
})

export const ruleOperations: readonly Operation[] = inGroup('access', [propose, ratify, list])
