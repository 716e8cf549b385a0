/** What people want next after plans, tasks, graphs, threads and memories. */
import { isRecord } from '../../../wire/wired.ts'
import { type Done, firstOf, type Steps, word } from './done.ts'

function listed({ input: { plan } }: Done): string {
  return `task list ${word(plan)}`
}

/** A claimed task is completed with proof: the commit that did it. */
function proven({ input: { plan }, result }: Done): string {
  const { id } = isRecord(result['task']) ? result['task'] : result
  return id === undefined ? `task list ${word(plan)}` : `task complete ${word(plan)} ${word(id)} commit HEAD`
}

function threadOf({ graph, thread }: Done['input']): string {
  return `${word(graph)} ${word(thread)}`
}

export const workSteps: Steps = {
  create_plan: ({ result: { name } }) => `task add ${word(name)} 'What to do'`,
  list_plans: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? "plan create move 'What it is for'" : `task list ${word(first['name'])}`
  },
  get_plan: listed,
  close_plan: () => 'plan list',
  archive_plan: () => 'plan list',
  verify_plan: listed,
  add_task: ({ input: { plan } }) => `task claim ${word(plan)}`,
  add_tasks: listed,
  list_tasks: ({ input, result }) => {
    const { items } = result
    const tasks = Array.isArray(items) ? items.filter(isRecord) : []
    const held = tasks.find(({ status }) => status === 'in-progress')
    if (tasks.some(({ status }) => status === 'pending')) return `task claim ${word(input['plan'])}`
    return held === undefined ? `task add ${word(input['plan'])} 'What to do'` : proven({ input, result: held })
  },
  get_task: listed,
  next_task: ({ input: { plan } }) => `task claim ${word(plan)}`,
  assign_task: listed,
  change_task: listed,
  claim_task: proven,
  start_task: proven,
  renew_task: proven,
  release_task: listed,
  complete_task: listed,
  abandon_task: listed,
  list_graphs: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? undefined : `graph show ${word(first['name'])}`
  },
  get_graph: ({ input: { graph } }) => `thread list ${word(graph)}`,
  list_threads: ({ input: { graph }, result }) => {
    const first = firstOf(result)
    return `thread ${first === undefined ? `run ${word(graph)} case-1` : `show ${word(graph)} ${word(first['thread'] ?? first['id'])}`}`
  },
  get_thread: ({ input }) => `thread history ${threadOf(input)}`,
  thread_history: ({ input }) => `thread show ${threadOf(input)}`,
  run_thread: ({ input, result: { status } }) =>
    status === 'paused'
      ? `thread resume ${threadOf(input)} --answers '{"value":true}'`
      : `thread show ${threadOf(input)}`,
  resume_thread: ({ input }) => `thread history ${threadOf(input)}`,
  update_thread: ({ input }) => `thread show ${threadOf(input)}`,
  fork_thread: ({ input }) => `thread history ${threadOf(input)}`,
  delete_thread: ({ input: { graph } }) => `thread list ${word(graph)}`,
  memory_view: () => 'memory events',
  memory_events: () => 'memory view',
  list_agents: () => 'memory view',
  run_task: () => 'memory view',
}
