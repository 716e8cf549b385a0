/** Tasks of plans: added, listed, assigned and changed. Claiming and completing them is in held-tasks.ts. */
import { z } from 'zod'
import { jsonValue, stateValue } from '../../wire/json-value.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import { priority, taskSchema, taskStatus, wireTask } from '../../wire/plan.ts'
import { inGroup, type Operation, operation, reading } from '../operation.ts'
import { planAt, planFields, taskFields, tasksOf } from './plan-fields.ts'

const newTaskFields = {
  title: z.string().min(1).describe('What has to be done'),
  priority: priority.default('medium').describe('Higher priorities are claimed first'),
  parent: z.string().optional().describe('The task that this one is part of; a parent waits for its parts'),
  blocked_by: z.array(z.string()).max(256).default([]).describe('Tasks that must be done first'),
  assignee: z.string().optional().describe('The only agent that may claim it'),
  payload: jsonValue.optional().describe('Data for the agent that does it'),
}

const newTaskSchema = z.strictObject(newTaskFields)

function newTask({ blocked_by, payload, ...task }: z.output<typeof newTaskSchema>) {
  const carried = payload === undefined ? {} : { payload: stateValue(payload) }
  return { ...task, blockedBy: blocked_by, ...carried }
}

const addTask = operation({
  name: 'add_task',
  summary: 'Add a task to a plan',
  guidance: 'blocked_by names the tasks that have to be done first, parent the task that it is part of.',
  capability: 'commit',
  effect: 'write',
  input: () => ({ ...newTaskFields, ...planFields }),
  output: () => taskSchema,
  route: 'POST /api/plans/{plan}/tasks',
  command: 'task add <plan> <title>',
  tools: 'standard',
  examples: [{ title: 'write the notes', input: { plan: 'release-1', title: 'Write notes', blocked_by: ['t-1'] } }],
  run: async (repo, { plan, ref, ...task }) => wireTask(await (await planAt(repo, { plan, ref })).add(newTask(task))),
  again: async (repo, place, done) => (await tasksOf(repo, place, done))[0],
})

const addTasks = operation({
  name: 'add_tasks',
  summary: 'Add several tasks to a plan in one commit',
  guidance: 'They may refer to existing tasks. Either all are added or none is.',
  capability: 'commit',
  effect: 'write',
  input: () => ({ tasks: z.array(newTaskSchema).min(1).max(1000).describe('The new tasks'), ...planFields }),
  output: () => z.strictObject({ tasks: z.array(taskSchema) }),
  route: 'POST /api/plans/{plan}/tasks/many',
  command: 'task add-many <plan>',
  examples: [{ title: 'two of them', input: { plan: 'release-1', tasks: [{ title: 'Build' }, { title: 'Test' }] } }],
  async run(repo, { tasks, ...place }) {
    const added = await (await planAt(repo, place)).add(tasks.map(newTask))
    return { tasks: added.map(wireTask) }
  },
  async again(repo, place, done) {
    const tasks = await tasksOf(repo, place, done, place.tasks.length)
    return tasks.length === 0 ? undefined : { tasks }
  },
})

const listTasks = operation({
  name: 'list_tasks',
  summary: 'List the tasks of a plan',
  guidance: 'Returns them by number, with status, holder and blockers. next_task shows the one that you would get.',
  ...reading,
  input: () => ({
    status: taskStatus.optional().describe('Only those'),
    assignee: z.string().optional().describe('Only those assigned to this agent'),
    ...pageFields(100),
    ...planFields,
  }),
  output: () => pageOf(taskSchema),
  route: 'GET /api/plans/{plan}/tasks',
  command: 'task list <plan>',
  tools: 'standard',
  examples: [{ title: 'what is left', input: { plan: 'release-1', status: 'pending' } }],
  async run(repo, { status, assignee, limit, cursor, ...place }) {
    const tasks = (await planAt(repo, place)).tasks({ status, assignee })
    return wirePage(tasks, { limit, cursor }, wireTask)
  },
})

const getTask = operation({
  name: 'get_task',
  summary: 'Show a task',
  guidance: 'Returns one task with its payload, its holder and lease, and its proof once it is done.',
  ...reading,
  input: () => taskFields,
  output: () => taskSchema,
  route: 'GET /api/plans/{plan}/tasks/{id}',
  command: 'task show <plan> <id>',
  examples: [{ title: 'the first', input: { plan: 'release-1', id: 't-1' } }],
  run: async (repo, { id, ...place }) => wireTask(await (await planAt(repo, place)).get(id)),
})

const nextTask = operation({
  name: 'next_task',
  summary: 'Show the task that an agent would get next',
  guidance: 'Does not claim it: claim_task does. task is absent when none is available now.',
  ...reading,
  input: () => ({ agent: z.string().optional().describe('The agent; you when left out'), ...planFields }),
  output: () => z.strictObject({ task: taskSchema.optional() }),
  route: 'GET /api/plans/{plan}/next',
  command: 'task next <plan>',
  tools: 'standard',
  examples: [{ title: 'what should I do?', input: { plan: 'release-1' } }],
  async run(repo, { agent, ...place }) {
    const task = await (await planAt(repo, place, agent)).next()
    return task === undefined ? {} : { task: wireTask(task) }
  },
})

const assignTask = operation({
  name: 'assign_task',
  summary: 'Assign a task to an agent',
  guidance: 'Only this agent can claim it then. Without assignee every agent can.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: () => ({
    ...taskFields,
    assignee: z.string().optional().describe('The agent; when left out, every agent may claim it'),
  }),
  output: () => taskSchema,
  route: 'POST /api/plans/{plan}/tasks/{id}/assign',
  command: 'task assign <plan> <id> [assignee]',
  examples: [{ title: 'for the writer', input: { plan: 'release-1', id: 't-1', assignee: 'agent/writer' } }],
  run: async (repo, { id, assignee, ...place }) =>
    wireTask(await (await planAt(repo, place)).change(id, { assignee: assignee ?? null })),
})

const changeTask = operation({
  name: 'change_task',
  summary: "Change a task's priority or what blocks it",
  guidance: 'A field that is left out does not change. blocked_by replaces the whole list; a cycle is refused.',
  capability: 'commit',
  effect: 'write',
  idempotent: true,
  input: () => ({
    ...taskFields,
    priority: priority.optional().describe('Higher priorities are claimed first'),
    blocked_by: z.array(z.string()).max(256).optional().describe('Tasks that must be done first'),
  }),
  output: () => taskSchema,
  route: 'POST /api/plans/{plan}/tasks/{id}/change',
  command: 'task change <plan> <id>',
  examples: [{ title: 'this first', input: { plan: 'release-1', id: 't-1', priority: 'critical' } }],
  async run(repo, { id, priority: of, blocked_by, ...place }) {
    const changes = { priority: of, blockedBy: blocked_by }
    return wireTask(await (await planAt(repo, place)).change(id, changes))
  },
})

export const taskOperations: readonly Operation[] = inGroup('plans', [
  addTask,
  addTasks,
  listTasks,
  getTask,
  nextTask,
  assignTask,
  changeTask,
])
