/** Delegated intents: wanted by one, authorised by another, worked on in a session, and ended with what came of them. */
import { access, type IntentAction, intentStatuses } from 'agentstategraph/access'
import { z } from 'zod'
import { reasonField } from '../../wire/access.ts'
import { namespaceField } from '../../wire/fields.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { delegatedIntentSchema, wireDelegatedIntent } from '../../wire/session.ts'
import { type Operation, operation, reading } from '../operation.ts'

const idOfIntent = z.string().min(1).max(256).describe('The id of the intent')

const propose = operation({
  name: 'propose_intent',
  group: 'sessions',
  summary: 'Propose that something be done',
  guidance:
    'For work that somebody else should agree to first. When it is authorised (authorize_intent), open a session for it with ' +
    'intent, or move it on by hand with start_intent.',
  capability: 'propose',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    description: z.string().min(1).max(1024).describe('What is wanted, in a sentence'),
    id: idOfIntent.optional().describe('Its id, if you want to choose it'),
    parent: z.string().min(1).max(256).optional().describe('The intent that it serves'),
    namespace: namespaceField,
  }),
  output: delegatedIntentSchema,
  route: 'POST /api/access/intents',
  command: 'intent propose <description>',
  tools: 'all',
  examples: [
    { title: 'move to new disks', input: { description: 'Move the storage to new disks', id: 'intent-disks' } },
  ],
  async run({ repo }, { namespace, ...intent }) {
    return wireDelegatedIntent(await access(await repo(namespace)).intents.propose(intent))
  },
})

type Words = Pick<Operation, 'summary' | 'guidance' | 'capability'> & { readonly example: string; readonly id: string }

/** A step of an intent: all of them take and give the same. */
function step(action: IntentAction, { example, id, ...words }: Words): Operation {
  return operation({
    name: `${action}_intent`,
    group: 'sessions',
    ...words,
    effect: 'write',
    idempotent: false,
    input: z.strictObject({ id: idOfIntent, reason: reasonField, namespace: namespaceField }),
    output: delegatedIntentSchema,
    route: `POST /api/access/intents/{id}/${action}`,
    command: `intent ${action} <id>`,
    tools: 'all',
    examples: [{ title: example.toLowerCase(), input: { id, reason: example } }],
    async run({ repo }, input) {
      return wireDelegatedIntent(await access(await repo(input.namespace)).intents[action](input.id, input.reason))
    },
  })
}

const steps: readonly Operation[] = [
  step('authorize', {
    summary: 'Agree to an intent that somebody else proposed',
    guidance: 'Needs the capability approve, and another principal than the one who proposed it. Then work can begin.',
    capability: 'approve',
    id: 'intent-proposed',
    example: 'The budget is there',
  }),
  step('start', {
    summary: 'Say that work on an intent has begun, or goes on',
    guidance: 'From authorized, or from blocked. A session with intent does this by itself.',
    capability: 'none',
    id: 'intent-authorized',
    example: 'The disks have arrived',
  }),
  step('complete', {
    summary: 'Say that an intent is reached',
    guidance: 'From in-progress, by whoever proposed it or works on it. end_session does this by itself.',
    capability: 'none',
    id: 'intent-begun',
    example: 'All data is on the new disks',
  }),
  step('fail', {
    summary: 'Say that an intent will not be reached',
    guidance: 'From in-progress, and for good; for what only has to wait use block_intent.',
    capability: 'none',
    id: 'intent-begun',
    example: 'The disks are too small',
  }),
  step('block', {
    summary: 'Say that work on an intent has to wait',
    guidance: 'From in-progress. Say what it waits for; start_intent lets it go on.',
    capability: 'none',
    id: 'intent-begun',
    example: 'The disks are late',
  }),
]

const get = operation({
  name: 'get_intent',
  group: 'sessions',
  summary: 'Show where a delegated intent is',
  guidance:
    'Who proposed and authorised it, the session that works on it, and why it is where it is. intent_tree shows its commits.',
  ...reading,
  input: z.strictObject({ id: idOfIntent, namespace: namespaceField }),
  output: delegatedIntentSchema,
  route: 'GET /api/access/intents/{id}',
  command: 'intent show <id>',
  tools: 'all',
  examples: [{ title: 'is it authorised?', input: { id: 'intent-authorized' } }],
  async run({ repo }, { id, namespace }) {
    return wireDelegatedIntent(await access(await repo(namespace)).intents.get(id))
  },
})

const list = operation({
  name: 'list_intents',
  group: 'sessions',
  summary: 'List delegated intents by where they are',
  guidance: 'What was proposed or delegated; with status proposed, what waits for somebody to agree.',
  ...reading,
  input: z.strictObject({
    status: z.enum(intentStatuses).optional().describe('Only these'),
    ...pageFields(100),
    namespace: namespaceField,
  }),
  output: pageOf(delegatedIntentSchema),
  route: 'GET /api/access/intents',
  command: 'intent list',
  tools: 'all',
  examples: [{ title: 'what waits for a decision?', input: { status: 'proposed' } }],
  async run({ repo }, { status, namespace, ...page }) {
    return wirePage(access(await repo(namespace)).intents.list({ status }), page, wireDelegatedIntent)
  },
})

export const delegatedIntentOperations: readonly Operation[] = [propose, ...steps, get, list]
