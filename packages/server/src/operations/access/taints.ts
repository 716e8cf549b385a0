/** Taints: marks on places that are suspect. */
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
  summary: 'Mark places as suspect',
  guidance:
    'block: nobody changes them. review: a change needs the approval of somebody else. isolate: only who may release them ' +
    'changes or reads them. warn: a change carries a warning. It holds for merges and speculations too, until release_taint.',
  capability: 'taint',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    path: pathField.min(1).describe('A pattern: the places that it matches, and all in them; * stands for one part'),
    effect: z.enum(taintEffects).describe('What it does'),
    reason: reasonField,
    severity: z.enum(severities).optional().describe('How bad it is'),
    expires: expiresField.optional(),
    quarantine: z.boolean().optional().describe('Hide them from those who may not release them, whatever the effect'),
    branches: branchPatterns.optional().describe('Where; on all branches when left out'),
    namespace: namespaceField,
  }),
  output: taintSchema,
  route: 'POST /api/access/taints',
  command: 'taint add <path> <effect>',
  tools: 'all',
  examples: [
    {
      title: 'numbers that nobody trusts',
      input: { path: '/cluster', effect: 'block', reason: 'The sensor is broken' },
    },
  ],
  async run({ repo }, { namespace, ...mark }) {
    return wireTaint(await access(await repo(namespace)).taint(mark))
  },
})

const releaseTaint = operation({
  name: 'release_taint',
  group: 'access',
  summary: 'Take a mark away',
  guidance: 'Say why it is no longer suspect. Nobody releases what he wrote himself.',
  capability: 'release',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({ id: idField.describe('The id of the mark'), reason: reasonField, namespace: namespaceField }),
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
  summary: 'List the marks on suspect places',
  guidance:
    'Those in force, or those that ended. With a path, those that concern it, something in it, or what it is in.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    path: pathField.optional().describe('Only those that concern this place'),
    status: z.enum(['in-force', 'released']).default('in-force').describe('released also means expired'),
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
