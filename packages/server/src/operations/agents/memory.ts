/** Memories of agents: shown as text, the events of their tasks, and running a task of the app. */
import type { Repository } from 'agentstategraph'
import { events, Versioned, view } from 'agentstategraph/memory'
import { z } from 'zod'
import { branchField, commitField, idField } from '../../wire/fields.ts'
import { jsonValue, wireValue } from '../../wire/json-value.ts'
import { memoryEventKind, memoryEventSchema, wireMemoryEvent } from '../../wire/memory-event.ts'
import { pacedStateValue } from '../../wire/pace/paced-value.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { getPart } from '../apps.ts'
import { globalOperation, inGroup, type Operation, operation, reading } from '../operation.ts'

const memoryFields = { ref: branchField.describe('The branch of the memory') }

/** Closing the memory leaves the repository open. */
function memoryAt(repo: Repository, { ref }: { readonly ref: string }): Promise<Versioned> {
  return Versioned.open(repo, { branch: ref })
}

const memoryView = operation({
  name: 'memory_view',
  summary: 'Show a memory as text: recent changes, or everything',
  guidance:
    'Returns text for a person or a prompt: newest first, within a budget of characters, including removals. With commit it ' +
    'shows an earlier state. An agent keeps its values at /<agent>/<key>, so get, log and blame work on memories too.',
  ...reading,
  input: () => ({
    focus: z.enum(['recent', 'full']).default('recent').describe('Recent changes, or everything'),
    max_chars: z.number().int().min(100).max(1_000_000).default(4000).describe('How long the text may be'),
    commit: commitField.optional().describe('The memory as it was at this commit'),
    ...memoryFields,
  }),
  output: () => z.strictObject({ text: z.string() }),
  route: 'GET /api/memory',
  command: 'memory view',
  examples: [{ title: 'what is remembered', input: { focus: 'full' } }],
  async run(repo, { focus, max_chars, commit, ...where }) {
    await using memory = await memoryAt(repo, where)
    const seen = commit === undefined ? memory : await memory.checkout(commit)
    return { text: await view(seen, { focus, maxChars: max_chars }) }
  },
})

const memoryEvents = operation({
  name: 'memory_events',
  summary: 'List the events of tasks with a memory',
  guidance:
    'Returns start, actions, outputs, errors, success or failure, oldest first, each with the commits before and after.',
  ...reading,
  input: () => ({
    agent: z.string().optional().describe('Only those of this agent'),
    kind: memoryEventKind.optional().describe('Only those of this kind'),
    after: z.number().int().min(0).optional().describe('The seq of the last event seen'),
    ...pageFields(100),
    ...memoryFields,
  }),
  output: () => pageOf(memoryEventSchema),
  route: 'GET /api/memory/events',
  command: 'memory events',
  examples: [{ title: 'what the counter did', input: { agent: 'counter', ref: 'memory' } }],
  async run(repo, { agent, kind, after, limit, cursor, ...where }) {
    await using memory = await memoryAt(repo, where)
    return await wirePage(events(memory, { agent, kind, after }), { limit, cursor }, wireMemoryEvent)
  },
})

const listAgents = globalOperation({
  name: 'list_agents',
  summary: 'List the agents of the app and their tasks',
  guidance: 'Returns names for run_task; none when the server has no app.',
  ...reading,
  input: () => ({}),
  output: () => z.strictObject({ agents: z.array(z.strictObject({ name: z.string(), tasks: z.array(z.string()) })) }),
  route: 'GET /api/agents',
  command: 'agent list',
  examples: [{ title: 'who can be asked', input: {} }],
  async run({ apps }) {
    return { agents: Object.entries(apps?.agents ?? {}).map(([name, tasks]) => ({ name, tasks: Object.keys(tasks) })) }
  },
})

const runTask = operation({
  name: 'run_task',
  summary: 'Run a task of an agent with its memory',
  guidance: 'Returns the result of the task. Its changes to the memory are committed when it ends, even when it fails.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    agent: idField.describe('The name of the agent'),
    task: idField.describe('The name of the task'),
    input: jsonValue.optional().describe('The input of the task'),
    ...memoryFields,
  }),
  output: () => z.strictObject({ result: jsonValue.optional() }),
  route: 'POST /api/agents/{agent}/tasks/{task}',
  command: 'agent run <agent> <task> [input]',
  runsIn: 'main',
  examples: [{ title: 'count on', input: { agent: 'counter', task: 'add', input: 2, ref: 'memory' } }],
  async run(repo, { agent, task: name, input, ...where }, context) {
    const task = getPart('task', getPart('agent', context.apps?.agents, agent), name)
    await using memory = await memoryAt(repo, where)
    const given = input === undefined ? undefined : await pacedStateValue(input, context.pace)
    const result = await task(given, { state: memory, signal: context.signal })
    return result === undefined ? {} : { result: wireValue(result) }
  },
  steps: 'first',
})

export const memoryOperations: readonly Operation[] = inGroup('memory', [memoryView, memoryEvents, listAgents, runTask])
