import { expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'

it('the chain of a path tells its intents, what was observed of it, and what happened next', async () => {
  const repo = await open()
  await repo.set('/cluster', { 'node-3': { status: 'up' }, size: 3 }, { description: 'Run it', intent: { id: 'run' } })
  const watch = { description: 'Keep it healthy', intent: { id: 'health', parent: 'run' } }
  await repo.set('/watched', true, watch)
  const written = await repo.commit({ description: 'Drain', intent: { id: 'drain', parent: 'health' } }, tx =>
    tx.set('/cluster/node-3/status', 'down').set('/alerts', ['node-3']),
  )
  await repo.set('/cluster/size', 2, 'Beside it')
  await repo.set('/alerts', [], 'Clear what it raised')
  await repo.set('/notes', 'x', { description: 'For it', intent: { parent: 'drain' } })
  await repo.observe(written.id, { held: true })
  const seen = { held: false, note: 'It came back', observed: [{ path: '/x', value: 0.5 }], confidence: 0.9 }
  await repo.as('agent/monitor').observe(written.id, seen)
  await repo.observe(await repo.head(), { held: true })
  const chain = await repo.blame('/cluster/node-3/status', { chain: true })
  expect(chain).toMatchObject({ id: written.id, value: 'down', considered: [] })
  expect(chain.intents).toEqual([
    { id: 'health', description: 'Keep it healthy' },
    { id: 'run', description: 'Run it' },
  ])
  expect(chain.observed).toEqual([
    { held: true, agent: 'anonymous', timestamp: expect.any(String) },
    { ...seen, agent: 'agent/monitor', timestamp: expect.any(String) },
  ])
  expect(chain.next.map(({ intent }) => intent.description)).toEqual(['Clear what it raised', 'For it'])
})

it('a plain blame has no chain', async () => {
  const repo = await open()
  await repo.set('/a', 1, 'Begin')
  expect(Object.keys(await repo.blame('/a'))).not.toContain('next')
})

it('of a state in the past, what happened next is what its branch did since, the first ten of it', async () => {
  const repo = await open()
  const { id } = await repo.set('/a/x', 0, 'Begin')
  for (let i = 1; i <= 12; i++) await repo.set('/a/x', i, `Step ${i}`)
  const { next, value } = await repo.at(id).blame('/a', { chain: true })
  expect(value).toEqual({ x: 0 })
  const steps = Array.from({ length: 10 }, (_, i) => `Step ${i + 1}`)
  expect(next.map(({ intent }) => intent.description)).toEqual(steps)
})

it('of a state that the branch does not have, what happened next is what led to it', async () => {
  const repo = await open()
  await repo.set('/a', 0, 'Begin')
  const side = await repo.branch('side')
  await side.commit('Aside', tx => tx.set('/b', 1).set('/c', 1))
  const { id } = await side.set('/c', 2, 'Further')
  await repo.set('/b', 2, 'On main')
  const { next } = await repo.at(id).blame('/b', { chain: true })
  expect(next.map(({ intent }) => intent.description)).toEqual(['Further'])
})

it('an intent that no commit was made under is named without words, and one above itself ends the chain', async () => {
  const repo = await open()
  await repo.set('/a', 0, { description: 'Loop', intent: { id: 'loop', parent: 'loop' } })
  await repo.set('/b', 0, { description: 'Below', intent: { parent: 'loop' } })
  await repo.set('/c', 0, { description: 'Outside', intent: { parent: 'ticket-7' } })
  expect((await repo.blame('/b', { chain: true })).intents).toEqual([{ id: 'loop', description: 'Loop' }])
  expect((await repo.blame('/c', { chain: true })).intents).toEqual([{ id: 'ticket-7', description: '' }])
})
