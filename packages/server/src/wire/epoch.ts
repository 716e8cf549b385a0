/** Epochs, erasures and verdicts on bundles as the wire carries them. */
import type { Epoch, Inventory, Verdict } from 'agentstategraph/trust'
import { z } from 'zod'
import { given, type Wire } from './wired.ts'

const counts = z.record(z.string(), z.number().int())

const epochFields = {
  id: z.string(),
  description: z.string(),
  root_intents: z.array(z.string()),
  from_seq: z.number().int().describe('The entry that opened it'),
  commits: z.number().int().describe('How many commits landed in it'),
  agents: z.array(z.string()),
  categories: counts.describe('Commits by category'),
}

export const epochSchema = z
  .discriminatedUnion('status', [
    z.strictObject({ ...epochFields, status: z.literal('open') }),
    z.strictObject({
      ...epochFields,
      status: z.enum(['sealed', 'archived']),
      to_seq: z.number().int().describe('The seal, its last entry'),
      summary: z.string(),
      sealed_at: z.string(),
      counts: counts.describe('Entries by kind'),
      refs: z.record(z.string(), z.string()).describe('Where branches, tags and threads were'),
      root: z.string().describe('The root of the Merkle log at the seal, in base64'),
      signature: z.string().optional().describe('The signed head over everything up to the seal'),
    }),
  ])
  .meta({ id: 'Epoch' })

export function wireEpoch(epoch: Epoch): Wire<typeof epochSchema> {
  const { id, description, rootIntents, fromSeq, commits, agents, categories } = epoch
  const fields = { id, description, root_intents: rootIntents, from_seq: fromSeq, commits, agents, categories }
  if (epoch.status === 'open') return { ...fields, status: 'open' }
  const { status, toSeq, summary, sealedAt, counts: entries, refs, root, signature } = epoch
  const sealed = { to_seq: toSeq, summary, sealed_at: sealedAt, counts: entries, refs, root, signature }
  return given({ ...fields, status, ...sealed })
}

export const verdictSchema = z
  .strictObject({
    ok: z.boolean().describe('Whether no check failed; unchecked levels do not count'),
    checks: z.array(
      z.strictObject({
        name: z.enum(['integrity', 'signed', 'extends', 'witnessed', 'authorised']),
        status: z.enum(['passed', 'failed', 'not-checked']),
        detail: z.string().optional(),
      }),
    ),
    failed: z.string().optional().describe('The first check that failed'),
    inventory: z
      .strictObject({
        origin: z.string(),
        epoch: z.string(),
        from: z.number().int(),
        to: z.number().int(),
        profile: z.enum(['full', 'log', 'redacted']),
        paths: z.array(z.string()).optional(),
        kinds: counts,
        agents: counts,
        chains: counts.describe('Commits by the names they were authorised through, as operator → agent/lead'),
        withheld: z.number().int(),
        dropped: z.number().int(),
        encrypted: z.number().int(),
        erased: z.number().int(),
      })
      .optional()
      .describe('What is in it; absent when its integrity failed'),
  })
  .meta({ id: 'Verdict' })

export type WireVerdict = Wire<typeof verdictSchema>

export function wireVerdict(verdict: Verdict & { readonly inventory: Inventory | undefined }): WireVerdict {
  const { ok, checks, failed, inventory } = verdict
  return given({ ok, checks, failed, inventory })
}

export const erasureSchema = z
  .strictObject({
    subject: z.string(),
    key: z.string().describe('The id of the key that was destroyed'),
    reason: z.string(),
    agent: z.string(),
    timestamp: z.string(),
    seq: z.number().int(),
  })
  .meta({ id: 'Erasure' })
