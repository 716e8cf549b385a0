/** Changes, conflicts and resolutions as the wire carries them. */
import type { Change, Conflict, DescribedCommit, Merged, MergeOptions, MergePreview, Policies } from 'agentstategraph'
import { z } from 'zod'
import { commitFields, commitSchema, delegationFields, type WireCommit, wireCommit } from './commit.ts'
import { type JsonValue, jsonValue, stateValue } from './json-value.ts'
import { type Pace, pacedMap, pacedValue } from './pace/paced-value.ts'
import { given, type Wire } from './wired.ts'

export const changeSchema = z
  .discriminatedUnion('op', [
    z.strictObject({ op: z.literal('add'), path: z.string(), after: jsonValue }),
    z.strictObject({ op: z.literal('remove'), path: z.string(), before: jsonValue }),
    z.strictObject({ op: z.literal('change'), path: z.string(), before: jsonValue, after: jsonValue }),
    z.strictObject({ op: z.literal('move'), path: z.string(), from: z.string(), after: jsonValue }),
  ])
  .meta({ id: 'Change' })

export type WireChange = Wire<typeof changeSchema>

/** Any of the changes can be of a large value. */
export function wireChanges(changes: readonly Change[], pace: Pace): Promise<WireChange[]> {
  return pacedMap(changes, change => wireChange(change, pace), pace)
}

async function wireChange(change: Change, pace: Pace): Promise<WireChange> {
  const { path } = change
  switch (change.op) {
    case 'add':
      return { op: 'add', path, after: await pacedValue(change.after, pace) }
    case 'remove':
      return { op: 'remove', path, before: await pacedValue(change.before, pace) }
    case 'change':
      return {
        op: 'change',
        path,
        before: await pacedValue(change.before, pace),
        after: await pacedValue(change.after, pace),
      }
    case 'move':
      return { op: 'move', path, from: change.from, after: await pacedValue(change.after, pace) }
  }
}

/** A commit with what it changed and on whose authority, where that was asked for. */
export const describedSchema = z
  .strictObject({
    ...commitFields,
    ...delegationFields,
    changes: z.array(changeSchema).optional().describe('What it changed, against its first parent; with changes'),
    trimmed: z.literal(true).optional().describe('Retention dropped the states that the changes are read from'),
  })
  .meta({ id: 'DescribedCommit' })

export type WireDescribed = Wire<typeof describedSchema>

export async function wireDescribed(described: DescribedCommit, pace: Pace): Promise<WireDescribed> {
  const { changes, trimmed, chain, ...commit } = described
  return {
    ...wireCommit(commit),
    ...given({ delegation: chain, trimmed }),
    changes: await wireChanges(changes, pace),
  }
}

export const conflictSchema = z
  .strictObject({
    path: z.string(),
    base: jsonValue.optional(),
    ours: jsonValue.optional(),
    theirs: jsonValue.optional(),
  })
  .meta({ id: 'Conflict', description: 'A side is absent when the path does not exist there' })

async function wireConflict(conflict: Conflict, pace: Pace): Promise<Wire<typeof conflictSchema>> {
  const wired: { path: string; base?: JsonValue; ours?: JsonValue; theirs?: JsonValue } = { path: conflict.path }
  for (const side of ['base', 'ours', 'theirs'] as const) {
    if (side in conflict) wired[side] = await pacedValue(conflict[side], pace)
  }
  return wired
}

const mergeKind = z.enum(['merged', 'fast-forward', 'up-to-date'])

export const mergedSchema = z.strictObject({ ...commitSchema.shape, kind: mergeKind }).meta({ id: 'Merged' })

export function wireMerged(merged: Merged): Wire<typeof mergedSchema> {
  // `wireCommit` copies `kind` with the other plain fields.
  return wireCommit(merged) as WireCommit & Pick<Merged, 'kind'>
}

export const mergePreviewSchema = z
  .strictObject({
    kind: z.enum([...mergeKind.options, 'conflict']),
    changes: z.array(changeSchema),
    conflicts: z.array(conflictSchema),
  })
  .meta({ id: 'MergePreview' })

export async function wireMergePreview(preview: MergePreview, pace: Pace): Promise<Wire<typeof mergePreviewSchema>> {
  return {
    kind: preview.kind,
    changes: await wireChanges(preview.changes, pace),
    conflicts:
      preview.kind === 'conflict' ? await pacedMap(preview.conflicts, one => wireConflict(one, pace), pace) : [],
  }
}

/** How a merge treats conflicts. */
export const mergeFields = {
  policies: z
    .record(
      z.string(),
      z.union([
        z.enum(['manual', 'ours', 'theirs', 'latest', 'max', 'min', 'sum', 'union', 'append', 'text']),
        z.strictObject({ union_by: z.string() }),
      ]),
    )
    .optional()
    .describe('How values that both sides changed are merged, by path pattern: {"/counters/*": "sum"}'),
  resolutions: z
    .record(z.string(), z.union([z.enum(['ours', 'theirs', 'base']), z.strictObject({ value: jsonValue })]))
    .optional()
    .describe('The value for each path in conflict: {"/a": "ours", "/b": {"value": 3}}'),
}

type MergeInput = z.output<z.ZodObject<typeof mergeFields>>

/** The library's form of both. */
export function mergeOptionsFrom({
  policies,
  resolutions,
}: MergeInput): Pick<MergeOptions, 'policies' | 'resolutions'> {
  return {
    policies: policies && mapped(policies, policy => (typeof policy === 'string' ? policy : unionBy(policy))),
    resolutions:
      resolutions &&
      mapped(resolutions, taken => (typeof taken === 'string' ? taken : { value: stateValue(taken.value) })),
  }
}

function unionBy({ union_by }: { union_by: string }): Policies[string] {
  return { unionBy: union_by }
}

function mapped<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
