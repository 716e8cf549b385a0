/** Memories of agents: seen as text, what their tasks told, and running a task of the app. */
import { events, Versioned, view } from 'agentstategraph/memory'
import { z } from 'zod'
import { branchField, commitField, idField, namespaceField } from '../../wire/fields.ts'
import { jsonValue, stateValue, wireValue } from '../../wire/json-value.ts'
import { memoryEventKind, memoryEventSchema, wireMemoryEvent } from '../../wire/memory-event.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { getPart } from '../apps.ts'
import { type Operation, type OperationContext, operation, reading } from '../operation.ts'

const memoryFields = { ref: branchField.describe('The branch that the memory is'), namespace: namespaceField }

/** A memory on a repository that stays open when it is closed. */
async function memoryAt(
  { repo }: OperationContext,
  { ref, namespace }: { readonly ref: string; readonly namespace?: string | undefined },
): Promise<Versioned> {
  return Versioned.open(await repo(namespace), { branch: ref })
}

const memoryView = operation({
  name: 'memory_view',
  group: 'memory',
  summary: 'Show a memory as text: what changed lately, or everything',
  guidance:
    'For a person or a prompt: newest first, within a budget of characters, with what was removed. Give commit to see it as ' +
    'it was. An agent keeps its values at /<agent>/<key>, so get, log and blame work on memories too.',
  ...reading,
  input: z.strictObject({
    focus: z.enum(['recent', 'full']).default('recent').describe('What changed lately, or all that is there'),
    max_chars: z.number().int().min(100).max(1_000_000).default(4000).describe('How long the text may be'),
    commit: commitField.optional().describe('The memory as it was at this commit'),
    ...memoryFields,
  }),
  output: z.strictObject({ text: z.string() }),
  route: 'GET /api/memory',
  command: 'memory view',
  tools: 'standard',
  examples: [{ title: 'what is remembered', input: { focus: 'full' } }],
  async run(context, { focus, max_chars, commit, ...where }) {
    await using memory = await memoryAt(context, where)
    const seen = commit === undefined ? memory : await memory.checkout(commit)
    return { text: await view(seen, { focus, maxChars: max_chars }) }
  },
})

const memoryEvents = operation({
  name: 'memory_events',
  group: 'memory',
  summary: 'List what tasks with a memory told',
  guidance:
    'Oldest first: start, actions, outputs, errors, success or failure, each with the commits before and after.',
  ...reading,
  input: z.strictObject({
    agent: z.string().optional().describe('Only those of this agent'),
    kind: memoryEventKind.optional().describe('Only those of this kind'),
    after: z.number().int().min(0).optional().describe('The seq of the last event seen'),
    ...pageFields(100),
    ...memoryFields,
  }),
  output: pageOf(memoryEventSchema),
  route: 'GET /api/memory/events',
  command: 'memory events',
  tools: 'all',
  examples: [{ title: 'what the counter did', input: { agent: 'counter', ref: 'memory' } }],
  async run(context, { agent, kind, after, limit, cursor, ...where }) {
    await using memory = await memoryAt(context, where)
    return await wirePage(events(memory, { agent, kind, after }), { limit, cursor }, wireMemoryEvent)
  },
})

const listAgents = operation({
  name: 'list_agents',
  group: 'memory',
  summary: 'List the agents of the app and their tasks',
  guidance: 'Names to use with run_task. Empty when the server has no app.',
  ...reading,
  input: z.strictObject({}),
  output: z.strictObject({ agents: z.array(z.strictObject({ name: z.string(), tasks: z.array(z.string()) })) }),
  route: 'GET /api/agents',
  command: 'agent list',
  tools: 'all',
  examples: [{ title: 'who can be asked', input: {} }],
  async run({ apps }) {
    return { agents: Object.entries(apps?.agents ?? {}).map(([name, tasks]) => ({ name, tasks: Object.keys(tasks) })) }
  },
})

const runTask = operation({
  name: 'run_task',
  group: 'memory',
  summary: 'Run a task of an agent of the app, with its memory',
  guidance: 'Gives what the task returns. What it remembered is committed when it ends, also when it fails.',
  capability: 'commit',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    agent: idField.describe('The name of the agent'),
    task: idField.describe('The name of the task'),
    input: jsonValue.optional().describe('What the task takes'),
    ...memoryFields,
  }),
  output: z.strictObject({ result: jsonValue.optional() }),
  route: 'POST /api/agents/{agent}/tasks/{task}',
  command: 'agent run <agent> <task> [input]',
  tools: 'all',
  examples: [{ title: 'count on', input: { agent: 'counter', task: 'add', input: 2, ref: 'memory' } }],
  async run(context, { agent, task: name, input, ...where }) {
    const task = getPart('task', getPart('agent', context.apps?.agents, agent), name)
    await using memory = await memoryAt(context, where)
    const given = input === undefined ? undefined : stateValue(input)
    const result = await task(given, { state: memory, signal: context.signal })
    return result === undefined ? {} : { result: wireValue(result) }
  },
})

export const memoryOperations: readonly Operation[] = [memoryView, memoryEvents, listAgents, runTask]
