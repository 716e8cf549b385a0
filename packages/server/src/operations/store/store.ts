/** Maintenance of a store: counts, verification, garbage collection, export and import. */
import type { Repository } from 'agentstategraph'
import {
  compact,
  exportRepository,
  type GcOptions,
  gc,
  importRepository,
  pull,
  type RetentionStats,
  reindex,
  repair,
  setRetention,
  stats,
  verify,
} from 'agentstategraph/maintenance'
import { acceptHistory } from 'agentstategraph/trust'
import { z } from 'zod'
import { refField } from '../../wire/fields.ts'
import { hashText } from '../../wire/hash-text.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'
import { freshFields, orFresh } from '../state/fresh-state.ts'
import { linesOf } from './evidence.ts'

const counts = z.record(z.string(), z.number().int())

const keepFields = {
  newer_ms: z.number().int().min(0).optional().describe('Keep states that are younger than this many milliseconds'),
  count: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Keep the states of so many of the newest commits of each branch and thread; 1 unless given'),
  categories: z
    .array(z.string())
    .optional()
    .describe('Keep the states of commits of these categories; those of Checkpoint are always kept'),
}

const statsOfStore = operation({
  name: 'stats',
  summary: 'Count what a store holds',
  guidance:
    'Returns commits, branches and bytes of the namespace, commits by agent and by category, the head of the ref, and the rules ' +
    'of retention with what they have trimmed.',
  ...reading,
  input: () => ({ ref: refField }),
  output: () =>
    z.strictObject({
      ref: z.string(),
      head: hashText.optional().describe('The commit that the ref is at; absent where nothing is written yet'),
      commits: z.number().int(),
      branches: z.number().int(),
      stored_bytes: z.number().int(),
      by_agent: counts,
      by_category: counts,
      retention: z
        .strictObject({
          keep: z.strictObject(keepFields).optional(),
          trimmed_states: z.number().int().describe('How many commits have lost their states'),
          trimmed_bytes: z.number().int(),
        })
        .optional()
        .describe('Absent when there never were rules'),
      ...freshFields,
    }),
  route: 'GET /api/stats/{ref}',
  command: 'stats [ref]',
  tools: 'standard',
  examples: [{ title: 'how large is it?', input: {} }],
  async run(repo, { ref }) {
    const at = await orFresh<{ head?: string; hint?: string }>(headOf(repo, ref), { ref }, hint => ({ hint }))
    const { commits, branches, storedBytes, byAgent, byCategory, retention } = await stats(repo)
    return {
      ref,
      ...at,
      commits,
      branches,
      stored_bytes: storedBytes,
      by_agent: byAgent,
      by_category: byCategory,
      ...(retention === undefined ? {} : { retention: retentionOnWire(retention) }),
    }
  },
})

async function headOf(repo: Repository, ref: string): Promise<{ head: string }> {
  return { head: (await repo.at(ref).head()).id }
}

function retentionOnWire({ keep, trimmedStates, trimmedBytes }: RetentionStats) {
  const { newerMs, ...rest } = keep ?? {}
  const rules = { ...(newerMs === undefined ? {} : { newer_ms: newerMs }), ...rest }
  return {
    ...(keep === undefined ? {} : { keep: { ...rules, categories: rules.categories && [...rules.categories] } }),
    trimmed_states: trimmedStates,
    trimmed_bytes: trimmedBytes,
  }
}

const verifyStore = operation({
  name: 'verify',
  summary: 'Verify a whole store',
  guidance:
    'Reads every byte once: entries, commits, values, blame, refs, indexes and the Merkle log. Reports all damage. Give the ' +
    'point of an earlier report to check only what was added since.',
  ...reading,
  input: () => ({
    after: z.string().optional().describe('The point of an earlier report; what it covers is not read again'),
  }),
  output: () =>
    z.strictObject({
      ok: z.boolean(),
      checked: z.number().int().describe('How many entries were checked'),
      damage: z.array(z.strictObject({ where: z.string(), what: z.string() })),
      point: z.string().optional().describe('Where a later verify can go on; absent when there is damage'),
    }),
  route: 'GET /api/verify',
  command: 'verify',
  runsIn: 'worker',
  cost: 'maintenance',
  examples: [{ title: 'is it whole?', input: {} }],
  run: (repo, { after }, { onProgress }) => verify(repo, { after, onProgress }),
})

const collecting = {
  idempotent: true,
  runsIn: 'worker' as const,
  cost: 'maintenance' as const,
  input: () => ({
    keep_newer_ms: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Keep what is younger than this many milliseconds, whether or not something needs it'),
  }),
  output: () =>
    z.strictObject({
      freed_bytes: z.number().int(),
      kept: z.number().int().describe('How many commits still have their packs'),
      removed: z.number().int().describe('How many commits lost theirs, because nothing leads to them'),
      trimmed: z.number().int().describe('How many commits lost their states by the rules of retention'),
    }),
}

async function collected(repo: Repository, options: GcOptions) {
  const { freedBytes, kept, removed, trimmed } = await gc(repo, options)
  return { freed_bytes: freedBytes, kept, removed, trimmed }
}

const gcDryRun = operation({
  ...collecting,
  ...reading,
  name: 'gc_dry_run',
  summary: 'Show what garbage collection would drop',
  guidance: 'Drops nothing. gc_sweep does.',
  route: 'GET /api/gc/dry-run',
  command: 'gc dry-run',
  examples: [{ title: 'is there something to gain?', input: {} }],
  run: (repo, { keep_newer_ms }, { onProgress }) =>
    collected(repo, { keepNewerMs: keep_newer_ms, dryRun: true, onProgress }),
})

const gcSweep = operation({
  ...collecting,
  name: 'gc_sweep',
  summary: 'Drop the states of commits that nothing needs',
  guidance:
    'Keeps what branches, tags, epochs and threads lead to, and the whole journal. With rules of set_retention, also drops old ' +
    'states. Call gc_dry_run first to see the effect.',
  capability: 'admin',
  effect: 'destructive',
  route: 'POST /api/gc/sweep',
  command: 'gc sweep',
  examples: [{ title: 'make room', input: { keep_newer_ms: 86_400_000 } }],
  run: (repo, { keep_newer_ms }, { onProgress }) => collected(repo, { keepNewerMs: keep_newer_ms, onProgress }),
})

const setRetentionRules = operation({
  name: 'set_retention',
  summary: 'Set which old states garbage collection keeps',
  guidance:
    'From then on gc_sweep drops the states that no rule keeps; commits, blame and verification stay. What branches, tags, epochs ' +
    'and open speculations lead to is always kept. Needs newer_ms or count; without any field, no more states are dropped.',
  capability: 'admin',
  effect: 'write',
  idempotent: true,
  input: () => keepFields,
  output: () => z.strictObject({}),
  route: 'POST /api/gc/retention',
  command: 'gc retention',
  examples: [{ title: 'keep 90 days, and releases', input: { newer_ms: 7_776_000_000, categories: ['Release'] } }],
  async run(repo, { newer_ms, count, categories }) {
    const isEmpty = newer_ms === undefined && count === undefined && categories === undefined
    await setRetention(repo, isEmpty ? undefined : { newerMs: newer_ms, count, categories })
    return {}
  },
})

const compactStore = operation({
  name: 'compact',
  summary: 'Give unused room of the store back to the file system',
  guidance:
    'Rewrites the file of all namespaces. Writes wait meanwhile, and it needs room for a copy of the data. Call gc_sweep first.',
  capability: 'admin',
  effect: 'write',
  idempotent: true,
  input: () => ({}),
  output: () =>
    z.strictObject({
      bytes_before: z.number().int().describe('The bytes of the store in the file system'),
      bytes_after: z.number().int(),
    }),
  route: 'POST /api/compact',
  command: 'compact',
  runsIn: 'worker',
  cost: 'maintenance',
  examples: [{ title: 'make the file smaller', input: {} }],
  async run(repo) {
    const { bytesBefore, bytesAfter } = await compact(repo)
    return { bytes_before: bytesBefore, bytes_after: bytesAfter }
  },
})

const reindexStore = operation({
  name: 'reindex',
  summary: 'Rebuild the indexes from the journal',
  guidance: 'Call it when verify reports damage of an index. Results are the same before and after.',
  capability: 'admin',
  effect: 'write',
  idempotent: true,
  input: () => ({}),
  output: () => z.strictObject({ reindexed: z.literal(true) }),
  route: 'POST /api/reindex',
  command: 'reindex',
  runsIn: 'worker',
  cost: 'maintenance',
  examples: [{ title: 'rebuild them', input: {} }],
  async run(repo, _input, { onProgress }) {
    await reindex(repo, { onProgress })
    return { reindexed: true as const }
  },
})

const place = z.number().int().nullable()

const repairStore = operation({
  name: 'repair',
  summary: 'Make refs, keys and indexes again from the journal',
  guidance:
    'Call it when an error or verify names damage of refs, idempotency keys or an index. Returns what was wrong. Refuses, and ' +
    'changes nothing, when the journal itself is damaged.',
  capability: 'admin',
  effect: 'write',
  idempotent: true,
  input: () => ({}),
  output: () =>
    z.strictObject({
      entries: z.number().int().describe('How many entries the journal has'),
      changed: z
        .array(
          z.strictObject({
            kind: z.enum(['ref', 'key', 'commit']),
            name: z.string(),
            from: z.union([place, z.literal('unreadable')]).describe('The entry it led to; null when it was missing'),
            to: place.describe('The entry it leads to now; null when it was deleted'),
          }),
        )
        .describe('What was not what the journal says'),
    }),
  route: 'POST /api/repair',
  command: 'repair',
  runsIn: 'worker',
  cost: 'maintenance',
  examples: [{ title: 'mend what is derived', input: {} }],
  run: (repo, _input, { onProgress }) => repair(repo, { onProgress }),
})

const exportStore = operation({
  name: 'export',
  summary: 'Export a whole repository as lines of text',
  guidance: 'Returns every commit with its values, later facts and refs, as a backup or for import into another store.',
  capability: 'export',
  effect: 'read',
  input: () => ({}),
  output: () => z.string().describe('One line, with its line feed'),
  route: 'GET /api/export',
  command: 'export',
  runsIn: 'worker',
  cost: 'maintenance',
  stream: 'lines',
  examples: [{ title: 'a copy of everything', input: {} }],
  run: async (repo, _input, { onProgress }) => exportRepository(repo, { onProgress }),
})

const importStore = operation({
  name: 'import',
  summary: 'Import an export into a repository',
  guidance: 'The repository is empty or shares history with the export. Damaged or truncated input changes nothing.',
  capability: 'admin',
  effect: 'write',
  idempotent: true,
  input: () => ({ export: z.string().min(1).describe('The text of the export') }),
  output: () => z.strictObject({ imported: z.literal(true) }),
  route: 'POST /api/import',
  command: 'import <export>',
  runsIn: 'worker',
  cost: 'maintenance',
  examples: [{ title: 'take it back', input: { export: '…' } }],
  async run(repo, { export: text }, { onProgress }) {
    await importRepository(repo, linesOf(text), { onProgress })
    return { imported: true as const }
  },
})

const pullNamespace = operation({
  name: 'pull',
  summary: 'Pull branches from another namespace',
  guidance: 'A branch that diverged stays where it is unless merge is true. The other namespace does not change.',
  capability: 'merge',
  effect: 'write',
  idempotent: true,
  input: () => ({
    from_namespace: z.string().min(1).max(64).describe('The namespace to pull from'),
    branches: z.array(z.string()).max(1000).optional().describe('The branches to pull; all when left out'),
    merge: z.boolean().default(false).describe('Merge branches that diverged'),
  }),
  output: () =>
    z.strictObject({
      refs: z.array(
        z.strictObject({
          name: z.string(),
          kind: z.enum(['created', 'fast-forward', 'merged', 'up-to-date', 'diverged']),
        }),
      ),
    }),
  route: 'POST /api/pull',
  command: 'pull <from_namespace>',
  cost: 'maintenance',
  examples: [{ title: 'what the staging agents did', input: { from_namespace: 'staging', branches: ['main'] } }],
  async run(repo, { from_namespace, branches, merge }, context) {
    // A session belongs to one namespace, so another one is read with the caller's own rights.
    const from = await context.repo(from_namespace)
    return pull(repo, from, { branches, merge, onProgress: context.onProgress })
  },
})

const acceptShortHistory = operation({
  name: 'accept_history',
  summary: 'Accept a history that is shorter than its high-water mark',
  guidance:
    'A store becomes read-only when its high-water mark shows that entries are missing. Accept that only deliberately.',
  capability: 'admin',
  effect: 'destructive',
  input: () => ({
    reason: z.string().min(1).describe('Why, for the journal'),
  }),
  output: () => z.strictObject({ accepted: z.literal(true) }),
  route: 'POST /api/history/accept',
  command: 'accept-history <reason>',
  cost: 'maintenance',
  examples: [{ title: 'a backup was restored', input: { reason: 'Restored from the backup of Monday' } }],
  async run(repo, { reason }) {
    await acceptHistory(repo, reason)
    return { accepted: true as const }
  },
  again: () => ({ accepted: true as const }),
})

export const storeOperations: readonly Operation[] = inGroup('store', [
  statsOfStore,
  verifyStore,
  gcDryRun,
  gcSweep,
  setRetentionRules,
  compactStore,
  reindexStore,
  repairStore,
  exportStore,
  importStore,
  pullNamespace,
  acceptShortHistory,
])
