/** Bypasses over HTTP by what lasts: a run of somebody else, a stream that outlives a right, code that runs before it is refused. */
import { access } from 'agentstategraph/access'
import { END, START, StateGraph } from 'agentstategraph/graph'
import { agent } from 'agentstategraph/memory'
import type { Apps } from '../../../src/operations/apps.ts'
import type { Row } from './bypass-scene.ts'
import { type Answer, answerOf, openApp, requestTo, type TestApp } from './open-app.ts'
import { type Ask, addPrincipal } from './principals.ts'

interface Running {
  readonly app: TestApp
  /** Reads everything, and may change nothing. */
  readonly reader: Ask
  readonly thread: string
  /** Lets the node end, and gives the answer to who started the run. */
  end(): Promise<Answer>
}

const thread = '/api/graphs/wait/threads/t'

/** A run under way, started by the operator, on a server with tasks. */
async function running(onTask: () => void = () => {}): Promise<Running> {
  let [begin, end] = [() => {}, () => {}]
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const waiting = new StateGraph({ state: { n: 0 } })
    .addNode('wait', async (_, { emit, signal }) => {
      begin()
      const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      await Promise.race([ended, stopped])
      emit('classified')
      return { n: 1 }
    })
    .addEdge(START, 'wait')
    .addEdge('wait', END)
  const apps = {
    graphs: { wait: repo => waiting.compile({ repo, name: 'wait' }) },
    agents: { counter: { add: agent('counter', { state: { n: 0 } }).task('add', onTask) } },
  } as Apps
  const app = await openApp({}, { apps })
  const reader = await addPrincipal(app, 'agent/reader', { capabilities: ['read'] })
  const run = app.ask('POST', `${thread}/run`, { input: {} })
  await begun
  return {
    app,
    reader,
    thread,
    end() {
      end()
      return run
    },
  }
}

/** What an attempt is answered; what the run is answered when the attempt had an effect on it. */
async function besideRun(attempt: (reader: Ask) => Promise<Answer>): Promise<Answer> {
  const { app, reader, end } = await running()
  const answer = await attempt(reader)
  const run = await end()
  await app.close()
  return run.status === 200 ? answer : run
}

export const runs: readonly Row[] = [
  [
    'a run of others stopped by deleting its thread',
    'access-denied',
    () => besideRun(reader => reader('DELETE', thread)),
  ],
  ['a run of others joined', 'access-denied', () => besideRun(reader => reader('POST', `${thread}/resume`, {}))],
  [
    'a thread followed after the grant ended',
    'access-denied',
    async () => {
      const { app, end } = await running()
      const control = access(await app.host.context({}).repo())
      const { key } = await control.addPrincipal('agent/late', 'agent')
      const { id } = await control.grant('agent/late', { capabilities: ['read'] })
      const asked = requestTo('GET', `${thread}/watch`, undefined, { authorization: `Bearer ${key}` })
      const followed = await app.fetch(asked)
      await control.revoke(id, 'It is over')
      await end()
      const { text, headers } = await answerOf(followed)
      await app.close()
      const fault = /event: fault\ndata: (.*)/.exec(text)?.[1] ?? '{}'
      const isTold = text.includes('classified')
      return { status: isTold ? 200 : 403, headers, text, body: JSON.parse(fault) }
    },
  ],
  [
    'the code of a task of another agent',
    'identity-claimed',
    async () => {
      let ran = 0
      const { app, reader, end } = await running(() => void ran++)
      const answer = await reader('POST', '/api/agents/counter/tasks/add', {})
      await end()
      await app.close()
      return ran === 0 ? answer : { ...answer, body: { code: `ran ${ran} times` } as unknown as Answer['body'] }
    },
  ],
]
