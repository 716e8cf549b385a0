/** Principals and their keys. */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import {
  expiresField,
  keySchema,
  principalField,
  principalKinds,
  principalSchema,
  reasonField,
} from '../../wire/access.ts'
import { idField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { inGroup, type Operation, operation } from '../operation.ts'

const keyText = z.string().describe('The key itself: shown once and stored nowhere')

const descendantsField = z.boolean().describe('Whether the keys that were made with it end too')

const addPrincipal = operation({
  name: 'add_principal',
  summary: 'Add a principal with its first key',
  guidance:
    'Returns the key, which is shown only once: pass it on through a safe channel. Its holder acts as this principal, which has ' +
    'no rights until it gets a grant (grant). For more keys, or to replace one, use add_key.',
  capability: 'admin',
  effect: 'write',
  input: () => ({
    id: principalField,
    kind: z.enum(principalKinds).default('agent').describe('The kind of principal'),
  }),
  output: () => z.strictObject({ id: z.string(), key: keyText }),
  route: 'POST /api/access/principals',
  command: 'principal add <id> [kind]',
  examples: [{ title: 'an agent that deploys', input: { id: 'agent/deployer', kind: 'agent' } }],
  run: async (repo, { id, kind }) => access(repo).addPrincipal(id, kind),
})

const listPrincipals = operation({
  name: 'list_principals',
  summary: 'List principals',
  guidance: 'With admin you see all principals, otherwise yourself. list_grants shows what each may do.',
  capability: 'none',
  effect: 'read',
  input: () => ({ ...pageFields(100) }),
  output: () => pageOf(principalSchema),
  route: 'GET /api/access/principals',
  command: 'principal list',
  examples: [{ title: 'who is there?', input: {} }],
  run: async (repo, page) => wirePage(access(repo).principals(), page),
})

const addKey = operation({
  name: 'add_key',
  summary: 'Add a key for a principal',
  guidance:
    'To replace a key, use rotate_key. The operator adds keys for every principal, a principal only for itself. The key is ' +
    'shown only once. list_keys shows the key that it was made with.',
  capability: 'none',
  effect: 'write',
  input: () => ({ principal: principalField, expires: expiresField.optional() }),
  output: () => z.strictObject({ id: z.string().describe('The id for revoke_key'), key: keyText }),
  route: 'POST /api/admin/keys',
  command: 'keys add <principal>',
  examples: [{ title: 'the next key of an agent', input: { principal: 'agent/writer' } }],
  run: async (repo, { principal, expires }) => access(repo).addKey(principal, { expires }),
})

const listKeys = operation({
  name: 'list_keys',
  summary: 'List keys, without their secrets',
  guidance: 'With admin you see all keys, otherwise your own. Revoked keys stay listed, with who revoked them and why.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    principal: principalField.optional().describe('Only the keys of this principal'),
    ...pageFields(100),
  }),
  output: () => pageOf(keySchema),
  route: 'GET /api/admin/keys',
  command: 'keys list [principal]',
  examples: [{ title: 'the keys of an agent', input: { principal: 'agent/writer' } }],
  run: async (repo, { principal, ...page }) => wirePage(access(repo).keys({ principal }), page),
})

const revokeKey = operation({
  name: 'revoke_key',
  summary: 'Revoke a key',
  guidance:
    'Calls with this key are refused from now on, including those in progress. Its principal can revoke it too. With ' +
    'descendants, the keys that were made with it end too: choose that after a leak, and rotate_key to keep a key.',
  capability: 'admin',
  effect: 'destructive',
  input: () => ({
    id: idField.describe('The id of the key, as list_keys shows it'),
    reason: reasonField,
    descendants: descendantsField,
  }),
  output: () => z.strictObject({ id: z.string(), revoked: z.literal(true) }),
  route: 'POST /api/admin/keys/revoke',
  command: 'keys revoke <id>',
  examples: [
    { title: 'a key that leaked', input: { id: 'key-of-writer', reason: 'It was in a log', descendants: true } },
  ],
  async run(repo, { id, reason, descendants }) {
    await access(repo).revokeKey(id, reason, { descendants })
    return { id, revoked: true as const }
  },
  again: (_repo, { id }) => ({ id, revoked: true as const }),
})

const rotateKey = operation({
  name: 'rotate_key',
  summary: 'Replace a key by a new one',
  guidance:
    'Revokes the key and returns one in its place, which is shown only once. With descendants, the keys that were made with the ' +
    'old key end too, and the new one stays. The operator rotates every key, a principal its own.',
  capability: 'none',
  effect: 'destructive',
  input: () => ({
    id: idField.describe('The id of the key, as list_keys shows it'),
    reason: reasonField,
    descendants: descendantsField,
    expires: expiresField.optional(),
  }),
  output: () => z.strictObject({ id: z.string().describe('The id of the new key'), key: keyText }),
  route: 'POST /api/admin/keys/rotate',
  command: 'keys rotate <id>',
  examples: [
    {
      title: 'a new key for an agent',
      input: { id: 'key-of-writer', reason: 'A year has passed', descendants: false },
    },
  ],
  run: async (repo, { id, reason, descendants, expires }) =>
    access(repo).rotateKey(id, reason, { descendants, expires }),
})

export const principalOperations: readonly Operation[] = inGroup('access', [
  addPrincipal,
  listPrincipals,
  addKey,
  listKeys,
  revokeKey,
  rotateKey,
])
