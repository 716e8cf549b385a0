/** What a run tells while it goes on, and how those who lost it find it again. */
import { describe, expect, it, vi } from 'vitest'
import { START, StateGraph } from '../../src/graph/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { allStores, openNew, refusalOf } from '../repo/support/open-stores.ts'
import { seeded } from '../store/support/seeded.ts'

interface Gate {
  readonly opened: Promise<void>
  open(): void
}

function gate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Three nodes in a row; the second waits for a gate, and tells before and after. */
function waiting(repo: Repository | undefined, at: Gate, ran: string[] = []) {
  return new StateGraph({ state: { list: [] as string[], n: 0 }, reducers: { list: 'append', n: 'sum' } })
    .addNodes({
      first: () => ({ list: ['first'], n: 1 }),
      second: async (_s, ctx) => {
        ctx.emit('before')
        await at.opened
        ctx.emit('after')
        return { list: ['second'], n: 2 }
      },
      third: () => {
        ran.push('third')
        return {}
      },
    })
    .addEdge('first', 'second')
    .addEdge('second', 'third')
    .compile({ ...(repo === undefined ? {} : { repo }) })
}

async function gathered<E>(events: AsyncIterable<E>): Promise<E[]> {
  const all: E[] = []
  for await (const event of events) all.push(event)
  return all
}

/** Joins a run at each of its events, and compares what each hears with what the run itself told from there on. */
async function joinAtEachEvent(repo: Repository): Promise<void> {
  const at = gate()
  const app = waiting(repo, at)
  const kinds = ['updates', 'values', 'custom'] as const
  const run = app.thread('t').run({}, { events: kinds })
  const own: { seq: number; kind: string }[] = []
  const joined: Promise<{ seq: number; kind: string }[]>[] = []
  for await (const event of run) {
    own.push(event)
    joined.push(gathered(app.thread('t').resume(undefined, { events: kinds, after: event.seq })))
    if (event.kind === 'custom' && event.data === 'before') at.open()
  }
  for (const [i, heard] of (await Promise.all(joined)).entries()) expect(heard).toEqual(own.slice(i + 1))
}

describe.each(allStores)('events on $name', store => {
  it('a follower of a thread that waits for its next run sees it from its beginning, until the signal aborts', async () => {
    const repo = await openNew(store)
    const at = gate()
    const app = waiting(repo, at)
    const stopped = new AbortController()
    const seen: string[] = []
    const reached = gate()
    const following = (async () => {
      for await (const event of app.thread('t').events({ events: ['custom'], signal: stopped.signal })) {
        seen.push(`${event.data}`)
        if (seen.length === 1) at.open()
        if (seen.length === 2) reached.open()
      }
    })()
    expect(await app.thread('t').run({})).toMatchObject({ status: 'done' })
    await reached.opened
    stopped.abort()
    await following
    expect(seen).toEqual(['before', 'after'])
  })

  it('a follower that leaves its loop stops no run', async () => {
    const repo = await openNew(store)
    const at = gate()
    const app = waiting(repo, at)
    const left = (async () => {
      for await (const event of app.thread('t').events({ events: ['custom'] })) return event.data
      return 'nothing'
    })()
    const run = app.thread('t').run({})
    expect(await left).toBe('before')
    at.open()
    expect(await run).toMatchObject({ status: 'done', state: { n: 3 } })
  })

  it('a run is awaited or looped over, and the loop sees every update in order', async () => {
    const repo = await openNew(store)
    const at = gate()
    at.open()
    const run = waiting(repo, at)
      .thread('t')
      .run({}, { events: ['updates', 'values', 'custom'] })
    const events = await gathered(run)
    expect(events.map(event => [event.kind, 'node' in event ? event.node : event.state.list.length])).toEqual([
      ['values', 0],
      ['updates', 'first'],
      ['values', 1],
      ['custom', 'second'],
      ['custom', 'second'],
      ['updates', 'second'],
      ['values', 2],
      ['updates', 'third'],
      ['values', 2],
    ])
    const numbers = events.map(({ seq }) => seq)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(await run).toMatchObject({ status: 'done' })
  })

  it('after a restart the journal tells the same events by the same numbers', async () => {
    const repo = await openNew(store)
    const at = gate()
    at.open()
    const app = waiting(repo, at)
    const events = await gathered(app.thread('t').run({}, { events: ['updates', 'values'] }))
    for (let i = 0; i < events.length; i++) {
      const again = app.thread('t').resume(undefined, { events: ['updates', 'values'], after: events[i]!.seq })
      expect(await gathered(again)).toEqual(events.slice(i + 1))
    }
    const later = await gathered(app.thread('t').run({}, { events: ['updates'] }))
    expect(later[0]!.seq).toBeGreaterThan(events.at(-1)!.seq)
    const since = app.thread('t').resume(undefined, { after: events.at(-1)!.seq })
    expect(await gathered(since)).toEqual(later)
  })

  it('who joins a run under way misses nothing and hears nothing twice', async () => {
    await joinAtEachEvent(await openNew(store))
  })

  it('who joins a run under way misses nothing wherever work waits for a turn of the event loop', async () => {
    const isTurnOver = seeded(1)
    let time = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      if (isTurnOver() < 0.3) time += 1000
      return time
    })
    try {
      for (let round = 0; round < 30; round++) await joinAtEachEvent(await openNew(store))
    } finally {
      clock.mockRestore()
    }
  })

  it('what a graph inside a node changes is told once, and again from the journal by the same numbers', async () => {
    const repo = await openNew(store)
    const inner = new StateGraph({ state: { list: [] as string[] }, reducers: { list: 'append' } })
      .addNode('one', () => ({ list: ['one'] }))
      .addNode('two', () => ({ list: ['two'] }))
      .addEdge('one', 'two')
      .compile({ name: 'inner' })
    const own = new StateGraph({ state: { list: [] as string[] }, reducers: { list: 'append' } })
      .addNode('deep', inner)
      .compile({ name: 'own' })
    const app = new StateGraph({ state: { list: [] as string[] }, reducers: { list: 'append' } })
      .addNode('sub', inner)
      .addNode('calls', async (_s, ctx) => ({ list: [`${(await ctx.run(own, {})).list.length}`] }))
      .addEdge('sub', 'calls')
      .compile({ repo })
    const told = await gathered(app.thread('t').run({}))
    expect(told.map(({ node, update }) => [node, update.list])).toEqual([
      ['sub', ['one']],
      ['sub', ['two']],
      ['calls/deep/one', ['one']],
      ['calls/deep/two', ['two']],
      ['calls', ['2']],
    ])
    const again = await gathered(app.thread('t').resume(undefined, { after: 0 }))
    expect(again).toEqual(told.filter(({ node }) => !node.startsWith('calls/')))
  })

  it('leaving the loop stops the run, and the thread can go on', async () => {
    const repo = await openNew(store)
    const at = gate()
    const ran: string[] = []
    const app = waiting(repo, at, ran)
    const run = app.thread('t').run({}, { events: ['custom'] })
    for await (const _ of run) break
    expect(await refusalOf(Promise.resolve(run))).toMatchObject({ code: 'run-aborted' })
    expect(await app.thread('t').state()).toMatchObject({ status: 'idle', next: ['second'] })
    at.open()
    expect(await app.thread('t').resume()).toMatchObject({ status: 'done', state: { list: ['first', 'second'] } })
    expect(ran).toEqual(['third'])
  })

  it('a signal and cancel stop a run with their reason', async () => {
    const repo = await openNew(store)
    const app = waiting(repo, gate())
    const controller = new AbortController()
    const bySignal = app.thread('a').run({}, { signal: controller.signal })
    const byCancel = app.thread('b').run({})
    const refused = [refusalOf(Promise.resolve(bySignal)), refusalOf(Promise.resolve(byCancel))]
    controller.abort(new Error('closing time'))
    byCancel.cancel('not needed')
    expect((await refused[0]!).message).toContain('closing time')
    expect((await refused[1]!).message).toContain('not needed')
  })
})

it('without a repository events are told too, and a late listener hears what was asked for', async () => {
  const at = gate()
  const app = waiting(undefined, at)
  const run = app.run({}, { events: ['updates'] })
  at.open()
  await run
  expect((await gathered(run)).map(({ node }) => node)).toEqual(['first', 'second', 'third'])
  expect(await gathered(app.run({}))).toHaveLength(3)
})

it('a run that fails as a whole throws in the loop, and nothing else has to be awaited', async () => {
  const app = new StateGraph({ state: { n: 0 } })
    .addNode('loop', s => ({ n: s.n + 1 }))
    .addEdge(START, 'loop')
    .addEdge('loop', 'loop')
    .compile()
  await expect(gathered(app.run({}, { maxSteps: 3 }))).rejects.toMatchObject({ code: 'run-step-limit' })
  await using repo = await open()
  const kept = new StateGraph({ state: { n: 0 } })
    .addNode('loop', s => ({ n: s.n + 1 }))
    .addEdge(START, 'loop')
    .addConditionalEdges('loop', s => (s.n === 5 ? [] : 'loop'), ['loop'])
    .compile({ repo })
  expect(await refusalOf(Promise.resolve(kept.thread('t').run({}, { maxSteps: 3 })))).toMatchObject({
    code: 'run-step-limit',
  })
  expect(await kept.thread('t').state()).toMatchObject({ status: 'idle', state: { n: 3 } })
})
