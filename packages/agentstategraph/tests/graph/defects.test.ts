/**
 * What users of other graph libraries run into, and must not find here.
 *
 * Only what no other test states: docs/design/graph.md lists all of them, with the test of each.
 */
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { END, Send, START, StateGraph } from '../../src/graph/index.ts'
import { stats } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { allStores, openNew, refusalOf } from '../repo/support/open-stores.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { isInFiles, newFolder, openProtected } from '../trust/support/protected-store.ts'

describe('a loop', () => {
  it('may be made of plain edges alone', async () => {
    const app = new StateGraph({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNodes({ ping: () => ({ n: 1 }), pong: () => ({ n: 1 }) })
      .addEdge(START, 'ping')
      .addEdge('ping', 'pong')
      .addEdge('pong', 'ping')
      .compile()
    const refused = await refusalOf(Promise.resolve(app.run({}, { maxSteps: 10 })))
    expect(refused).toMatchObject({ code: 'run-step-limit', data: { state: { n: 10 } } })
  })

  it('does not forget that a node failed because it succeeded in another round', async () => {
    const app = new StateGraph({ state: { n: 0 } })
      .addNode('count', s => {
        if (s.n === 1) throw new Error('second round')
        return { n: s.n + 1 }
      })
      .addConditionalEdges('count', s => (s.n < 3 ? 'count' : END))
      .compile()
    expect(await app.thread('t').run({})).toMatchObject({ status: 'failed', node: 'count', state: { n: 1 } })
  })
})

describe('a Send', () => {
  const graph = (send: Send) =>
    new StateGraph({ state: { item: '', log: [] as string[] }, reducers: { log: 'append' } })
      .addNodes({
        plan: () => {},
        one: s => {
          if (s.item === 'bad') throw new Error('bad item')
          return { log: [s.item] }
        },
        merge: () => ({ log: ['merge'] }),
      })
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => [new Send('one', { item: 'good' }), send as Send<'one'>], ['one'])
      .addEdge('one', 'merge')
      .compile()

  it('that fails, or that nobody can take, does not vanish', async () => {
    const failed = await graph(new Send('one', { item: 'bad' }))
      .thread('t')
      .run({})
    expect(failed).toMatchObject({ status: 'failed', node: 'one', error: { message: 'bad item' } })
    const lost = await graph(new Send('nowhere', {})).thread('t').run({})
    expect(lost).toMatchObject({ status: 'failed', error: { code: 'route-unknown' } })
  })
})

describe('runs side by side in one process', () => {
  it('know nothing of each other', async () => {
    const app = new StateGraph({ state: { who: '' }, context: z.object({ name: z.string() }) })
      .addNode('ask', async (_s, { context, once }) => {
        await Promise.resolve()
        return { who: `${context.name} ${await once('effect', () => context.name)}` }
      })
      .compile()
    const names = Array.from({ length: 30 }, (_, i) => `n${i}`)
    const results = await Promise.all(names.map(name => app.run({}, { context: { name } })))
    expect(results.map(({ who }) => who)).toEqual(names.map(name => `${name} ${name}`))
  })

  it('leave no listener on a signal that outlives them', async () => {
    const { signal } = new AbortController()
    const app = new StateGraph({ state: { n: 0 } })
      .addNode('wait', async (_s, ctx) => {
        ctx.signal.addEventListener('abort', () => {})
        await Promise.resolve()
      })
      .compile()
    for (let i = 0; i < 20; i++) await app.run({}, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe.each(allStores)('on $name', store => {
  it('a values event is the state after the step, and stays what it was', async () => {
    const repo = await openNew(store)
    const app = new StateGraph({ state: { list: [] as string[] }, reducers: { list: 'append' } })
      .addNodes({ a: () => ({ list: ['a'] }), b: () => ({ list: ['b'] }) })
      .addEdge('a', 'b')
      .compile({ repo })
    const seen: (readonly string[])[] = []
    for await (const { state } of app.thread('t').run({}, { events: ['values'] })) seen.push(state.list)
    expect(seen).toEqual([[], ['a'], ['a', 'b']])
    expect(seen.every(Object.isFrozen)).toBe(true)
  })

  it('events of a graph inside are told with the way to their node', async () => {
    const repo = await openNew(store)
    const inner = new StateGraph({ state: { n: 0 } })
      .addNode('inside', (_s, ctx) => {
        ctx.emit('hello')
        return { n: 1 }
      })
      .compile({ name: 'inner' })
    const app = new StateGraph({ state: { n: 0 } }).addNode('sub', inner).compile({ repo })
    const told: unknown[] = []
    for await (const event of app.run({}, { events: ['custom'] })) told.push([event.node, event.data])
    expect(told).toEqual([['sub/inside', 'hello']])
  })

  it('the cache tells values apart by content, not by how they print, and graphs by name', async () => {
    const repo = await openNew(store)
    let ran = 0
    const graph = (name: string) =>
      new StateGraph({ state: { question: undefined as unknown, answer: 0 } })
        .addNode(
          'answer',
          s => {
            // All of it is read.
            JSON.stringify(s.question, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
            return { answer: ++ran }
          },
          { cache: {} },
        )
        .compile({ repo, name })
    const answerTo = async (question: unknown, name = 'one') => (await graph(name).run({ question })).answer
    expect(await answerTo({ x: 1, y: 2 })).toBe(1)
    expect(await answerTo({ y: 2, x: 1 })).toBe(1)
    expect(await answerTo(new Map([['k', 'a']]))).toBe(2)
    expect(await answerTo(new Map([['k', 'b']]))).toBe(3)
    expect(await answerTo(1n)).toBe(4)
    expect(await answerTo('1')).toBe(5)
    expect(await answerTo({ x: 1, y: 2 }, 'two')).toBe(6)
  })

  it('a state comes back as it was, whatever is in it', async () => {
    const repo = await openNew(store)
    const value = {
      date: new Date(5),
      numbers: [Number.NaN, Number.POSITIVE_INFINITY, -0],
      big: 2n ** 70n,
      map: new Map<unknown, unknown>([[1, new Set(['a'])]]),
      bytes: new Uint8Array([1, 2, 255]),
      nothing: undefined,
      pattern: /a+/gi,
    }
    const graph = () =>
      new StateGraph({ state: { value: {} as unknown } }).addNode('give', () => ({ value })).compile({ repo })
    await graph().thread('t').run({})
    const { state } = await graph().thread('t').state()
    expect(state.value).toEqual(value)
    expect(Object.is((state.value as typeof value).numbers[2], -0)).toBe(true)
  })

  it('what a fork appends to a list is in no other thread, in neither past', async () => {
    const repo = await openNew(store)
    const app = new StateGraph({ state: { list: [] as string[], by: '' }, reducers: { list: 'append' } })
      .addNodes({ a: s => ({ list: [`a ${s.by}`] }), b: s => ({ list: [`b ${s.by}`] }) })
      .addEdge('a', 'b')
      .compile({ repo })
    const thread = app.thread('t')
    await thread.run({ by: 't' })
    const [, afterA] = await thread.history()
    const fork = await thread.fork('f', { from: afterA!.commit })
    await fork.update({ list: ['edited'], by: 'f' })
    await fork.resume()
    const listsOf = async (one: typeof thread) => (await one.history()).map(({ state }) => state.list)
    expect(await listsOf(thread)).toEqual([['a t', 'b t'], ['a t'], []])
    expect(await listsOf(fork)).toEqual([['a t', 'edited', 'b f'], ['a t', 'edited'], ['a t'], []])
  })

  it('an update that does not fit leaves the thread readable, and it can go on', async () => {
    const repo = await openNew(store)
    let given: unknown = 'text'
    const app = new StateGraph({ state: z.object({ n: z.number().default(0) }) })
      .addNode('give', () => ({ n: given as number }))
      .compile({ repo })
    expect(await app.thread('t').run({})).toMatchObject({ status: 'failed', error: { code: 'update-invalid' } })
    expect(await app.thread('t').state()).toMatchObject({ status: 'failed', state: { n: 0 } })
    given = 7
    expect(await app.thread('t').resume()).toMatchObject({ status: 'done', state: { n: 7 } })
  })

  it('a graph with a new field takes over the threads of the one without', async () => {
    const repo = await openNew(store)
    const old = new StateGraph({ state: { n: 0 } }).addNode('ask', async (_s, ctx) => {
      return { n: await ctx.interrupt<number>('n?') }
    })
    await old.compile({ repo }).thread('t').run({})
    const now = new StateGraph({ state: { n: 0, unit: 'kg' } })
      .addNode('ask', async (_s, ctx) => ({ n: await ctx.interrupt<number>('n?') }))
      .compile({ repo })
    expect(await now.thread('t').resume({ value: 3 })).toMatchObject({ status: 'done', state: { n: 3, unit: 'kg' } })
  })
})

describe('what is stored', () => {
  it('grows with what changed: a list, a value that nobody touches, one that every Send carries', async () => {
    await using repo = await open()
    const before = async () => (await stats(repo)).storedBytes
    const item = 'x'.repeat(1024)
    const large = Array.from({ length: 1600 }, (_, i) => `part ${i} of a large value, long enough to count`)
    const start = await before()
    const loop = new StateGraph({
      state: { large: [] as string[], items: [] as string[] },
      reducers: { items: 'append' },
    })
      .addNode('add', s => ({ items: [`${s.items.length} ${item}`] }))
      .addConditionalEdges('add', s => (s.items.length < 100 ? 'add' : END))
      .compile({ repo, name: 'loop' })
    await loop.thread('t').run({ large })
    const afterLoop = await before()
    const largeBytes = JSON.stringify(large).length
    expect(afterLoop - start).toBeLessThan(4 * 100 * 1024 + 2 * largeBytes)
    const sends = new StateGraph({ state: { shared: [] as readonly string[], n: 0 }, reducers: { n: 'sum' } })
      .addNodes({ plan: () => {}, one: s => ({ n: s.shared.length }), merge: () => {} })
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => Array.from({ length: 200 }, () => new Send('one', { shared: large })), ['one'])
      .addEdge('one', 'merge')
      .compile({ repo, name: 'sends' })
    expect(await sends.thread('t').run({})).toMatchObject({ status: 'done', state: { n: 200 * large.length } })
    expect((await before()) - afterLoop).toBeLessThan(3 * largeBytes)
  })

  it('holds nothing of what is protected in the clear, wherever a run keeps it', async () => {
    const folder = newFolder()
    const secret = 'zz-graph-secret'
    await using repo = await openProtected(folder)
    const users = { ann: { profile: secret } }
    const app = new StateGraph({ state: { users: {} as Record<string, unknown>, seen: 0 }, reducers: { seen: 'sum' } })
      .addNodes({
        plan: () => ({ users }),
        one: async (_s, ctx) => {
          await ctx.interrupt('go?')
          return { seen: 1 }
        },
        other: () => ({ users }),
      })
      .addEdge(START, 'plan')
      .addEdge('plan', 'other')
      .addConditionalEdges('plan', () => [new Send('one', { users }), new Send('one', { users: { ...users } })], [
        'one',
      ])
      .compile({ repo })
    const paused = await app.thread('t').run({})
    if (paused.status !== 'paused') throw new Error(paused.status)
    const end = await app.thread('t').resume(paused.interrupts.map(({ id }) => ({ id, value: true })))
    expect(end).toMatchObject({ status: 'done', state: { users, seen: 2 } })
    await repo.close()
    expect(isInFiles(folder, secret)).toBe(false)
  })
})

it('a node need not be an async function to ask, and the answer may come in another process', async () => {
  const file = newFile()
  const graph = () =>
    new StateGraph({ state: { ok: false } }).addNode('ask', (_s, ctx) =>
      ctx.interrupt<boolean>('ok?').then(ok => ({ ok })),
    )
  {
    await using repo = await open(file)
    expect(await graph().compile({ repo }).thread('t').run({})).toMatchObject({ status: 'paused' })
  }
  await using repo = await open(file)
  expect(await graph().compile({ repo }).thread('t').resume({ value: true })).toMatchObject({
    status: 'done',
    state: { ok: true },
  })
})
