/** Taints: marks on suspect paths that restrict changes and reads. */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import { branchPatterns, expiresField, reasonField } from '../../wire/access.ts'
import { idField, namespaceField, pathField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { severities, taintEffects, taintSchema, wireTaint } from '../../wire/taint.ts'
import { type Operation, operation } from '../operation.ts'

const taint = operation({
  name: 'taint',
  group: 'access',
  summary: 'Mark paths as suspect',
  guidance:
    'block: no change is allowed. review: a change needs the approval of another principal. isolate: only principals with ' +
    'release change or read them. warn: a change carries a warning. It covers merges and speculations, until release_taint.',
  capability: 'taint',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    path: pathField.min(1).describe('A path pattern: it covers matching paths and everything below; * is one segment'),
    effect: z.enum(taintEffects).describe('The effect on changes and reads'),
    reason: reasonField,
    severity: z.enum(severities).optional().describe('How bad it is'),
    expires: expiresField.optional(),
    quarantine: z.boolean().optional().describe('Hide the values from principals without release, whatever the effect'),
    branches: branchPatterns.optional().describe('The branches that it covers; all when left out'),
    namespace: namespaceField,
  }),
  output: taintSchema,
  route: 'POST /api/access/taints',
  command: 'taint add <path> <effect>',
  tools: 'all',
  examples: [
    {
      title: 'numbers that are not to be trusted',
      input: { path: '/cluster', effect: 'block', reason: 'The sensor is broken' },
    },
  ],
  async run({ repo }, { namespace, ...spec }) {
    return wireTaint(await access(await repo(namespace)).taint(spec))
  },
})

const releaseTaint = operation({
  name: 'release_taint',
  group: 'access',
  summary: 'Release a taint',
  guidance: 'Give the reason why the paths are no longer suspect. A principal cannot release what it wrote itself.',
  capability: 'release',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    id: idField.describe('The id of the taint'),
    reason: reasonField,
    namespace: namespaceField,
  }),
  output: z.strictObject({ id: z.string(), released: z.literal(true) }),
  route: 'POST /api/access/taints/{id}/release',
  command: 'taint release <id>',
  tools: 'all',
  examples: [{ title: 'it was checked', input: { id: 'taint-1', reason: 'Measured again by hand' } }],
  async run({ repo }, { id, reason, namespace }) {
    await access(await repo(namespace)).release(id, reason)
    return { id, released: true as const }
  },
})

const listTaints = operation({
  name: 'list_taints',
  group: 'access',
  summary: 'List taints',
  guidance:
    'Returns taints in force, or released ones. With a path, those that cover it, something below it, or something above it.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    path: pathField.optional().describe('Only taints that concern this path'),
    status: z.enum(['in-force', 'released']).default('in-force').describe('released includes expired'),
    ...pageFields(100),
    namespace: namespaceField,
  }),
  output: pageOf(taintSchema),
  route: 'GET /api/access/taints',
  command: 'taint list [path]',
  tools: 'all',
  examples: [{ title: 'is anything wrong with the notes?', input: { path: '/notes' } }],
  async run({ repo }, { path, status, namespace, ...page }) {
    return wirePage(access(await repo(namespace)).taints({ path, status }), page, wireTaint)
  },
})

export const taintOperations: readonly Operation[] = [taint, releaseTaint, listTaints]
