/** What a paused thread shows, and what happens to changes that are made while it waits. */
import { describe, expect, it } from 'vitest'
import { open, type Repository } from '../src/face/index.ts'
import { END, START, StateGraph } from '../src/graph/index.ts'
import { memoryBackend } from '../src/store/index.ts'
import { breaking, counting } from './graph/breaking-backend.ts'
import { allStores, openNew } from './repo/open-stores.ts'

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
