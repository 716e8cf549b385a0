/** Blame as the wire carries it: the commit that wrote a path and, on request, what surrounds that commit. */
import type { Blame, BlameChain } from 'agentstategraph'
import { z } from 'zod'
import { changeSchema, wireChanges } from './change.ts'
import { commitFields, commitSchema, delegationFields, wireCommit } from './commit.ts'
import { jsonValue } from './json-value.ts'
import { observedSchema, wireObserved } from './observation.ts'
import { type Pace, pacedMap, pacedValue } from './pace/paced-value.ts'
import type { Wire } from './wired.ts'

const blameFields = {
  ...commitFields,
  path: z.string(),
  value: jsonValue.optional().describe('The value that it wrote; absent when it deleted the path'),
  deleted: z.literal(true).optional().describe('In a history: the commit deleted the path'),
  trimmed: z
    .literal(true)
    .optional()
    .describe('In a history: retention dropped states before it, and older writes may be missing'),
  draft: z
    .strictObject({ label: z.string(), node: z.string().optional(), attempt: z.number().int().optional() })
    .optional()
    .describe('The inner write, when a speculation, a graph step or a cherry-pick landed it'),
  ...delegationFields,
}

export const blameSchema = z.strictObject(blameFields).meta({ id: 'Blame' })

export const chainedBlameSchema = z
  .strictObject({
    ...blameFields,
    chain: z
      .strictObject({
        considered: z
          .array(
            z.strictObject({
              label: z.string(),
              why_not: z.string().optional(),
              changes: z.array(changeSchema),
              trimmed: z
                .literal(true)
                .optional()
                .describe('Retention dropped the states that the changes are read from'),
            }),
          )
          .describe('Alternatives that were not chosen, with what they would have changed'),
        observed: z.array(observedSchema).describe('Observations of the outcome, oldest first'),
        intents: z
          .array(z.strictObject({ id: z.string(), description: z.string() }))
          .describe('The parent intents, the nearest first'),
        next: z.array(commitSchema).describe('Later commits that touched the same path or belong to the same intent'),
      })
      .optional()
      .describe('What surrounds the commit; present with chain'),
  })
  .meta({ id: 'ChainedBlame' })

export async function wireBlame(blame: Blame, pace: Pace): Promise<Wire<typeof blameSchema>> {
  // The wire uses `chain` for the surroundings of the commit, so the chain of grants is `delegation`.
  const { path, value, deleted, trimmed, draft, chain, ...commit } = blame
  await pace?.()
  return {
    ...wireCommit(commit),
    path,
    ...(deleted === undefined ? { value: await pacedValue(value, pace) } : { deleted }),
    ...(trimmed === undefined ? {} : { trimmed }),
    ...(draft === undefined ? {} : { draft }),
    ...(chain === undefined ? {} : { delegation: chain }),
  }
}

export type WireBlameChain = Wire<typeof chainedBlameSchema>

export async function wireBlameChain(chained: BlameChain, pace: Pace): Promise<WireBlameChain> {
  const { considered, observed, intents, next, ...blame } = chained
  return {
    ...(await wireBlame(blame, pace)),
    chain: {
      considered: await pacedMap(
        considered,
        async ({ label, whyNot, changes, trimmed }) => ({
          label,
          why_not: whyNot,
          changes: await wireChanges(changes, pace),
          ...(trimmed === undefined ? {} : { trimmed }),
        }),
        pace,
      ),
      observed: observed.map(wireObserved),
      intents,
      next: next.map(wireCommit),
    },
  }
}
