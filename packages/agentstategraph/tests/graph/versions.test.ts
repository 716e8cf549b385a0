/** Threads that another version of their graph has left: they go on where that makes sense, and say why where it does not. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { END, Send, START, StateGraph } from '../../src/graph/index.ts'
import type { Repository } from '../../src/repository/index.ts'
import { allStores, openNew, refusalOf } from '../repo/support/open-stores.ts'

const state = { n: 0, log: [] as string[] }
const reducers = { n: 'sum', log: 'append' } as const

/** Names of nodes and of what is added to them are data here, so that versions differ in one thing at a time. */
interface Version {
  readonly order?: readonly string[]
  readonly asks?: string
  readonly behind?: string
  readonly next?: string
  readonly log?: 'append' | undefined
  readonly inner?: boolean
  readonly join?: readonly string[]
}

/** A fork: one is done, one goes on to a node that asks, one holds a graph that asks. */
function versionOf(repo: Repository, ran: string[], version: Version = {}) {
  const { order = ['done', 'leads', 'holds'], asks = 'asks', behind = asks, next = 'end', inner = true } = version
  const says = (name: string) => (): object => {
    ran.push(name)
    return { log: [name] }
  }
  const question = async (_s: unknown, ctx: { interrupt(payload: unknown): Promise<unknown> }): Promise<object> => ({
    log: [`${await ctx.interrupt('sure?')}`],
  })
  const held = new StateGraph({ state, reducers })
    .addNode('inside', says('inside'))
    .addNode('deep', question as never)
    .addEdge('inside', 'deep')
    .compile({ name: 'held' })
  const graph = new StateGraph({
    state,
    reducers: {
      n: 'sum',
      ...('log' in version ? (version.log === undefined ? {} : { log: version.log }) : reducers),
    } as never,
  }) as unknown as StateGraphOfNames
  for (const name of order) graph.addNode(name, name === 'holds' && inner ? held : says(name)).addEdge(START, name)
  graph.addNode(asks, question).addNode(next, says(next))
  if (behind !== asks) graph.addNode(behind, says(behind)).addEdge(behind, asks)
  graph.addEdge('leads', behind)
  graph.addEdge(version.join ?? ['done', asks, 'holds'], next)
  return graph.compile({ repo, name: 'versions' })
}

interface StateGraphOfNames {
  addNode(name: string, node: unknown): StateGraphOfNames
  addEdge(from: string | readonly string[], to: string): StateGraphOfNames
  compile(options: object): {
    thread(id: string): {
      run(input: object): Promise<Stood>
      resume(answers?: readonly object[]): Promise<Stood>
      state(): Promise<Stood>
      update(update: object, options?: { as?: string }): Promise<Stood>
    }
  }
}

interface Stood {
  readonly status: string
  readonly state: { readonly n: number; readonly log: readonly string[] }
  readonly interrupts?: readonly { readonly id: string }[]
  readonly next?: readonly string[]
}

const answersTo = ({ interrupts = [] }: Stood) => interrupts.map(({ id }) => ({ id, value: 'yes' }))

describe.each(allStores)('a thread of another version, on $name', store => {
  const paused = async () => {
    const repo = await openNew(store)
    const ran: string[] = []
    const now = await versionOf(repo, ran).thread('case-1').run({})
    expect(now).toMatchObject({ status: 'paused', state: { log: ['done', 'leads', 'inside'] } })
    return { repo, ran, now }
  }

  it.each<[string, Version, string, string]>([
    ['whose waiting node was renamed', { asks: 'inquires' }, 'asks', "no node 'asks'"],
    ['whose branch was removed', { order: ['done', 'leads'], join: ['done', 'asks'] }, 'holds', "no node 'holds'"],
    ['whose node is no longer a graph', { inner: false }, 'holds', 'no longer a graph'],
    ['whose branches are in another order', { order: ['leads', 'done', 'holds'] }, 'done', 'another place'],
    ['whose edge leads elsewhere', { behind: 'other' }, 'asks', "'leads' no longer leads to 'asks'"],
    [
      'whose field has another reducer',
      { log: undefined },
      'done',
      'for the reducer append, and the field has no reducer',
    ],
  ])('%s is refused by name, and changes nothing', async (_, version, node, reason) => {
    const { repo, ran, now } = await paused()
    const thread = versionOf(repo, ran, version).thread('case-1')
    const before = ran.length
    const refusal = await refusalOf(Promise.resolve(thread.resume(answersTo(now))))
    expect(refusal).toMatchObject({ code: 'thread-outdated', data: { thread: 'case-1', graph: 'versions', node } })
    expect(refusal.message).toContain('case-1')
    expect(refusal.message).toContain(reason)
    const { version: is, leftBy } = refusal.data as { version: string; leftBy: string }
    expect(refusal.message).toContain(is)
    expect(refusal.message).toContain(leftBy)
    expect(is).not.toBe(leftBy)
    expect(ran.length).toBe(before)
    expect((await thread.state()).status).toBe('paused')
    // The remedies: to say where it goes on, and to take the other version.
    expect(await versionOf(repo, ran).thread('case-1').resume(answersTo(now))).toMatchObject({ status: 'done' })
  })

  it.each<[string, Version]>([
    ['another node behind the join', { next: 'finish' }],
    ['a join of other members', { join: ['done', 'asks'] }],
  ])('goes on with %s', async (_, version) => {
    const { repo, ran, now } = await paused()
    const end = await versionOf(repo, ran, version).thread('case-1').resume(answersTo(now))
    expect(end).toMatchObject({
      status: 'done',
      state: { log: ['done', 'leads', 'yes', 'inside', 'yes', version.next ?? 'end'] },
    })
    expect(ran).toEqual(['done', 'leads', 'inside', version.next ?? 'end'])
  })

  it('goes on where an update says', async () => {
    const { repo, ran } = await paused()
    const thread = versionOf(repo, ran, { asks: 'inquires' }).thread('case-1')
    expect(await thread.update({ n: 1 }, { as: 'inquires' })).toMatchObject({ status: 'idle', next: ['end'] })
    expect(await thread.resume()).toMatchObject({ status: 'done', state: { n: 1, log: ['end'] } })
  })

  it('whose next node is gone says so, also for a Send and for a run that died', async () => {
    const repo = await openNew(store)
    const graph = (worker: string) =>
      new StateGraph({ state, reducers })
        .addNode('plan', () => ({ n: 1 }))
        .addNode(worker, async (_s, { interrupt }) => ({ log: [String(await interrupt('?'))] }))
        .addEdge(START, 'plan')
        .addConditionalEdges('plan', () => [new Send(worker as never, { n: 5 })], [worker as never])
        .addEdge(worker as never, END)
        .compile({ repo, name: 'sends' })
    await graph('worker').thread('t').run({})
    const refusal = await refusalOf(Promise.resolve(graph('helper').thread('t').resume()))
    expect(refusal).toMatchObject({ code: 'thread-outdated', data: { node: 'worker' } })
  })

  it('that lacks a required field is refused by its name, until the field is set', async () => {
    const repo = await openNew(store)
    const base = { topic: z.string().default('tea'), draft: z.string().default('') }
    const old = new StateGraph({ state: z.object(base) })
      .addNode('ask', async (_s, { interrupt }) => ({ draft: String(await interrupt('?')) }))
      .compile({ repo, name: 'fields' })
    await old.thread('a').run({})
    await old.thread('b').run({})
    const seen: unknown[] = []
    const app = new StateGraph({ state: z.object({ ...base, owner: z.string(), note: z.string().optional() }) })
      .addNode('ask', async (s, { interrupt }) => {
        seen.push(s.owner)
        return { draft: String(await interrupt('?')) }
      })
      .compile({ repo, name: 'fields' })
    const refusal = await refusalOf(Promise.resolve(app.thread('a').resume({ value: 1 })))
    expect(refusal).toMatchObject({ code: 'thread-incomplete', data: { thread: 'a', fields: ['owner'] } })
    expect(refusal.message).toContain("'owner'")
    // @ts-expect-error the input of a new thread needs it, that of one which has it does not
    expect(await refusalOf(Promise.resolve(app.thread('b').run({})))).toMatchObject({ code: 'thread-incomplete' })
    expect(seen).toEqual([])
    expect(await app.thread('a').update({ owner: 'Ann' })).toMatchObject({ status: 'paused', state: { owner: 'Ann' } })
    expect(await app.thread('a').resume({ value: 'x' })).toMatchObject({ status: 'done', state: { draft: 'x' } })
    expect(await app.thread('b').run({ owner: 'Bob' })).toMatchObject({ status: 'paused' })
    expect(seen).toEqual(['Ann', 'Bob'])
  })
})
