/** Threads over the operations: what a stopped thread shows, what a change there does, and why it failed. */
import type { Repository } from 'agentstategraph'
import { START, StateGraph } from 'agentstategraph/graph'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import type { AnyApp, Apps } from '../../src/operations/apps.ts'
import { getOperation } from './support/fixture.ts'

const ran: string[] = []
let isBroken = true

const drafting = new StateGraph({
  state: { draft: '', checks: [] as string[], sent: '' },
  reducers: { checks: 'append' },
})
  .addNode('write', () => ({ draft: 'by the node' }))
  .addNode('facts', () => {
    ran.push('facts')
    return { checks: ['facts'] }
  })
  .addNode('law', async (_s, { interrupt }) => ({ checks: [`law ${await interrupt('legal?')}`] }))
  .addNode('post', () => {
    if (isBroken) throw Object.assign(new RangeError('no reply'), { status: 503, code: 'E_DOWN' })
    return { checks: ['post'] }
  })
  .addNode('send', s => ({ sent: s.draft }))
  .addEdge(START, 'write')
  .addEdge('write', 'facts')
  .addEdge('write', 'law')
  .addEdge('write', 'post')
  .addEdge(['facts', 'law', 'post'], 'send')

let leave = new AbortController()

/** Its second node is where the first process ends. */
const slow = new StateGraph({ state: { seen: [] as string[] }, reducers: { seen: 'append' } })
  .addNode('one', () => {
    ran.push('one')
    return { seen: ['one'] }
  })
  .addNode('two', async (_s, { signal }) => {
    leave.abort(new Error('the process ended'))
    signal.throwIfAborted()
    ran.push('two')
    return { seen: ['two'] }
  })
  .addEdge(START, 'one')
  .addEdge('one', 'two')

const apps = {
  graphs: {
    slow: (repo: Repository) => slow.compile({ repo, name: 'slow' }) as unknown as AnyApp,
    drafting: (repo: Repository) =>
      drafting.compile({ repo, name: 'drafting', interruptAfter: ['write'] }) as unknown as AnyApp,
  },
} satisfies Apps

let host: StoreHost

beforeEach(async () => {
  ran.length = 0
  isBroken = true
  host = await openHost(undefined, { apps })
})

afterEach(() => host.close())

async function call(name: string, input: Record<string, unknown> = {}, signal?: AbortSignal) {
  const operation = getOperation(name)
  const given = await operation.run(host.context({ agent: 'agent/a' }, signal), operation.input.parse(input))
  return operation.output.parse(JSON.parse(JSON.stringify(given))) as Record<string, unknown>
}

it('a pause is reviewed and changed, what has finished is shown, and a failure is told with all that it carries', async () => {
  const place = { graph: 'drafting', thread: 'one' }
  expect(await call('run_thread', { ...place, input: {} })).toMatchObject({
    status: 'paused',
    state: { draft: 'by the node' },
    next: ['facts', 'law', 'post'],
  })
  await call('update_thread', { ...place, update: { draft: 'by hand' } })
  const failed = await call('resume_thread', place)
  const error = { name: 'RangeError', message: 'no reply', code: 'E_DOWN', properties: { status: 503 } }
  expect(failed).toMatchObject({
    status: 'failed',
    state: { draft: 'by hand', checks: ['facts'] },
    next: ['law', 'post'],
    error,
    failures: [{ node: 'post', attempt: 1, error }],
  })
  isBroken = false
  const asked = await call('update_thread', { ...place, update: { checks: ['law by hand'] }, as: 'law' })
  expect(asked).toMatchObject({ status: 'failed', next: ['post'], state: { checks: ['facts', 'law by hand'] } })
  expect(await call('resume_thread', place)).toMatchObject({
    status: 'done',
    output: { sent: 'by hand', checks: ['facts', 'law by hand', 'post'] },
  })
  expect(ran).toEqual(['facts'])
  const { items } = (await call('thread_history', place)) as { items: { status: string; error?: unknown }[] }
  expect(items.find(({ status }) => status === 'failed')).toMatchObject({ error })
})

it('a run under a key begins once: repeated after its process ended it goes on, and after its end it is told again', async () => {
  const run = { graph: 'slow', thread: 'one', input: {}, idempotency_key: 'key-1' }
  leave = new AbortController()
  await expect(call('run_thread', run, leave.signal)).rejects.toThrow('the process ended')
  expect(ran).toEqual(['one'])
  leave = new AbortController()
  for (let n = 0; n < 2; n++)
    expect(await call('run_thread', run)).toMatchObject({ status: 'done', output: { seen: ['one', 'two'] } })
  expect(ran).toEqual(['one', 'two'])
  await expect(call('run_thread', { ...run, input: { seen: ['x'] } })).rejects.toMatchObject({
    code: 'idempotency-mismatch',
  })
})
