/** What a paused thread shows, and what happens to changes that are made while it waits. */
import { describe, expect, it } from 'vitest'
import { Command, END, START, StateGraph } from '../../src/graph/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { allStores, openNew } from '../repo/support/open-stores.ts'
import { breaking, counting } from './support/breaking-backend.ts'

const state = { n: 0, log: [] as string[], draft: '' }
const reducers = { n: 'sum', log: 'append' } as const

/** Stops after a node in a loop. */
function looping(repo: Repository, ran: string[] = []) {
  return new StateGraph({ state, reducers })
    .addNode('work', s => {
      ran.push(`work ${s.n}`)
      return { n: 1, draft: `draft ${s.n}` }
    })
    .addNode('end', s => ({ log: [`${s.n} ${s.draft}`] }))
    .addEdge(START, 'work')
    .addConditionalEdges('work', s => (s.n < 2 ? 'work' : 'end'), ['work', 'end'])
    .addEdge('end', END)
    .compile({ repo, name: 'looping', interruptAfter: ['work'] })
}

describe.each(allStores)('a pause after a node, on $name', store => {
  it('comes each time round a loop, and shows the way on', async () => {
    const repo = await openNew(store)
    const ran: string[] = []
    const thread = looping(repo, ran).thread('t')
    expect(await thread.run({})).toMatchObject({ status: 'paused', state: { n: 1 }, next: ['work'] })
    expect(await thread.update({ n: 5 })).toMatchObject({ status: 'paused', state: { n: 6 }, next: ['work'] })
    expect(await thread.resume()).toMatchObject({ status: 'paused', state: { n: 7, draft: 'draft 6' }, next: ['end'] })
    await thread.update({ draft: 'by hand' })
    expect(await thread.resume()).toMatchObject({ status: 'done', state: { log: ['7 by hand'] } })
    expect(ran).toEqual(['work 0', 'work 6'])
    expect((await thread.history()).map(({ status }) => status)).toEqual([
      'done',
      'paused',
      'paused',
      'paused',
      'paused',
      'idle',
    ])
  })

  it('is passed by an update as that node, whose edges then lead on', async () => {
    const thread = looping(await openNew(store)).thread('t')
    await thread.run({})
    expect(await thread.update({ n: 5 }, { as: 'work' })).toMatchObject({ status: 'idle', next: ['end'] })
    expect(await thread.resume()).toMatchObject({ status: 'done', state: { log: ['6 draft 0'] } })
  })

  it('is in a fork from its commit too', async () => {
    const ran: string[] = []
    const thread = looping(await openNew(store), ran).thread('t')
    const paused = await thread.run({})
    await thread.resume()
    const fork = await thread.fork('u', { from: paused.commit })
    expect(await fork.state()).toMatchObject({ status: 'paused', state: { n: 1 }, next: ['work'] })
    await fork.update({ n: 8 })
    expect(await fork.resume()).toMatchObject({ status: 'paused', state: { n: 10, draft: 'draft 9' } })
    expect(ran).toEqual(['work 0', 'work 1', 'work 9'])
  })
})

/** Four side by side: one is done, one asks, one fails as long as it is told to, and one holds a graph that asks. */
function sideBySide(repo: Repository, ran: string[], broken: { is: boolean }) {
  const inner = new StateGraph({ state: { draft: '', log: [] as string[] }, reducers: { log: 'append' } })
    .addNode('outline', () => {
      ran.push('outline')
      return { log: ['outline'] }
    })
    .addNode('check', async (_s, { interrupt }) => ({ log: [`check ${await interrupt('check?')}`] }))
    .addEdge('outline', 'check')
    .compile({ name: 'inner' })
  return new StateGraph({ state, reducers })
    .addNodes({
      writes: () => {
        ran.push('writes')
        return { draft: 'by the node', n: 1, log: ['writes'] }
      },
      asks: async (s, { interrupt }) => ({ log: [`asks ${await interrupt('asks?')} ${s.n}`] }),
      fails: () => {
        ran.push('fails')
        if (broken.is) throw new Error('broken')
        return { log: ['fails'] }
      },
      end: s => ({ log: [`end ${s.draft}`] }),
    })
    .addNode('holds', inner)
    .addEdge(START, 'writes')
    .addEdge(START, 'asks')
    .addEdge(START, 'fails')
    .addEdge(START, 'holds')
    .addEdge(['writes', 'asks', 'fails', 'holds'], 'end')
    .compile({ repo, name: 'side-by-side', interruptAfter: ['writes'] })
}

describe.each(allStores)('what has finished beside what waits, on $name', store => {
  const begin = async (broken: { is: boolean }) => {
    const repo = await openNew(store)
    const ran: string[] = []
    const thread = sideBySide(repo, ran, broken).thread('t')
    return { thread, ran, first: await thread.run({}) }
  }
  const answersTo = (now: { status: string; interrupts?: readonly { id: string; payload: unknown }[] }) =>
    (now.interrupts ?? []).map(({ id }) => ({ id, value: 'yes' }))

  it('is in the state, and next names only what waits, failed, or follows a pause', async () => {
    const broken = { is: true }
    const { thread, ran, first } = await begin(broken)
    expect(first).toMatchObject({
      status: 'failed',
      node: 'fails',
      state: { n: 1, draft: 'by the node', log: ['writes', 'outline'] },
      next: ['end', 'asks', 'fails', 'holds'],
    })
    broken.is = false
    const paused = await thread.resume()
    expect(paused).toMatchObject({
      status: 'paused',
      next: ['end', 'asks', 'holds'],
      state: { log: ['writes', 'fails', 'outline'] },
    })
    expect(await thread.state()).toEqual(paused)
    expect(await thread.resume(answersTo(paused))).toMatchObject({
      status: 'done',
      state: { log: ['writes', 'asks yes 0', 'fails', 'outline', 'check yes', 'end by the node'] },
    })
    expect(ran).toEqual(['writes', 'fails', 'outline', 'fails'])
  })

  it('keeps a change to a field that it wrote, and what waits sees a change to any other field', async () => {
    const { thread, ran, first } = await begin({ is: false })
    expect(first).toMatchObject({ status: 'paused', next: ['end', 'asks', 'holds'] })
    expect((await thread.update({ draft: 'by hand', log: ['by hand'] })).state).toEqual({
      n: 1,
      draft: 'by hand',
      log: ['writes', 'fails', 'outline', 'by hand'],
    })
    expect((await thread.update({ n: 10 })).state.n).toBe(11)
    expect(await thread.resume(answersTo(first))).toMatchObject({
      status: 'done',
      state: { n: 11, log: ['writes', 'asks yes 0', 'fails', 'outline', 'by hand', 'check yes', 'end by hand'] },
    })
    expect(ran).toEqual(['writes', 'fails', 'outline'])
  })

  it('is kept when an update stands for one that waits', async () => {
    const broken = { is: true }
    const { thread, ran } = await begin(broken)
    expect(await thread.update({ log: ['as asks'] }, { as: 'asks' })).toMatchObject({
      status: 'failed',
      next: ['end', 'fails', 'holds'],
      state: { log: ['writes', 'as asks', 'outline'] },
    })
    expect(await thread.update({ log: ['as fails'] }, { as: 'fails' })).toMatchObject({
      status: 'paused',
      next: ['end', 'holds'],
    })
    expect(await thread.update({ draft: 'as writes' }, { as: 'writes' })).toMatchObject({
      state: { draft: 'as writes' },
    })
    const held = await thread.update({ log: ['as holds'] }, { as: 'holds' })
    expect(held).toMatchObject({
      status: 'paused',
      next: ['end'],
      state: { log: ['writes', 'as asks', 'as fails', 'as holds'] },
    })
    expect(await thread.resume()).toMatchObject({
      status: 'done',
      state: { draft: 'as writes', log: ['writes', 'as asks', 'as fails', 'as holds', 'end as writes'] },
    })
    expect(ran).toEqual(['writes', 'fails', 'outline'])
  })
})

it.each([true, false])('no crash makes a run go past a pause that nobody has seen (kept: %s)', async isLastKept => {
  const counted = counting(memoryBackend())
  await looping(await open(counted.backend))
    .thread('t')
    .run({})
  const seen: string[] = []
  for (let point = 0; point < counted.appends(); point++) {
    const place = memoryBackend()
    const ran: string[] = []
    const died = async () =>
      looping(await open(breaking(place, point, isLastKept)), ran)
        .thread('t')
        .run({})
    await expect(died()).rejects.toThrow()
    const thread = looping(await open(place), ran).thread('t')
    const status = await thread.state().then(
      now => now.status,
      () => 'none',
    )
    seen.push(status)
    // Shown as paused it has been seen: going on passes it.
    if (status === 'paused') continue
    const next = await (status === 'none' ? thread.run({}) : thread.resume())
    expect(next).toMatchObject({ status: 'paused', state: { n: 1, draft: 'draft 0' } })
    expect(new Set(ran)).toEqual(new Set(['work 0']))
  }
  expect(seen).toContain('running')
})

it.each(allStores)('what ran beside an undeclared way is known after a pause, on $name', async store => {
  const repo = await openNew(store)
  const says = (name: string) => () => ({ log: [name] })
  const app = new StateGraph({ state, reducers })
    .addNode('a', says('a'))
    .addNode('w', says('w'))
    .addNode('b', () => new Command({ update: { log: ['b'] }, goto: 't' as never }))
    .addNode('t', says('t'))
    .addEdge(START, 'a')
    .addEdge(START, 'b')
    .addConditionalEdges(START, () => END, ['t', END])
    .addEdge('a', 'w')
    .addEdge('t', 'w')
    .compile({ repo, name: 'beside', interruptBefore: ['t'] })
  expect(await app.thread('t').run({})).toMatchObject({
    status: 'paused',
    state: { log: ['a', 'w', 'b'] },
    next: ['t'],
  })
  expect(await app.thread('t').resume()).toMatchObject({
    status: 'failed',
    error: { code: 'target-undeclared', data: { node: 'b', target: 't' } },
  })
})
