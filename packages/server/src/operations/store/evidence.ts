/** Checking what others hand over, and erasing what belongs to a person. */
import { checkHead, erase, erasures, findSignedHead, trustError, verifyBundle } from 'agentstategraph/trust'
import { z } from 'zod'
import { erasureSchema, verdictSchema, wireErasure, wireVerdict } from '../../wire/epoch.ts'
import { namespaceField } from '../../wire/fields.ts'
import { pageFields, pageIn, pageOf } from '../../wire/page.ts'
import { type Operation, operation, reading } from '../operation.ts'

const keysField = z
  .array(z.string())
  .max(64)
  .describe('Public keys, name+hash+base64, that came by another way than what they are to vouch for')

/** Lines with their line feeds, as a file has them. */
export function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}

const verifyBundleText = operation({
  name: 'verify_bundle',
  group: 'epochs',
  summary: 'Check a bundle that somebody exported',
  guidance:
    'Checks every line and gives a verdict by level: integrity, signed, extends, witnessed. Give the public keys that you ' +
    'trust, and a head kept from before as prior; what they are missing for is not checked and said so.',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    bundle: z.string().min(1).describe('The text of the bundle'),
    keys: keysField.default([]),
    prior: z.string().optional().describe('A signed head kept from an earlier time: the bundle must go on from there'),
  }),
  output: verdictSchema,
  route: 'POST /api/bundles/verify',
  command: 'bundle verify <bundle>',
  tools: 'all',
  examples: [{ title: 'what is in this file?', input: { bundle: '{"type":"header"}\n' } }],
  async run({ onProgress }, { bundle, keys, prior }) {
    return wireVerdict(await verifyBundle(linesOf(bundle), { keys, prior, onProgress }))
  },
})

const checkSignedHead = operation({
  name: 'check_head',
  group: 'epochs',
  summary: 'Check the signatures of a head',
  guidance: 'Says which of the keys that you hold have signed a head (a receipt, or the signature of an epoch).',
  capability: 'none',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ head: z.string().min(1).describe('The text of the signed head'), keys: keysField }),
  output: z.strictObject({
    origin: z.string(),
    size: z.number().int().describe('How many entries it covers'),
    root: z.string(),
    good: z.array(z.string()).describe('The keys whose signature is there and good'),
    wrong: z.array(z.string()).describe('The keys whose signature is there and wrong'),
  }),
  route: 'POST /api/heads/check',
  command: 'head check <head>',
  tools: 'all',
  examples: [{ title: 'a receipt', input: { head: 'agentstategraph/x\n1\n…\n', keys: [] } }],
  async run(_context, { head: text, keys }) {
    const head = findSignedHead(text)
    if (head === undefined) throw trustError('head-invalid', { what: 'The text given' })
    const { good, wrong } = await checkHead(head, keys)
    const { origin, size, root } = head
    return { origin, size, root, good: [...good], wrong: [...wrong] }
  },
})

const eraseSubject = operation({
  name: 'erase',
  group: 'epochs',
  summary: 'Destroy the keys of a person, so that their values become unreadable',
  guidance:
    'What protected paths hold of this subject becomes unreadable everywhere and for good, also in history and exports; ' +
    'history still verifies. Cannot be taken back.',
  capability: 'erase',
  effect: 'destructive',
  idempotent: true,
  input: z.strictObject({
    subject: z.string().min(1).max(512).describe('Who, as paths name the subject'),
    reason: z.string().min(1).describe('Why, for the journal'),
    namespace: namespaceField,
  }),
  output: z.strictObject({ erasures: z.array(erasureSchema) }),
  route: 'POST /api/erasures',
  command: 'erase <subject> <reason>',
  tools: 'all',
  examples: [{ title: 'a person asked for it', input: { subject: 'ada', reason: 'Request of the person' } }],
  async run({ repo }, { subject, reason, namespace }) {
    return { erasures: (await erase(await repo(namespace), subject, reason)).map(wireErasure) }
  },
})

const listErasures = operation({
  name: 'list_erasures',
  group: 'epochs',
  summary: 'List what was erased',
  guidance: 'Every key that was destroyed, with who asked, why and when. It never shows what was erased.',
  ...reading,
  input: z.strictObject({ ...pageFields(100), namespace: namespaceField }),
  output: pageOf(erasureSchema),
  route: 'GET /api/erasures',
  command: 'erasures',
  tools: 'all',
  examples: [{ title: 'all of them', input: {} }],
  async run({ repo }, { namespace, ...page }) {
    return pageIn((await erasures(await repo(namespace))).map(wireErasure), ({ seq }) => seq, page)
  },
})

export const evidenceOperations: readonly Operation[] = [verifyBundleText, checkSignedHead, eraseSubject, listErasures]
