/** Intents, observations of outcomes, and how well stated confidence matched them. */
import type { Repository } from 'agentstategraph'
import { coreError, hexOfId } from 'agentstategraph/internal'
import { z } from 'zod'
import { anyRefField, commitField, idField } from '../../wire/fields.ts'
import { hashText } from '../../wire/hash-text.ts'
import { intentSchema, wireIntent } from '../../wire/intent.ts'
import { observationFields, observationFrom, resolutionFields } from '../../wire/observation.ts'
import { pageFields } from '../../wire/page.ts'
import { given } from '../../wire/wired.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'

const intentTree = operation({
  name: 'intent_tree',
  summary: 'Show intents as a tree, with their commits and outcomes',
  guidance:
    'Returns each intent with its commits, its resolutions and its child intents. Give intent to start at one of them. A page ' +
    'has the tree of limit commits, so an intent comes on each page that has commits of it; for the next page pass ' +
    'next_cursor as cursor. Set intent_parent in writes to build the tree.',
  ...reading,
  input: () => ({
    ref: anyRefField,
    intent: z.string().optional().describe('The id of the intent to start at'),
    commit: commitField.optional().describe('Or a commit of that intent'),
    ...pageFields(100),
  }),
  output: () =>
    z.strictObject({
      intents: z.array(intentSchema),
      next_cursor: z.string().optional().describe('Pass it as cursor for the next page; absent on the last one'),
    }),
  route: 'GET /api/intents/{ref}',
  command: 'intent tree [intent]',
  tools: 'standard',
  examples: [{ title: 'everything that was wanted', input: {} }],
  async run(repo, { ref, intent, commit, limit, cursor }) {
    const from = ref === '*' ? undefined : ref
    const page = await repo.intentTree({ intent: await rootOf(repo, intent, commit), from, limit, after: cursor })
    return { intents: page.intents.map(wireIntent), ...given({ next_cursor: page.next }) }
  },
})

/** The intent to start at, by its id or by a commit of it, but not both. */
async function rootOf(
  repo: Repository,
  intent: string | undefined,
  commit: string | undefined,
): Promise<string | undefined> {
  if (commit === undefined) return intent
  if (intent === undefined) return (await repo.at(commit).head()).intent.id
  throw coreError('option-invalid', { field: 'commit', reason: 'it is given together with intent' })
}

const resolveIntent = operation({
  name: 'resolve_intent',
  summary: 'Record how an intent ended',
  guidance:
    'Call it when an intent is reached, or will not be: state the outcome in a sentence and name where the result deviates ' +
    'from the intent. query with deviated finds such commits later.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    id: idField.describe('The id of the intent'),
    ...resolutionFields,
  }),
  output: () => z.strictObject({ id: z.string(), outcome: z.string() }),
  route: 'POST /api/intents/{id}/resolve',
  command: 'intent resolve <id>',
  examples: [
    {
      title: 'reached, with a detour',
      input: {
        id: 'intent-001',
        outcome: 'fulfilled',
        summary: 'The cluster scales by itself',
        deviations: [{ description: 'Used HPA in place of a cron job', impact: 'low' }],
      },
    },
  ],
  async run(repo, { id, ...resolution }) {
    await repo.resolveIntent(id, resolution)
    return { id, outcome: resolution.outcome }
  },
  again: (_repo, { id, outcome }) => ({ id, outcome }),
})

const observe = operation({
  name: 'observe',
  summary: 'Record whether the expectation of a commit came true',
  guidance:
    'Call it when you know how an earlier change turned out: held is true or false, and note says what was seen. The ' +
    'observation is stored beside the commit, and shown by blame with chain.',
  capability: 'commit',
  effect: 'write',
  input: () => ({ commit: commitField, ...observationFields }),
  output: () => z.strictObject({ commit: hashText, held: z.boolean() }),
  route: 'POST /api/observations',
  command: 'observe <commit>',
  tools: 'standard',
  examples: [
    {
      title: 'it came true',
      input: { commit: 'main', held: true, observed: [{ path: '/latency_ms', value: 41 }] },
    },
  ],
  async run(repo, { commit, ...observation }) {
    const { id } = await repo.at(commit).head()
    await repo.observe({ id }, observationFrom(observation))
    return { commit: id, held: observation.held }
  },
  again: (_repo, { held }, { body }) => ({ commit: hexOfId((body as { commit: string }).commit), held }),
})

const calibration = operation({
  name: 'calibration',
  summary: 'Show how well stated confidence matched the outcomes',
  guidance:
    'Covers commits that have a confidence and an observation. Returns a Brier score (0 is perfect) and, for ten bands of ' +
    'confidence, how many expectations held. Use it to learn whether your 0.9 means 0.9.',
  ...reading,
  input: () => ({
    agent: z.string().optional().describe('Only commits of this agent'),
    category: z.string().optional().describe('Only commits of this category'),
  }),
  output: () =>
    z.strictObject({
      count: z.number().int(),
      brier: z.number(),
      bands: z.array(
        z.strictObject({ min: z.number(), max: z.number(), count: z.number().int(), held: z.number().int() }),
      ),
    }),
  route: 'GET /api/calibration',
  command: 'calibration',
  examples: [{ title: 'how right is the scaler?', input: { agent: 'agent/scaler' } }],
  run: (repo, filter) => repo.calibration(filter),
})

export const intentOperations: readonly Operation[] = inGroup('history', [
  intentTree,
  resolveIntent,
  observe,
  calibration,
])
