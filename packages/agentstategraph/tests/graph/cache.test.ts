/** Results of nodes, found again in other threads and other processes, and after a past state was edited. */
import { describe, expect, it } from 'vitest'
import { StateGraph } from '../../src/graph/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { allStores, openNew } from '../repo/support/open-stores.ts'
import { newFile } from '../store/support/sqlite-file.ts'

/** Two nodes that cache, each reading a field of its own. */
function pipeline(repo: Repository, ran: string[], ttlMs?: number) {
  const cache = { ttlMs, version: '1' }
  return new StateGraph({ state: { a: 0, b: 0, sumA: 0, sumB: 0, all: '' } })
    .addNode('first', () => ({}))
    .addNode(
      'onA',
      s => {
        ran.push('onA')
        return { sumA: s.a * 2 }
      },
      { cache },
    )
    .addNode(
      'onB',
      s => {
        ran.push('onB')
        return { sumB: s.b * 3 }
      },
      { cache },
    )
    .addNode('all', s => ({ all: `${s.sumA} ${s.sumB}` }))
    .addEdge('first', 'onA')
    .addEdge('onA', 'onB')
    .addEdge('onB', 'all')
    .compile({ repo, name: 'pipeline' })
}

describe.each(allStores)('the cache on $name', store => {
  it('a result is found again in another thread, and marked', async () => {
    const repo = await openNew(store)
    const ran: string[] = []
    await pipeline(repo, ran).thread('t').run({ a: 1, b: 1 })
    const cached: [string, boolean][] = []
    const second = pipeline(repo, ran).thread('u')
    for await (const event of second.run({ a: 1, b: 1 })) cached.push([event.node, event.cached])
    expect(cached).toEqual([
      ['first', false],
      ['onA', true],
      ['onB', true],
      ['all', false],
    ])
    expect(ran).toEqual(['onA', 'onB'])
    expect((await second.state()).state.all).toBe('2 3')
  })

  it('after a past state was edited only the nodes run again whose reads changed', async () => {
    const repo = await openNew(store)
    const ran: string[] = []
    const thread = pipeline(repo, ran).thread('t')
    await thread.run({ a: 1, b: 1 })
    const begin = (await thread.history()).at(-1)!
    const fork = await thread.fork('edited', { from: begin.commit })
    await fork.update({ b: 5 })
    expect(await fork.resume()).toMatchObject({ status: 'done', state: { all: '2 15' } })
    expect(ran).toEqual(['onA', 'onB', 'onB'])
  })

  it('what has expired is not used, and is cleared as new results come', async () => {
    let time = 1_000
    const repo = await openNew(store, { clock: () => new Date(time) })
    const ran: string[] = []
    const app = pipeline(repo, ran, 100)
    await app.run({ a: 1, b: 1 })
    time += 50
    await app.run({ a: 1, b: 1 })
    expect(ran.length).toBe(2)
    time += 100
    await app.run({ a: 1, b: 2 })
    expect(ran.length).toBe(4)
    const head = await repo.handle.journal.log.ref('system/graph-cache')
    expect(head).not.toBeNull()
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  })
})

it('another process finds what one has kept', async () => {
  const file = newFile()
  const ran: string[] = []
  {
    await using repo = await open(file)
    await pipeline(repo, ran).run({ a: 7, b: 8 })
  }
  await using repo = await open(file)
  expect(await pipeline(repo, ran).run({ a: 7, b: 8 })).toMatchObject({ all: '14 24' })
  expect(ran).toEqual(['onA', 'onB'])
})
