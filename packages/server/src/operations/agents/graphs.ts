/** Graphs of the app and their threads: shown, run, resumed with answers, updated and forked. */
import type { Repository } from 'agentstategraph'
import { z } from 'zod'
import { idField } from '../../wire/fields.ts'
import { jsonValue } from '../../wire/json-value.ts'
import { pacedMap, pacedStateValue } from '../../wire/pace/paced-value.ts'
import { pageFields, pageOf, wirePage } from '../../wire/page.ts'
import {
  followedKinds,
  pictureSchema,
  threadEventSchema,
  threadStateSchema,
  threadStatus,
  wirePicture,
  wireThreadEvent,
  wireThreadState,
} from '../../wire/thread.ts'
import type { Wire } from '../../wire/wired.ts'
import { type AnyApp, getPart } from '../apps.ts'
import { globalOperation, inGroup, type Operation, type OperationContext, operation, reading } from '../operation.ts'

const graphFields = { graph: idField.describe('The name of the graph in the app') }
const threadFields = { thread: idField.describe('The id of the thread'), ...graphFields }

function graphAt(repo: Repository, graph: string, { apps }: OperationContext): AnyApp {
  return getPart('graph', apps?.graphs, graph)(repo)
}

interface ThreadPlace {
  readonly graph: string
  readonly thread: string
}

function threadAt(repo: Repository, { graph, thread }: ThreadPlace, context: OperationContext) {
  return graphAt(repo, graph, context).thread(thread)
}

const listGraphs = globalOperation({
  name: 'list_graphs',
  summary: 'List the graphs of the app',
  guidance: 'Returns names for list_threads and run_thread; none when the server has no app.',
  ...reading,
  input: () => ({}),
  output: () => z.strictObject({ graphs: z.array(z.string()) }),
  route: 'GET /api/graphs',
  command: 'graph list',
  examples: [{ title: 'what can run here', input: {} }],
  async run({ apps }) {
    return { graphs: Object.keys(apps?.graphs ?? {}) }
  },
})

const getGraph = operation({
  name: 'get_graph',
  summary: 'Show the nodes and edges of a graph',
  guidance: 'Returns the graph as data and as a Mermaid diagram.',
  ...reading,
  input: () => graphFields,
  output: () => z.strictObject({ graph: z.string(), mermaid: z.string(), picture: pictureSchema }),
  route: 'GET /api/graphs/{graph}',
  command: 'graph show <graph>',
  examples: [{ title: 'what does it do?', input: { graph: 'review' } }],
  async run(repo, place, context) {
    const app = graphAt(repo, place.graph, context)
    return { graph: place.graph, mermaid: app.getMermaid(), picture: wirePicture(app.getGraph()) }
  },
})

const listThreads = operation({
  name: 'list_threads',
  summary: 'List the threads of a graph',
  guidance: 'Returns threads by id, with status. A paused thread waits for an answer: get_thread shows the question.',
  ...reading,
  input: () => ({
    ...graphFields,
    prefix: z.string().optional().describe('How the ids begin'),
    status: threadStatus.optional().describe('Only those'),
    ...pageFields(50),
  }),
  output: () => pageOf(z.strictObject({ id: z.string(), status: threadStatus })),
  route: 'GET /api/graphs/{graph}/threads',
  command: 'thread list <graph>',
  examples: [{ title: 'who waits for an answer?', input: { graph: 'review', status: 'paused' } }],
  run: async (repo, { graph, prefix, status, ...page }, context) =>
    wirePage(graphAt(repo, graph, context).threads({ prefix, status }), page),
})

const getThread = operation({
  name: 'get_thread',
  summary: 'Show the state of a thread',
  guidance:
    'Returns its state after the finished nodes, the nodes that come next and, when it is paused, what it asks: answer with ' +
    'resume_thread.',
  ...reading,
  input: () => threadFields,
  output: () => threadStateSchema,
  route: 'GET /api/graphs/{graph}/threads/{thread}',
  command: 'thread show <graph> <thread>',
  examples: [{ title: 'what does it ask?', input: { graph: 'review', thread: 'case-1' } }],
  run: async (repo, place, context) => wireThreadState(await threadAt(repo, place, context).state()),
})

const threadHistory = operation({
  name: 'thread_history',
  summary: 'Show the steps of a thread, newest first',
  guidance:
    'Returns each step with the state after it and its commit. fork_thread with from starts a new thread at one of them.',
  ...reading,
  input: () => ({ ...threadFields, ...pageFields(20) }),
  output: () => pageOf(threadStateSchema),
  route: 'GET /api/graphs/{graph}/threads/{thread}/history',
  command: 'thread history <graph> <thread>',
  examples: [{ title: 'how it came here', input: { graph: 'review', thread: 'case-1' } }],
  run: async (repo, { limit, cursor, ...place }, context) =>
    wirePage(threadAt(repo, place, context).history(), { limit, cursor }, wireThreadState),
})

const watchThread = operation({
  name: 'watch_thread',
  summary: 'Follow the runs of a thread',
  guidance:
    'Streams the status of the thread, then what happens in its runs on this server from now on: nodes that start, retry, fail, ' +
    'pause and end, their updates, and the messages of models as they come. thread_history shows the steps of the past.',
  ...reading,
  input: () => threadFields,
  output: () => threadEventSchema,
  route: 'GET /api/graphs/{graph}/threads/{thread}/watch',
  command: 'thread watch <graph> <thread>',
  stream: 'events',
  runsIn: 'main',
  examples: [{ title: 'what it says while it runs', input: { graph: 'review', thread: 'case-1' } }],
  run: async (repo, place, context) => followed(threadAt(repo, place, context), context.signal),
})

async function* followed(
  thread: ReturnType<typeof threadAt>,
  signal: AbortSignal,
): AsyncGenerator<Wire<typeof threadEventSchema>> {
  const { status } = await thread.state()
  yield { kind: 'status', status }
  for await (const event of thread.events({ events: followedKinds, signal })) yield wireThreadEvent(event)
}

const runThread = operation({
  name: 'run_thread',
  summary: 'Run a thread with an input until it ends or pauses',
  guidance: 'Starts the thread when there is none with this id. The result is done, paused with a question, or failed.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    ...threadFields,
    input: jsonValue.describe('The input of the graph'),
    max_steps: z.number().int().min(1).optional().describe('More steps than this are an error'),
    when_busy: z
      .enum(['reject', 'queue', 'merge'])
      .default('reject')
      .describe('When another run is active on the thread: refuse, wait, or run concurrently and merge'),
  }),
  output: () => threadStateSchema,
  route: 'POST /api/graphs/{graph}/threads/{thread}/run',
  command: 'thread run <graph> <thread> <input>',
  runsIn: 'main',
  examples: [{ title: 'a new case', input: { graph: 'review', thread: 'case-2', input: { draft: 'Hello' } } }],
  async run(repo, { input, max_steps, when_busy, ...place }, context) {
    const thread = threadAt(repo, place, context)
    const options = { signal: context.signal, maxSteps: max_steps, whenBusy: when_busy }
    return wireThreadState(await thread.run(await pacedStateValue(input, context.pace), options))
  },
  // What a run that died had not done is done now.
  async again(repo, place, _done, context) {
    const thread = threadAt(repo, place, context)
    const state = await thread.state()
    const hasEnded = state.status !== 'idle' && state.status !== 'running'
    return wireThreadState(hasEnded ? state : await thread.resume([], { signal: context.signal }))
  },
  steps: 'first',
})

const resumeThread = operation({
  name: 'resume_thread',
  summary: 'Resume a thread with answers',
  guidance: 'A single open question needs no id. Without answers it resumes a thread that was interrupted by a crash.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    ...threadFields,
    answers: z
      .array(
        z.strictObject({
          id: z.string().optional(),
          value: jsonValue,
          by: z.string().optional().describe('Who answers; the caller when left out'),
          reason: z.string().optional(),
        }),
      )
      .max(1000)
      .default([])
      .describe('The answers; id names the interrupt when there are several'),
  }),
  output: () => threadStateSchema,
  route: 'POST /api/graphs/{graph}/threads/{thread}/resume',
  command: 'thread resume <graph> <thread>',
  runsIn: 'main',
  examples: [
    { title: 'yes', input: { graph: 'review', thread: 'case-1', answers: [{ value: true, reason: 'It reads well' }] } },
  ],
  async run(repo, { answers, ...place }, context) {
    const thread = threadAt(repo, place, context)
    const { pace } = context
    const given = await pacedMap(
      answers,
      async ({ value, ...said }) => ({ ...said, value: await pacedStateValue(value, pace) }),
      pace,
    )
    return wireThreadState(await thread.resume(given, { signal: context.signal }))
  },
  // An answer is kept when its node asks for it, which need not be the first append. One that names its interrupt is taken once.
  steps: 'unkeyed',
})

const updateThread = operation({
  name: 'update_thread',
  summary: 'Update the state of a thread as if a node had returned it',
  guidance:
    'The update goes through the reducers of the graph. as names the node that it counts as; its edges decide what comes next. ' +
    'When that node waits together with others, their work is kept.',
  capability: 'commit',
  effect: 'write',
  input: () => ({
    ...threadFields,
    update: jsonValue.describe('The value that a node would return'),
    as: z.string().optional().describe('The node that it counts as'),
  }),
  output: () => threadStateSchema,
  route: 'POST /api/graphs/{graph}/threads/{thread}/update',
  command: 'thread update <graph> <thread> <update>',
  runsIn: 'main',
  examples: [{ title: 'a better draft', input: { graph: 'review', thread: 'case-1', update: { draft: 'Hi' } } }],
  async run(repo, { update, as, ...place }, context) {
    const thread = threadAt(repo, place, context)
    return wireThreadState(await thread.update(await pacedStateValue(update, context.pace), { as }))
  },
  again: async (repo, place, _done, context) => wireThreadState(await threadAt(repo, place, context).state()),
})

const forkThread = operation({
  name: 'fork_thread',
  summary: 'Fork a thread from its current or an earlier state',
  guidance: 'from is a commit of thread_history. The new thread is independent of the old one.',
  capability: 'branch',
  effect: 'write',
  input: () => ({
    ...threadFields,
    to: idField.describe('The id of the new thread'),
    from: z.string().optional().describe('A commit of the thread; its current state when left out'),
  }),
  output: () => threadStateSchema,
  route: 'POST /api/graphs/{graph}/threads/{thread}/fork',
  command: 'thread fork <graph> <thread> <to>',
  runsIn: 'main',
  examples: [{ title: 'what if?', input: { graph: 'review', thread: 'case-1', to: 'case-1-again' } }],
  async run(repo, { to, from, ...place }, context) {
    const forked = await threadAt(repo, place, context).fork(to, { from })
    return wireThreadState(await forked.state())
  },
  again: async (repo, { graph, to }, _done, context) =>
    wireThreadState(await threadAt(repo, { graph, thread: to }, context).state()),
})

const deleteThread = operation({
  name: 'delete_thread',
  summary: 'Delete a thread',
  guidance: 'Removes its name; its commits stay until gc collects them. A run of it in this process is stopped.',
  capability: 'delete-branch',
  effect: 'destructive',
  input: () => threadFields,
  output: () => z.strictObject({ thread: z.string(), deleted: z.literal(true) }),
  route: 'DELETE /api/graphs/{graph}/threads/{thread}',
  command: 'thread delete <graph> <thread>',
  examples: [{ title: 'a case that is closed', input: { graph: 'review', thread: 'case-1' } }],
  async run(repo, place, context) {
    await threadAt(repo, place, context).delete()
    return { thread: place.thread, deleted: true as const }
  },
  again: (_repo, { thread }) => ({ thread, deleted: true as const }),
})

export const graphOperations: readonly Operation[] = inGroup('graph', [
  listGraphs,
  getGraph,
  listThreads,
  getThread,
  threadHistory,
  watchThread,
  runThread,
  resumeThread,
  updateThread,
  forkThread,
  deleteThread,
])
