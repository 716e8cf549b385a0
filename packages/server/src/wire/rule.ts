/** Access rules as the wire carries them. */
import type { Policy, PolicyRule } from 'agentstategraph/access'
import { z } from 'zod'
import { branchPatterns, endedSchema, pathPatterns } from './access.ts'
import { given, type Wire } from './wired.ts'

const names = z.array(z.string().min(1).max(256)).min(1).max(64)
const part = z.number().min(0).max(1)

const ruleEffects = ['allow', 'require-approval', 'deny'] as const
export const ruleStatuses = ['ratified', 'proposed', 'superseded'] as const

const selectorsSchema = z
  .strictObject({
    paths: pathPatterns.optional(),
    branches: branchPatterns.optional(),
    categories: names.optional().describe('Categories of the change'),
    agents: names.optional().describe('Patterns of agents, such as agent/*'),
    confidence: z
      .strictObject({ min: part.optional(), max: part.optional() })
      .optional()
      .describe('An inclusive range; a change without confidence counts as 0'),
    change: z
      .array(z.enum(['destructive', 'schema', 'type']))
      .min(1)
      .optional()
      .describe('destructive: something is removed; schema: /_meta changes; type: a value changes its kind'),
    max_changes: z.number().int().min(0).optional().describe('Matches when more paths change than this'),
  })
  .meta({ id: 'RuleSelectors' })

const ruleFields = {
  name: z.string().min(1).max(128).describe('Its name; the version that was ratified last is in force'),
  effect: z.enum(ruleEffects).describe('The effect on matching changes; the strictest of all rules wins'),
  when: selectorsSchema.describe('Which changes it covers: all given selectors have to match'),
  approvers: names
    .optional()
    .describe('Who may approve, with require-approval; every principal with approve when left out'),
}

export const ruleSchema = z.strictObject(ruleFields)

export function ruleFrom({ name, effect, when, approvers }: z.output<typeof ruleSchema>): PolicyRule {
  const { max_changes, ...selectors } = when
  return { name, effect, when: { ...selectors, maxChanges: max_changes }, approvers }
}

export const policySchema = z
  .strictObject({
    id: z.string(),
    ...ruleFields,
    version: z.number().int().describe('Counts the versions of one name'),
    status: z.enum(ruleStatuses),
    by: z.string().describe('Who proposed it'),
    actors: z.array(z.string()).optional().describe('All principals behind the proposal, when there are others'),
    timestamp: z.string(),
    ratified: endedSchema.optional().meta({ description: 'Who put it in force, why and when' }),
  })
  .meta({ id: 'Policy' })

export function wirePolicy(policy: Policy): Wire<typeof policySchema> {
  const { maxChanges, ...selectors } = policy.when
  return given({ ...policy, when: given({ ...selectors, max_changes: maxChanges }) })
}
