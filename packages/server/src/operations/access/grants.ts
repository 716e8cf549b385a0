/** Grants: what somebody may do, given, narrowed as it is handed on, and taken back. */
import { access, capabilities } from 'agentstategraph/access'
import { z } from 'zod'
import {
  branchPatterns,
  expiresField,
  grantSchema,
  limitFields,
  limitsFrom,
  placePatterns,
  principalField,
  reasonField,
  wireGrant,
} from '../../wire/access.ts'
import { idField, namespaceField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { type Operation, operation } from '../operation.ts'

export const capabilitiesField = z
  .array(z.enum(capabilities))
  .min(1)
  .max(capabilities.length)
  .describe('What it allows; none implies another')

/** Where and how far, and how far onward. */
export const termFields = {
  branches: branchPatterns.optional(),
  expires: expiresField.optional(),
  depth: z.number().int().min(0).optional().describe('How many times it may be handed on'),
  ...limitFields,
}

const grant = operation({
  name: 'grant',
  group: 'access',
  summary: 'Allow a principal something',
  guidance:
    'Names capabilities, and where they hold: what is left out is as far as your own. What you hold by a grant yourself you ' +
    'can hand on with the capability grant, only narrower. Try the effect with explain; take it back with revoke_grant.',
  capability: 'grant',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    to: principalField,
    capabilities: capabilitiesField,
    paths: placePatterns.optional(),
    ...termFields,
    namespace: namespaceField,
  }),
  output: grantSchema,
  route: 'POST /api/access/grants',
  command: 'grant add <to> <capabilities...>',
  tools: 'all',
  examples: [
    {
      title: 'write below one path',
      input: { to: 'agent/writer', capabilities: ['read', 'commit'], paths: ['/cluster'], commits_per_minute: 60 },
    },
  ],
  async run({ repo }, { to, capabilities: allowed, paths, branches, expires, depth, namespace, ...limits }) {
    const terms = { capabilities: allowed, paths, branches, expires, depth, limits: limitsFrom(limits) }
    return wireGrant(await access(await repo(namespace)).grant(to, terms))
  },
})

const revokeGrant = operation({
  name: 'revoke_grant',
  group: 'access',
  summary: 'Take a grant back at once, with all that hangs on it',
  guidance:
    'Whoever gave it, whoever stands above in its chain, and whoever holds admin can. What was done under it stays.',
  capability: 'none',
  effect: 'destructive',
  idempotent: false,
  input: z.strictObject({
    id: idField.describe('The id of the grant'),
    reason: reasonField,
    namespace: namespaceField,
  }),
  output: z.strictObject({ id: z.string(), revoked: z.literal(true) }),
  route: 'POST /api/access/grants/{id}/revoke',
  command: 'grant revoke <id>',
  tools: 'all',
  examples: [{ title: 'the work is done', input: { id: 'grant-1', reason: 'The migration is over' } }],
  async run({ repo }, { id, reason, namespace }) {
    await access(await repo(namespace)).revoke(id, reason)
    return { id, revoked: true as const }
  },
})

const listGrants = operation({
  name: 'list_grants',
  group: 'access',
  summary: 'List grants',
  guidance: 'All grants, for those who hold admin; others see what they gave and hold, and what that hangs on.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    principal: principalField.optional().describe('Only what this principal holds'),
    ...pageFields(100),
    namespace: namespaceField,
  }),
  output: pageOf(grantSchema),
  route: 'GET /api/access/grants',
  command: 'grant list [principal]',
  tools: 'all',
  examples: [{ title: 'what does the writer hold?', input: { principal: 'agent/writer' } }],
  async run({ repo }, { principal, namespace, ...page }) {
    return wirePage(access(await repo(namespace)).grants({ principal }), page, wireGrant)
  },
})

export const grantOperations: readonly Operation[] = [grant, revokeGrant, listGrants]
