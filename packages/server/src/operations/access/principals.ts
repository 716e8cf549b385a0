/** Principals and their keys: who there is, and by what they are known. */
import { access } from 'agentstategraph/access'
import { z } from 'zod'
import {
  expiresField,
  keySchema,
  principalField,
  principalKinds,
  principalSchema,
  reasonField,
  wireKey,
  wirePrincipal,
} from '../../wire/access.ts'
import { idField, namespaceField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { type Operation, operation } from '../operation.ts'

const keyText = z.string().describe('The key itself: shown this once, kept nowhere')

const addPrincipal = operation({
  name: 'add_principal',
  group: 'access',
  summary: 'Add somebody, and give the first key',
  guidance:
    'Gives the key, which is shown this once: hand it over by a safe way. Whoever holds it is this principal, and may do ' +
    'nothing before it is granted something (grant). For more keys, or to replace one, use add_key.',
  capability: 'admin',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    id: principalField,
    kind: z.enum(principalKinds).default('agent').describe('What it is'),
    namespace: namespaceField,
  }),
  output: z.strictObject({ id: z.string(), key: keyText }),
  route: 'POST /api/access/principals',
  command: 'principal add <id> [kind]',
  tools: 'all',
  examples: [{ title: 'an agent that deploys', input: { id: 'agent/deployer', kind: 'agent' } }],
  async run({ repo }, { id, kind, namespace }) {
    return access(await repo(namespace)).addPrincipal(id, kind)
  },
})

const listPrincipals = operation({
  name: 'list_principals',
  group: 'access',
  summary: 'List who there is',
  guidance: 'Everybody, for those who hold admin; others see themselves. list_grants says what each may do.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ ...pageFields(100), namespace: namespaceField }),
  output: pageOf(principalSchema),
  route: 'GET /api/access/principals',
  command: 'principal list',
  tools: 'all',
  examples: [{ title: 'who is there?', input: {} }],
  async run({ repo }, { namespace, ...page }) {
    return wirePage(access(await repo(namespace)).principals(), page, wirePrincipal)
  },
})

const addKey = operation({
  name: 'add_key',
  group: 'access',
  summary: 'Make another key for a principal',
  guidance:
    'For rotation: make a new key, hand it over, then revoke_key the old one. The operator makes keys for everybody, a ' +
    'principal for itself alone. The key is shown this once.',
  capability: 'none',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({ principal: principalField, expires: expiresField.optional(), namespace: namespaceField }),
  output: z.strictObject({ id: z.string().describe('What revoke_key takes'), key: keyText }),
  route: 'POST /api/admin/keys',
  command: 'keys add <principal>',
  tools: 'all',
  examples: [{ title: 'the next key of an agent', input: { principal: 'agent/writer' } }],
  async run({ repo }, { principal, expires, namespace }) {
    return access(await repo(namespace)).addKey(principal, { expires })
  },
})

const listKeys = operation({
  name: 'list_keys',
  group: 'access',
  summary: 'List keys, without their secrets',
  guidance:
    'All keys, for those who hold admin; others see their own. Revoked ones stay, and say who revoked them and why.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    principal: principalField.optional().describe('Only the keys of this principal'),
    ...pageFields(100),
    namespace: namespaceField,
  }),
  output: pageOf(keySchema),
  route: 'GET /api/admin/keys',
  command: 'keys list [principal]',
  tools: 'all',
  examples: [{ title: 'the keys of an agent', input: { principal: 'agent/writer' } }],
  async run({ repo }, { principal, namespace, ...page }) {
    return wirePage(access(await repo(namespace)).keys({ principal }), page, wireKey)
  },
})

const revokeKey = operation({
  name: 'revoke_key',
  group: 'access',
  summary: 'End a key at once',
  guidance:
    'Whoever comes with it is refused from now on, and so is what is under way. Its principal can revoke it too.',
  capability: 'admin',
  effect: 'destructive',
  idempotent: false,
  input: z.strictObject({
    id: idField.describe('The id of the key, as list_keys shows it'),
    reason: reasonField,
    namespace: namespaceField,
  }),
  output: z.strictObject({ id: z.string(), revoked: z.literal(true) }),
  route: 'POST /api/admin/keys/revoke',
  command: 'keys revoke <id>',
  tools: 'all',
  examples: [{ title: 'a key that leaked', input: { id: 'key-of-writer', reason: 'It was in a log' } }],
  async run({ repo }, { id, reason, namespace }) {
    await access(await repo(namespace)).revokeKey(id, reason)
    return { id, revoked: true as const }
  },
})

export const principalOperations: readonly Operation[] = [addPrincipal, listPrincipals, addKey, listKeys, revokeKey]
