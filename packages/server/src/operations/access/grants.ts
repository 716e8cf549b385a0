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
import { idField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { inGroup, type Operation, operation } from '../operation.ts'

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
  summary: 'Grant capabilities to a principal',
  guidance:
    'Names capabilities and where they hold; a limit that is left out is that of your own grant. With the capability grant you ' +
    'can delegate what you hold, only narrower. Check the effect with explain; undo it with revoke_grant.',
  capability: 'grant',
  effect: 'write',
  input: () => ({
    to: principalField,
    capabilities: capabilitiesField,
    paths: pathPatterns.optional(),
    ...termFields,
  }),
  output: () => grantSchema,
  route: 'POST /api/access/grants',
  command: 'grant add <to> <capabilities...>',
  examples: [
    {
      title: 'write below one path',
      input: { to: 'agent/writer', capabilities: ['read', 'commit'], paths: ['/cluster'], commits_per_minute: 60 },
    },
  ],
  async run(repo, { to, capabilities: allowed, paths, branches, expires, depth, ...limits }) {
    const terms = { capabilities: allowed, paths, branches, expires, depth, limits: limitsFrom(limits) }
    return wireGrant(await access(repo).grant(to, terms))
  },
  async again(repo, { to }, { id }) {
    return wireGrant((await access(repo).grants({ principal: to })).find(grant => grant.id === id)!)
  },
})

const revokeGrant = operation({
  name: 'revoke_grant',
  summary: 'Revoke a grant and all grants delegated from it',
  guidance:
    'The grantor, a principal above it in the chain of delegation, and an admin can revoke it. Commits made under it stay.',
  capability: 'none',
  effect: 'destructive',
  input: () => ({
    id: idField.describe('The id of the grant'),
    reason: reasonField,
  }),
  output: () => z.strictObject({ id: z.string(), revoked: z.literal(true) }),
  route: 'POST /api/access/grants/{id}/revoke',
  command: 'grant revoke <id>',
  examples: [{ title: 'the work is done', input: { id: 'grant-1', reason: 'The migration is over' } }],
  async run(repo, { id, reason }) {
    await access(repo).revoke(id, reason)
    return { id, revoked: true as const }
  },
  again: (_repo, { id }) => ({ id, revoked: true as const }),
})

const listGrants = operation({
  name: 'list_grants',
  summary: 'List grants',
  guidance: 'With admin you see all grants, otherwise those that you gave or hold, and the grants above them.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    principal: principalField.optional().describe('Only grants of this principal'),
    ...pageFields(100),
  }),
  output: () => pageOf(grantSchema),
  route: 'GET /api/access/grants',
  command: 'grant list [principal]',
  examples: [{ title: 'what does the writer hold?', input: { principal: 'agent/writer' } }],
  run: async (repo, { principal, ...page }) => wirePage(access(repo).grants({ principal }), page, wireGrant),
})

export const grantOperations: readonly Operation[] = inGroup('access', [grant, revokeGrant, listGrants])
