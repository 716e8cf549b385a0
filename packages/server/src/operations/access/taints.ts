/** Taints: marks on suspect paths that restrict changes and reads. */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import { branchPatterns, expiresField, reasonField } from '../../wire/access.ts'
import { idField, pathField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { severities, taintEffects, taintSchema } from '../../wire/taint.ts'
import { inGroup, type Operation, operation } from '../operation.ts'

const taint = operation({
  name: 'taint',
  summary: 'Mark paths as suspect',
  guidance:
    'block: no change is allowed. review: a change needs the approval of another principal. isolate: only principals with ' +
    'release change or read them. warn: a change carries a warning. It covers merges and speculations, until release_taint.',
  capability: 'taint',
  effect: 'write',
  input: () => ({
    path: pathField.min(1).describe('A path pattern: it covers matching paths and everything below; * is one segment'),
    effect: z.enum(taintEffects).describe('The effect on changes and reads'),
    reason: reasonField,
    severity: z.enum(severities).optional().describe('How bad it is'),
    expires: expiresField.optional(),
    quarantine: z.boolean().optional().describe('Hide the values from principals without release, whatever the effect'),
    branches: branchPatterns.optional().describe('The branches that it covers; all when left out'),
  }),
  output: () => taintSchema,
  route: 'POST /api/access/taints',
  command: 'taint add <path> <effect>',
  examples: [
    {
      title: 'numbers that are not to be trusted',
      input: { path: '/cluster', effect: 'block', reason: 'The sensor is broken' },
    },
  ],
  run: (repo, spec) => access(repo).taint(spec),
  async again(repo, { path }, { id }) {
    const control = access(repo)
    const known = [...(await control.taints({ path })), ...(await control.taints({ path, status: 'released' }))]
    return known.find(taint => taint.id === id)!
  },
})

const releaseTaint = operation({
  name: 'release_taint',
  summary: 'Release a taint',
  guidance: 'Give the reason why the paths are no longer suspect. A principal cannot release what it wrote itself.',
  capability: 'release',
  effect: 'write',
  input: () => ({
    id: idField.describe('The id of the taint'),
    reason: reasonField,
  }),
  output: () => z.strictObject({ id: z.string(), released: z.literal(true) }),
  route: 'POST /api/access/taints/{id}/release',
  command: 'taint release <id>',
  examples: [{ title: 'it was checked', input: { id: 'taint-1', reason: 'Measured again by hand' } }],
  async run(repo, { id, reason }) {
    await access(repo).release(id, reason)
    return { id, released: true as const }
  },
  again: (_repo, { id }) => ({ id, released: true as const }),
})

const listTaints = operation({
  name: 'list_taints',
  summary: 'List taints',
  guidance:
    'Returns taints in force, or released ones. With a path, those that cover it, something below it, or something above it.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    path: pathField.optional().describe('Only taints that concern this path'),
    status: z.enum(['in-force', 'released']).default('in-force').describe('released includes expired'),
    ...pageFields(100),
  }),
  output: () => pageOf(taintSchema),
  route: 'GET /api/access/taints',
  command: 'taint list [path]',
  examples: [{ title: 'is anything wrong with the notes?', input: { path: '/notes' } }],
  run: async (repo, { path, status, ...page }) => wirePage(access(repo).taints({ path, status }), page),
})

export const taintOperations: readonly Operation[] = inGroup('access', [taint, releaseTaint, listTaints])
