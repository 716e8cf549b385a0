/** Epochs: ranges of the journal that are sealed, signed and exported for an auditor. */
import { epochs } from 'agentstategraph/trust'
import { z } from 'zod'
import { epochSchema, wireEpoch } from '../../wire/epoch.ts'
import { idField, momentField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'

const epochId = idField.describe('The id of the epoch')

const createEpoch = operation({
  name: 'create_epoch',
  summary: 'Open an epoch: a named range of history',
  guidance:
    'Everything that lands between now and seal_epoch belongs to it. Open one for an incident, a release or an audit period. ' +
    'root_intents narrows what query with epoch lists.',
  capability: 'seal',
  effect: 'write',
  input: () => ({
    id: epochId,
    description: z.string().min(1).describe('What it is about'),
    root_intents: z.array(z.string()).default([]).describe('Only commits under these intents are listed'),
    since: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Where it begins, when that is before now: a moment, ISO 8601, or a commit, which belongs to it'),
  }),
  output: () => epochSchema,
  route: 'POST /api/epochs',
  command: 'epoch create <id> <description>',
  tools: 'standard',
  examples: [
    {
      title: 'an incident',
      input: { id: '2026-05-incident', description: 'Node 3 recovery', root_intents: ['intent-001'] },
    },
  ],
  async run(repo, { id, description, root_intents, since }) {
    const isMoment = momentField.safeParse(since).success
    const from = isMoment ? new Date(since!) : since
    const made = epochs(repo).create(id, description, { rootIntents: root_intents, since: from })
    return wireEpoch(await made)
  },
  again: async (repo, { id }) => wireEpoch(await epochs(repo).get(id)),
})

const sealEpoch = operation({
  name: 'seal_epoch',
  summary: 'Close an epoch, so that any later change of it can be detected',
  guidance: 'Computes the Merkle root of the whole log and signs it when the store has a key. It cannot be undone.',
  capability: 'seal',
  effect: 'destructive',
  input: () => ({
    id: epochId,
    summary: z.string().min(1).describe('What was reached'),
  }),
  output: () => epochSchema,
  route: 'POST /api/epochs/seal',
  command: 'epoch seal <id> <summary>',
  tools: 'standard',
  cost: 'maintenance',
  examples: [{ title: 'the incident is over', input: { id: 'open-epoch', summary: 'Recovered node 3' } }],
  run: async (repo, { id, summary }) => wireEpoch(await epochs(repo).seal(id, summary)),
  again: async (repo, { id }) => wireEpoch(await epochs(repo).get(id)),
})

const listEpochs = operation({
  name: 'list_epochs',
  summary: 'List epochs',
  guidance:
    'Returns them in the order in which they were opened, with status, counts and, once sealed, root and signature.',
  ...reading,
  input: () => ({
    status: z.enum(['open', 'sealed', 'archived']).optional().describe('Only those'),
    ...pageFields(50),
  }),
  output: () => pageOf(epochSchema),
  route: 'GET /api/epochs',
  command: 'epoch list',
  tools: 'standard',
  examples: [{ title: 'what is open', input: { status: 'open' } }],
  run: async (repo, { status, ...page }) => wirePage(epochs(repo).list({ status }), page, wireEpoch),
})

const getEpoch = operation({
  name: 'get_epoch',
  summary: 'Show one epoch',
  guidance: 'Returns status, counts, agents and, once sealed, the root of the log and its signature.',
  ...reading,
  input: () => ({ id: epochId }),
  output: () => epochSchema,
  route: 'GET /api/epochs/{id}',
  command: 'epoch show <id>',
  examples: [{ title: 'a sealed epoch', input: { id: 'sealed-epoch' } }],
  run: async (repo, { id }) => wireEpoch(await epochs(repo).get(id)),
})

const signEpoch = operation({
  name: 'sign_epoch',
  summary: 'Sign a sealed epoch that has no signature',
  guidance:
    'Use it for an epoch that was sealed without a key, or while the key was unavailable. The store needs a key.',
  capability: 'seal',
  effect: 'write',
  idempotent: true,
  input: () => ({ id: epochId }),
  output: () => epochSchema,
  route: 'POST /api/epochs/{id}/sign',
  command: 'epoch sign <id>',
  examples: [{ title: 'sign it now', input: { id: 'sealed-epoch' } }],
  run: async (repo, { id }) => wireEpoch(await epochs(repo).sign(id)),
})

const archiveEpoch = operation({
  name: 'archive_epoch',
  summary: 'Archive a sealed epoch',
  guidance: 'Marks it as no longer current. It can still be read and exported, and its commits stay.',
  capability: 'seal',
  effect: 'write',
  idempotent: true,
  input: () => ({ id: epochId }),
  output: () => epochSchema,
  route: 'POST /api/epochs/{id}/archive',
  command: 'epoch archive <id>',
  examples: [{ title: 'done with it', input: { id: 'sealed-epoch' } }],
  async run(repo, { id }) {
    const found = epochs(repo)
    await found.archive(id)
    return wireEpoch(await found.get(id))
  },
})

const exportEpoch = operation({
  name: 'export_epoch',
  summary: 'Export a sealed epoch as a bundle that can be verified without the store',
  guidance:
    'Returns lines of JSON for a file. The receiver checks them with verify_bundle or a stand-alone verifier, and with a public ' +
    'key from a separate channel. profile says how much of the states and texts it contains.',
  capability: 'export',
  effect: 'read',
  input: () => ({
    id: epochId,
    profile: z
      .enum(['full', 'log', 'redacted'])
      .default('full')
      .describe('full: everything; log: no states; redacted: neither states nor texts of users'),
    paths: z.array(z.string()).max(1000).optional().describe('Include only these parts of the states; * is one key'),
    since: z.number().int().min(0).optional().describe('The size of a signed head that the receiver already has'),
  }),
  output: () => z.string().describe('One line, with its line feed'),
  route: 'GET /api/epochs/{id}/export',
  command: 'epoch export <id>',
  stream: 'lines',
  cost: 'maintenance',
  examples: [{ title: 'for the auditor', input: { id: 'sealed-epoch' } }],
  run: async (repo, { id, profile, paths, since }, { onProgress }) =>
    epochs(repo).export(id, { profile, paths, since, onProgress }),
})

const witnessRequest = operation({
  name: 'witness_request',
  summary: 'Create the request with which a witness cosigns an epoch',
  guidance: 'Send the text to the witness (POST /add-checkpoint) and pass its answer to cosign_epoch.',
  capability: 'seal',
  effect: 'read',
  input: () => ({
    id: epochId,
    seen: z.number().int().min(0).default(0).describe('The size of the last head that the witness signed'),
  }),
  output: () => z.strictObject({ id: z.string(), request: z.string() }),
  route: 'GET /api/epochs/{id}/witness-request',
  command: 'epoch witness-request <id>',
  examples: [{ title: 'the first head of this log', input: { id: 'sealed-epoch' } }],
  run: async (repo, { id, seen }) => ({ id, request: await epochs(repo).witnessRequest(id, seen) }),
})

const cosignEpoch = operation({
  name: 'cosign_epoch',
  summary: 'Store the signature of a witness with an epoch',
  guidance: 'The answer is checked with the public key of the witness before it is stored.',
  capability: 'seal',
  effect: 'write',
  idempotent: true,
  input: () => ({
    id: epochId,
    answer: z.string().min(1).describe('What the witness answered'),
    key: z.string().min(1).describe('The public key of the witness, name+hash+base64'),
  }),
  output: () => epochSchema,
  route: 'POST /api/epochs/{id}/cosign',
  command: 'epoch cosign <id> <answer> <key>',
  examples: [
    {
      title: 'a witness has signed',
      input: { id: 'sealed-epoch', answer: '— witness.example …', key: 'witness.example+2b9e63a8+BDt…' },
    },
  ],
  run: async (repo, { id, answer, key }) => wireEpoch(await epochs(repo).cosign(id, answer, key)),
})

export const epochOperations: readonly Operation[] = inGroup('epochs', [
  createEpoch,
  sealEpoch,
  listEpochs,
  getEpoch,
  signEpoch,
  archiveEpoch,
  exportEpoch,
  witnessRequest,
  cosignEpoch,
])
