/** Principals, keys and grants as the wire carries them. */
import type { Grant, GrantSpec } from 'agentstategraph/access'
import { z } from 'zod'
import { given, type Wire } from './wired.ts'

export const principalField = z.string().min(1).max(128).describe('A principal such as agent/scaler or human/nerida')
export const reasonField = z.string().min(1).max(1024).describe('Why, in a sentence; it is recorded')
/** The library checks that it is a valid time in the future. */
export const expiresField = z
  .string()
  .max(64)
  .meta({ format: 'date-time' })
  .describe('When it expires, such as 2027-01-31T12:00:00Z; never when left out')

const patterns = z.array(z.string().min(1).max(1024)).min(1).max(64)
export const branchPatterns = patterns.describe('Patterns of branches, such as main or feature/*')
export const pathPatterns = patterns.describe(
  'Path patterns, such as /cluster or /users/*/name: matching paths and everything below',
)

export const endedSchema = z
  .strictObject({ by: z.string(), reason: z.string(), time: z.string() })
  .meta({ id: 'Ended', description: 'Who ended it, why and when' })

export const principalKinds = ['human', 'agent', 'service'] as const

export const principalSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(principalKinds),
    by: z.string().describe('Who added it'),
    time: z.string(),
  })
  .meta({ id: 'Principal' })

export const keySchema = z
  .strictObject({
    id: z.string(),
    principal: z.string(),
    time: z.string(),
    expires: z.string().optional(),
    parent: z.string().optional().describe('The key that it was made with'),
    replaces: z.string().optional().describe('The key whose place it took'),
    revoked: endedSchema.optional(),
  })
  .meta({ id: 'Key', description: 'A key without its secret' })

const perMinute = z.number().int().min(1).optional()

/** Rate limits of a grant, shared by all principals that it was delegated to. */
export const limitFields = {
  commits_per_minute: perMinute.describe('Commits per minute, counted over all principals that use it'),
  entries_per_minute: perMinute.describe(
    'Everything that is appended per minute: commits, refs, speculations, observations',
  ),
  branches_per_minute: perMinute.describe('New branches, tags and threads per minute'),
  speculations_per_minute: perMinute.describe('New speculations per minute'),
  bytes_per_minute: perMinute.describe('Bytes that are appended per minute'),
  bytes_per_commit: z.number().int().min(1).optional().describe('The largest size of a commit'),
}

type Limits = z.output<z.ZodObject<typeof limitFields>>

export function limitsFrom(limits: Limits): GrantSpec['limits'] {
  return {
    commitsPerMinute: limits.commits_per_minute,
    entriesPerMinute: limits.entries_per_minute,
    branchesPerMinute: limits.branches_per_minute,
    speculationsPerMinute: limits.speculations_per_minute,
    bytesPerMinute: limits.bytes_per_minute,
    bytesPerCommit: limits.bytes_per_commit,
  }
}

export const grantSchema = z
  .strictObject({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    parent: z.string().optional().describe('The grant that it was delegated from; absent when the operator gave it'),
    capabilities: z.array(z.string()),
    branches: z.array(z.string()).optional(),
    paths: z.array(z.string()).optional(),
    expires: z.string().optional(),
    depth: z.number().int().describe('How many times it may be delegated further'),
    ...limitFields,
    session: z.string().optional().describe('The session that it belongs to'),
    time: z.string(),
    revoked: endedSchema.optional(),
  })
  .meta({ id: 'Grant' })

export function wireGrant(grant: Grant): Wire<typeof grantSchema> {
  const { limits = {}, ...rest } = grant
  return given({
    ...rest,
    commits_per_minute: limits.commitsPerMinute,
    entries_per_minute: limits.entriesPerMinute,
    branches_per_minute: limits.branchesPerMinute,
    speculations_per_minute: limits.speculationsPerMinute,
    bytes_per_minute: limits.bytesPerMinute,
    bytes_per_commit: limits.bytesPerCommit,
  })
}

export const explanationSchema = z
  .strictObject({
    allowed: z.boolean(),
    links: z.array(
      z.strictObject({
        grant: z.string().optional(),
        rule: z.string().optional(),
        taint: z.string().optional(),
        session: z
          .string()
          .optional()
          .describe('The session that the grant was made for; outside it, it allows nothing'),
        allowed: z.boolean(),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: 'Explanation', description: 'Every grant, rule, taint and freeze that applies, and its decision' })
