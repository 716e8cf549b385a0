/** Verifying bundles and signed heads, and erasing the data of a person. */
import { checkHead, erase, erasures, findSignedHead, trustError, verifyBundle } from 'agentstategraph/trust'
import { z } from 'zod'
import { erasureSchema, verdictSchema, wireVerdict } from '../../wire/epoch.ts'
import { pageFields, pageIn, pageOf } from '../../wire/page.ts'
import { globalOperation, inGroup, type Operation, type OperationContext, operation, reading } from '../operation.ts'

const keysField = z
  .array(z.string())
  .max(64)
  .describe('Trusted public keys, name+hash+base64, from another channel than the text to check')

/** The lines of a text, each with its line feed. */
export function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}

async function* pacedLines(text: string, pace: OperationContext['pace']): AsyncIterable<string> {
  for (const line of linesOf(text)) {
    await pace?.()
    yield line
  }
}

const verifyBundleText = globalOperation({
  name: 'verify_bundle',
  summary: 'Verify an exported bundle',
  guidance:
    'Checks every line and returns a verdict by level: integrity, signed, extends, witnessed. Give the public keys that you ' +
    'trust, and a head from an earlier time as prior; a level without its key or head is reported as not-checked.',
  capability: 'none',
  effect: 'read',
  input: () => ({
    bundle: z.string().min(1).describe('The text of the bundle'),
    keys: keysField.default([]),
    prior: z.string().optional().describe('A signed head from an earlier time; the bundle must extend it'),
  }),
  output: () => verdictSchema,
  route: 'POST /api/bundles/verify',
  command: 'bundle verify <bundle>',
  runsIn: 'worker',
  cost: 'maintenance',
  examples: [{ title: 'what is in this file?', input: { bundle: '{"type":"header"}\n' } }],
  async run({ onProgress, pace }, { bundle, keys, prior }) {
    return wireVerdict(await verifyBundle(pacedLines(bundle, pace), { keys, prior, onProgress }))
  },
})

const checkSignedHead = globalOperation({
  name: 'check_head',
  summary: 'Check the signatures of a head',
  guidance: 'Returns which of the given keys signed a head (a receipt, or the signature of an epoch).',
  capability: 'none',
  effect: 'read',
  input: () => ({ head: z.string().min(1).describe('The text of the signed head'), keys: keysField }),
  output: () =>
    z.strictObject({
      origin: z.string(),
      size: z.number().int().describe('How many entries it covers'),
      root: z.string(),
      good: z.array(z.string()).describe('The keys with a valid signature'),
      wrong: z.array(z.string()).describe('The keys with an invalid signature'),
    }),
  route: 'POST /api/heads/check',
  command: 'head check <head>',
  runsIn: 'worker',
  examples: [{ title: 'a receipt', input: { head: 'agentstategraph/x\n1\n…\n', keys: [] } }],
  async run(_context, { head: text, keys }) {
    const head = findSignedHead(text)
    if (head === undefined) throw trustError('head-invalid', { what: 'The text given' })
    const { good, wrong } = await checkHead(head, keys)
    const { origin, size, root } = head
    return { origin, size, root, good, wrong }
  },
})

const eraseSubject = operation({
  name: 'erase',
  summary: 'Destroy the encryption keys of a person, so that their values become unreadable',
  guidance:
    'The values of this subject at protected paths become unreadable everywhere, in history and exports too. History still ' +
    'verifies. It cannot be undone.',
  capability: 'erase',
  effect: 'destructive',
  idempotent: true,
  input: () => ({
    subject: z.string().min(1).max(512).describe('The subject, as it is named in paths'),
    reason: z.string().min(1).describe('Why, for the journal'),
  }),
  output: () => z.strictObject({ erasures: z.array(erasureSchema) }),
  route: 'POST /api/erasures',
  command: 'erase <subject> <reason>',
  examples: [{ title: 'a person asked for it', input: { subject: 'ada', reason: 'Request of the person' } }],
  run: async (repo, { subject, reason }) => ({ erasures: await erase(repo, subject, reason) }),
})

const listErasures = operation({
  name: 'list_erasures',
  summary: 'List what was erased',
  guidance: 'Returns every destroyed key with agent, reason and time, never the erased values.',
  ...reading,
  input: () => ({ ...pageFields(100) }),
  output: () => pageOf(erasureSchema),
  route: 'GET /api/erasures',
  command: 'erasures',
  examples: [{ title: 'all of them', input: {} }],
  run: async (repo, page) => pageIn(await erasures(repo), ({ seq }) => seq, page),
})

export const evidenceOperations: readonly Operation[] = inGroup('epochs', [
  verifyBundleText,
  checkSignedHead,
  eraseSubject,
  listErasures,
])
