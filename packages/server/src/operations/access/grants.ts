/** Grants: capabilities of a principal, given, narrowed when delegated, and revoked. */
import { access, capabilities } from 'agentstategraph/access'
import { z } from 'zod'
import {
  branchPatterns,
  expiresField,
  grantSchema,
  limitFields,
  limitsFrom,
  pathPatterns,
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
  .describe('The capabilities; none implies another')

/** The limits of a grant. */
export const termFields = {
  branches: branchPatterns.optional(),
  expires: expiresField.optional(),
  depth: z.number().int().min(0).optional().describe('How many times it may be delegated further'),
  ...limitFields,
}

const grant = operation({
  name: 'grant',
  group: 'access',
  summary: 'Grant capabilities to a principal',
  guidance:
    'Names capabilities and where they hold; a limit that is left out is that of your own grant. With the capability grant you ' +
    'can delegate what you hold, only narrower. Check the effect with explain; undo it with revoke_grant.',
  capability: 'grant',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    to: principalField,
    capabilities: capabilitiesField,
    paths: pathPatterns.optional(),
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
  summary: 'Revoke a grant and all grants delegated from it',
  guidance:
    'The grantor, a principal above it in the chain of delegation, and an admin can revoke it. Commits made under it stay.',
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
  guidance: 'With admin you see all grants, otherwise those that you gave or hold, and the grants above them.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    principal: principalField.optional().describe('Only grants of this principal'),
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
