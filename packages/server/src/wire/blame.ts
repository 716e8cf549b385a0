/** Blame as the wire carries it: a commit seen from one path, and with its chain what surrounds it. */
import type { Blame, BlameChain } from 'agentstategraph'
import { z } from 'zod'
import { changeSchema, wireChange } from './change.ts'
import { commitFields, commitSchema, wireCommit } from './commit.ts'
import { jsonValue, wireValue } from './json-value.ts'
import { observationSchema, wireObservation } from './observation.ts'

const blameFields = {
  ...commitFields,
  path: z.string(),
  value: jsonValue.optional().describe('What it wrote; absent when it deleted'),
  deleted: z.literal(true).optional().describe('In a history: that it took away what was there'),
  draft: z
    .strictObject({ label: z.string(), node: z.string().optional(), attempt: z.number().int().optional() })
    .optional()
    .describe('The inner write, when a speculation, a graph step or a cherry-pick landed it'),
  delegation: z
    .array(z.strictObject({ grant: z.string(), from: z.string(), to: z.string() }))
    .optional()
    .describe('Who handed on the right to do it, from whom to whom, root first'),
}

export const blameSchema = z.strictObject(blameFields).meta({ id: 'Blame' })

export const chainedBlameSchema = z
  .strictObject({
    ...blameFields,
    chain: z
      .strictObject({
        considered: z
          .array(z.strictObject({ label: z.string(), why_not: z.string().optional(), changes: z.array(changeSchema) }))
          .describe('What was considered and not done, with what it would have changed'),
        observed: z.array(observationSchema).describe('What came of it, oldest first'),
        intents: z
          .array(z.strictObject({ id: z.string(), description: z.string() }))
          .describe('The intents above this one, the nearest first'),
        next: z.array(commitSchema).describe('Commits after it that touched the same, or served its intent'),
      })
      .optional()
      .describe('What surrounds the commit; only when asked for'),
  })
  .meta({ id: 'ChainedBlame' })

export function wireBlame(blame: Blame): z.input<typeof blameSchema> {
  // On the wire a chain is what surrounds the commit.
  const { path, value, deleted, draft, chain, ...commit } = blame
  return {
    ...wireCommit(commit),
    path,
    ...(deleted === undefined ? { value: wireValue(value) } : { deleted }),
    ...(draft === undefined ? {} : { draft }),
    ...(chain === undefined ? {} : { delegation: chain.map(link => ({ ...link })) }),
  }
}

export function wireBlameChain(chained: BlameChain): z.input<typeof chainedBlameSchema> {
  const { considered, observed, intents, next, ...blame } = chained
  return {
    ...wireBlame(blame),
    chain: {
      considered: considered.map(({ label, whyNot, changes }) => ({
        label,
        why_not: whyNot,
        changes: changes.map(wireChange),
      })),
      observed: observed.map(wireObservation),
      intents: [...intents],
      next: next.map(wireCommit),
    },
  }
}
