/** Commits as the wire carries them. */
import type { Commit, Written } from 'agentstategraph'
import { z } from 'zod'
import { hashText } from './hash-text.ts'
import { jsonValue, wireValue } from './json-value.ts'
import type { Wire } from './wired.ts'

export const commitFields = {
  id: hashText,
  seq: z.number().int().describe('Its sequence number in the journal'),
  parents: z.array(hashText),
  root: hashText.optional().describe('The id of the state, for those who may read all of it'),
  timestamp: z.string(),
  agent: z.string(),
  principal: z.string().optional(),
  authority: z.array(z.string()),
  session: z.string().optional(),
  intent: z.strictObject({
    id: z.string(),
    parent: z.string().optional(),
    category: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
  }),
  reasoning: z.string().optional(),
  confidence: z.number().optional(),
  alternatives: z.array(
    z.strictObject({ label: z.string(), why_not: z.string().optional(), root: hashText.optional() }),
  ),
  expects: z.array(jsonValue),
  tools: z.array(jsonValue),
  attached: jsonValue.optional().describe('Other facts stored with it, by name'),
  trace: z.string().optional(),
  schema: hashText.optional().describe('The id of the attached schemas'),
  warnings: z
    .array(z.strictObject({ path: z.string(), rule: z.string(), message: z.string(), pattern: z.string() }))
    .optional()
    .describe('Violations of schemas with enforcement warn'),
  approval: z
    .strictObject({ by: z.string(), reason: z.string(), proposal: z.string() })
    .optional()
    .describe('Who approved it and why, when it was a proposal'),
  answers: z
    .array(jsonValue)
    .optional()
    .describe('Of a step of a graph, for each question of its nodes: node, question, value, by and reason'),
}

export const delegationFields = {
  delegation: z
    .array(z.strictObject({ grant: z.string(), from: z.string(), to: z.string() }))
    .optional()
    .describe('The grants that it was made under, root first'),
}

export const commitSchema = z
  .strictObject({
    ...commitFields,
    changed: z.boolean().optional().describe('Whether this call made a new commit'),
    receipt: z.string().optional().describe('The signed head that ends with this commit'),
  })
  .meta({ id: 'Commit' })

export type WireCommit = Wire<typeof commitSchema>

export function wireCommit(commit: Commit | Written): WireCommit {
  const { alternatives, expects, tools, warnings, attached, answers, ...rest } = commit
  return {
    ...rest,
    alternatives: alternatives.map(({ label, whyNot, root }) => ({ label, why_not: whyNot, root })),
    expects: expects.map(wireValue),
    tools: tools.map(wireValue),
    ...(attached === undefined ? {} : { attached: wireValue(attached) }),
    ...(answers === undefined ? {} : { answers: answers.map(wireValue) }),
    ...(warnings === undefined
      ? {}
      : { warnings: warnings.map(({ path, rule, message, pattern }) => ({ path, rule, message, pattern })) }),
  }
}
