/** Namespaces: isolated repositories of one store. */
import { z } from 'zod'
import { keyField } from '../../wire/fields.ts'
import { globalOperation, inGroup, type Operation } from '../operation.ts'

const name = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/, 'letters, digits, _ and - only')
  .describe('Its name: letters, digits, _ and -')

const listNamespaces = globalOperation({
  name: 'list_namespaces',
  summary: 'List the namespaces that you can see',
  guidance: 'Pass one as namespace in any other call; without it a call uses the default namespace.',
  capability: 'none',
  effect: 'read',
  input: () => ({}),
  output: () => z.strictObject({ namespaces: z.array(z.string()) }),
  route: 'GET /api/namespaces',
  command: 'namespace list',
  examples: [{ title: 'where can I look?', input: {} }],
  run: async ({ namespaces }) => ({ namespaces: await namespaces() }),
})

const createNamespace = globalOperation({
  name: 'create_namespace',
  summary: 'Create a namespace',
  guidance: 'Makes a separate repository in the same store. Nothing in one namespace is visible from another.',
  capability: 'admin',
  effect: 'write',
  input: () => ({ name, idempotency_key: keyField }),
  output: () => z.strictObject({ name: z.string() }),
  route: 'POST /api/namespaces',
  command: 'namespace create <name>',
  examples: [{ title: 'for another team', input: { name: 'team-b' } }],
  async run({ storeAdmin }, { name: of, idempotency_key: key }) {
    await storeAdmin.createNamespace(of, key)
    return { name: of }
  },
})

const deleteNamespace = globalOperation({
  name: 'delete_namespace',
  summary: 'Delete a namespace with everything in it',
  guidance: 'Its whole history is lost: export it first. The default namespace cannot be deleted.',
  capability: 'admin',
  effect: 'destructive',
  input: () => ({ name, idempotency_key: keyField }),
  output: () => z.strictObject({ name: z.string(), deleted: z.literal(true) }),
  route: 'DELETE /api/namespaces/{name}',
  command: 'namespace delete <name>',
  examples: [{ title: 'a team that is gone', input: { name: 'staging' } }],
  async run({ storeAdmin }, { name: of, idempotency_key: key }) {
    await storeAdmin.deleteNamespace(of, key)
    return { name: of, deleted: true as const }
  },
})

export const namespaceOperations: readonly Operation[] = inGroup('store', [
  listNamespaces,
  createNamespace,
  deleteNamespace,
])
