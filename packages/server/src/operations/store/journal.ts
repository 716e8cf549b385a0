/** The journal as a whole: watched as it grows, laid out as a commit graph, and counted by day. */
import type { JournalEvent } from 'agentstategraph'
import { activity } from 'agentstategraph/maintenance'
import { z } from 'zod'
import { anyRefField, momentField } from '../../wire/fields.ts'
import { pathFilterFields } from '../../wire/filter.ts'
import { hashText } from '../../wire/hash-text.ts'
import { journalEventSchema, type WireEvent, wireEvent } from '../../wire/journal-event.ts'
import type { Pace } from '../../wire/pace/paced-value.ts'
import type { Wire } from '../../wire/wired.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'

async function* wired(events: AsyncIterable<JournalEvent>, pace: Pace): AsyncGenerator<WireEvent> {
  for await (const event of events) if (event.kind !== 'undo') yield wireEvent(event, pace)
}

const watch = operation({
  name: 'watch',
  summary: 'Follow changes on all branches',
  guidance:
    'Streams commits with their changes, moves of branches and tags, observations and epochs. Give after (the cursor of the ' +
    'last event seen) to continue without a gap; without it the stream starts now. Filters narrow it to commits.',
  ...reading,
  input: () => ({
    ...pathFilterFields,
    branch: z.string().optional().describe('A glob over branch names'),
    category: z.string().optional().describe('Only commits of this category'),
    after: z.coerce
      .string()
      .regex(/^\d{1,15}(?:\.\d{1,15})?$/)
      .optional()
      .describe('The cursor of the last event seen; the seq of an entry for all of it'),
  }),
  output: () => journalEventSchema,
  route: 'GET /api/watch',
  command: 'watch [path]',
  tools: 'standard',
  stream: 'events',
  examples: [{ title: 'changes of a cluster, from the beginning', input: { path: '/cluster', after: '0' } }],
  run: async (repo, { path, exact, branch, category, after }, { signal, pace }) =>
    wired(repo.watch({ path, exact, branch, category, after, signal }), pace),
})

const graphCommitSchema = z
  .strictObject({
    id: hashText,
    seq: z.number().int(),
    parents: z.array(hashText),
    lane: z.number().int().describe('The lane it is drawn in'),
    parent_lanes: z.array(z.number().int()).describe('The lanes that lead to its parents'),
    refs: z.array(z.strictObject({ kind: z.enum(['branch', 'tag']), name: z.string() })),
    agent: z.string(),
    category: z.string(),
    description: z.string(),
    timestamp: z.string(),
  })
  .meta({ id: 'GraphCommit' })

export type WireGraphCommit = Wire<typeof graphCommitSchema>

const commitGraph = operation({
  name: 'commit_graph',
  summary: 'Show the graph of commits, laid out for drawing',
  guidance:
    'Returns the newest commits of all branches and tags, or of one ref, with the lanes of a drawing. To read commits use log.',
  ...reading,
  input: () => ({
    ref: anyRefField,
    limit: z.number().int().min(1).max(10_000).default(50).describe('How many commits at most'),
  }),
  output: () =>
    z.strictObject({
      commits: z.array(graphCommitSchema).describe('Newest first'),
      lanes: z.number().int().describe('How many lanes there are'),
    }),
  route: 'GET /api/commit-graph/{ref}',
  command: 'commit-graph [ref]',
  tools: 'standard',
  examples: [{ title: 'the last ten commits', input: { limit: 10 } }],
  async run(repo, { ref, limit }) {
    const from = ref === '*' ? undefined : ref
    const { commits, lanes } = await repo.commitGraph({ limit, from })
    return {
      lanes,
      commits: commits.map(({ parentLanes, ...commit }) => ({
        ...commit,
        parent_lanes: parentLanes,
      })),
    }
  },
})

const counts = z.record(z.string(), z.number().int())

const countActivity = operation({
  name: 'activity',
  summary: 'Count commits by day or week, agent and category',
  guidance: 'Returns counts by period, newest first, without reading commits. query finds the commits themselves.',
  ...reading,
  input: () => ({
    by: z.enum(['day', 'week']).default('day').describe('How long a period is'),
    until: momentField.optional().describe('Not after this moment, ISO 8601'),
    limit: z.number().int().min(1).max(1000).default(30).describe('How many periods at most'),
  }),
  output: () =>
    z.strictObject({
      periods: z.array(
        z.strictObject({ start: z.string(), commits: z.number().int(), by_agent: counts, by_category: counts }),
      ),
    }),
  route: 'GET /api/activity',
  command: 'activity',
  examples: [{ title: 'the last weeks', input: { by: 'week', limit: 4 } }],
  async run(repo, { by, until, limit }) {
    const options = { by, limit, until: until === undefined ? undefined : new Date(until) }
    const periods = await activity(repo, options)
    return {
      periods: periods.map(({ start, commits, byAgent, byCategory }) => ({
        start,
        commits,
        by_agent: byAgent,
        by_category: byCategory,
      })),
    }
  },
})

export const journalOperations: readonly Operation[] = inGroup('history', [watch, commitGraph, countActivity])
