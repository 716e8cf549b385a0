/** Delegated intents: proposed by one principal, authorised by another, worked on in a session, and ended with an outcome. */
import { access, type IntentAction, intentStatuses } from 'agentstategraph/access'
import { z } from 'zod'
import { reasonField } from '../../wire/access.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { delegatedIntentSchema } from '../../wire/session.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'

const idOfIntent = z.string().min(1).max(256).describe('The id of the intent')

const propose = operation({
  name: 'propose_intent',
  summary: 'Propose an intent',
  guidance:
    'Use it for work that another principal has to authorise first (authorize_intent). Then open a session with its id as ' +
    'intent, or start it by hand with start_intent.',
  capability: 'propose',
  effect: 'write',
  input: () => ({
    description: z.string().min(1).max(1024).describe('The goal, in a sentence'),
    id: idOfIntent.optional().describe('Its id; generated when left out'),
    parent: z.string().min(1).max(256).optional().describe('The intent that it serves'),
  }),
  output: () => delegatedIntentSchema,
  route: 'POST /api/access/intents',
  command: 'intent propose <description>',
  examples: [
    { title: 'move to new disks', input: { description: 'Move the storage to new disks', id: 'intent-disks' } },
  ],
  run: (repo, intent) => access(repo).intents.propose(intent),
  async again(repo, { id: given }, { id: made }) {
    const known = await access(repo).intents.list()
    // What a principal names that may not know all intents is kept below its own name.
    return known.find(({ id }) => (given === undefined ? id === made : id === given || id.endsWith(`/${given}`)))
  },
})

type Words = Pick<Operation, 'summary' | 'guidance' | 'capability'> & { readonly example: string; readonly id: string }

/** A change of an intent's status; all of them have the same input and output. */
function step(action: IntentAction, { example, id, ...words }: Words) {
  return operation({
    name: `${action}_intent`,
    ...words,
    effect: 'write',
    input: () => ({ id: idOfIntent, reason: reasonField }),
    output: () => delegatedIntentSchema,
    route: `POST /api/access/intents/{id}/${action}`,
    command: `intent ${action} <id>`,
    examples: [{ title: example.toLowerCase(), input: { id, reason: example } }],
    run: (repo, input) => access(repo).intents[action](input.id, input.reason),
    again: (repo, input) => access(repo).intents.get(input.id),
  })
}

const steps = [
  step('authorize', {
    summary: 'Authorise an intent that another principal proposed',
    guidance: 'Needs the capability approve; the principal that proposed it cannot authorise it. Then work can start.',
    capability: 'approve',
    id: 'intent-proposed',
    example: 'The budget is there',
  }),
  step('start', {
    summary: 'Start or resume work on an intent',
    guidance:
      'Allowed from authorized and from blocked. A session that is created with the intent does this by itself.',
    capability: 'none',
    id: 'intent-authorized',
    example: 'The disks have arrived',
  }),
  step('complete', {
    summary: 'Mark an intent as completed',
    guidance:
      'Allowed from in-progress, for the principal that proposed it or works on it. end_session does this by itself.',
    capability: 'none',
    id: 'intent-begun',
    example: 'All data is on the new disks',
  }),
  step('fail', {
    summary: 'Mark an intent as failed',
    guidance: 'Allowed from in-progress, and final; for work that only has to wait use block_intent.',
    capability: 'none',
    id: 'intent-begun',
    example: 'The disks are too small',
  }),
  step('block', {
    summary: 'Mark an intent as blocked',
    guidance: 'Allowed from in-progress. Give as reason what it waits for; start_intent resumes it.',
    capability: 'none',
    id: 'intent-begun',
    example: 'The disks are late',
  }),
]

const get = operation({
  name: 'get_intent',
  summary: 'Show a delegated intent',
  guidance:
    'Returns who proposed and authorised it, its session, its status and the reason for it. intent_tree shows its commits.',
  ...reading,
  input: () => ({ id: idOfIntent }),
  output: () => delegatedIntentSchema,
  route: 'GET /api/access/intents/{id}',
  command: 'intent show <id>',
  examples: [{ title: 'is it authorised?', input: { id: 'intent-authorized' } }],
  run: (repo, { id }) => access(repo).intents.get(id),
})

const list = operation({
  name: 'list_intents',
  summary: 'List delegated intents',
  guidance: 'Returns intents that were proposed or delegated. Status proposed shows those that wait for authorisation.',
  ...reading,
  input: () => ({
    status: z.enum(intentStatuses).optional().describe('Only these'),
    ...pageFields(100),
  }),
  output: () => pageOf(delegatedIntentSchema),
  route: 'GET /api/access/intents',
  command: 'intent list',
  examples: [{ title: 'what waits for a decision?', input: { status: 'proposed' } }],
  run: async (repo, { status, ...page }) => wirePage(access(repo).intents.list({ status }), page),
})

export const delegatedIntentOperations: readonly Operation[] = inGroup('sessions', [propose, ...steps, get, list])
