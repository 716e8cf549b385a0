/** Changes, conflicts and resolutions as the wire carries them. */
import type { Change, Conflict, DescribedCommit, Merged, MergeOptions, MergePreview, Policies } from 'agentstategraph'
import { z } from 'zod'
import { commitFields, commitSchema, delegationFields, type WireCommit, wireCommit } from './commit.ts'
import { type JsonValue, jsonValue, stateValue, wireValue } from './json-value.ts'
import { type Pace, pacedMap } from './pace/paced-value.ts'
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

export function wireChange(change: Change): WireChange {
  switch (change.op) {
    case 'add':
      return { op: 'add', path: change.path, after: wireValue(change.after) }
    case 'remove':
      return { op: 'remove', path: change.path, before: wireValue(change.before) }
    case 'change':
      return { op: 'change', path: change.path, before: wireValue(change.before), after: wireValue(change.after) }
    case 'move':
      return { op: 'move', path: change.path, from: change.from, after: wireValue(change.after) }
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
    changes: await pacedMap(changes, wireChange, pace),
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

function wireConflict(conflict: Conflict): Wire<typeof conflictSchema> {
  const wired: { path: string; base?: JsonValue; ours?: JsonValue; theirs?: JsonValue } = { path: conflict.path }
  for (const side of ['base', 'ours', 'theirs'] as const) {
    if (side in conflict) wired[side] = wireValue(conflict[side])
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
    changes: await pacedMap(preview.changes, wireChange, pace),
    conflicts: preview.kind === 'conflict' ? await pacedMap(preview.conflicts, wireConflict, pace) : [],
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
