/** Retention beside everything that a store is used for: what was begun before goes on after, and writers need not stop. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { gc, setRetention, verify } from '../../src/maintenance/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { migrations } from '../../src/schema/index.ts'
import { office, proposalOf } from '../access/support/office.ts'
import { proof } from '../plans/support/plan-clock.ts'
import { stores } from './support/stores.ts'

const all = { keepNewerMs: -1 }
const writes = 24
const long = (label: string): string => `${label} `.repeat(300)

/** Trims all that the strictest rule lets go. */
async function trim(repo: Repository): Promise<void> {
  await setRetention(repo, { count: 1 })
  expect((await gc(repo, all)).trimmed).toBeGreaterThan(0)
}

async function expectWhole(repo: Repository): Promise<void> {
  expect((await verify(repo)).damage).toEqual([])
}

describe('after retention', () => {
  it('an open proposal shows what it would change, and lands', async () => {
    await using at = await office()
    await at.rule({ name: 'production', effect: 'require-approval', when: { paths: ['/prod'] } })
    for (const n of [1, 2, 3]) await at.repo.set('/text', long(`${n}`), 'Before')
    const id = await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale'))
    await trim(at.repo)
    expect(await access(at.ann).proposals()).toMatchObject([{ id, changes: [{ path: '/prod/replicas', after: 9 }] }])
    await access(at.ann).approve(id, 'Right')
    expect(await at.repo.get('/prod/replicas')).toBe(9)
    await expectWhole(at.repo)
  })

  it('a thread that waits goes on where it was', async () => {
    await using repo = await open()
    const graph = new StateGraph({ state: { said: [] as string[] }, reducers: { said: 'append' } })
      .addNode('one', () => ({ said: [long('one')] }))
      .addNode('ask', async (_state, { interrupt }) => ({ said: [`${await interrupt('Go on?')}`] }))
      .addEdge(START, 'one')
      .addEdge('one', 'ask')
      .addEdge('ask', END)
      .compile({ repo, name: 'g' })
    expect(await graph.thread('t').run({})).toMatchObject({ status: 'paused' })
    for (const n of [1, 2, 3]) await repo.set('/text', long(`${n}`), 'Beside')
    await trim(repo)
    expect(await graph.thread('t').resume({ value: 'yes' })).toMatchObject({
      status: 'done',
      state: { said: [long('one'), 'yes'] },
    })
    await expectWhole(repo)
  })

  it('a memory, a plan and a migration go on', async () => {
    await using repo = await open()
    const memory = await Versioned.open(repo)
    const grow = agent('clerk', { state: { jobs: [{ age: 1, note: long('a') }] } }).task(
      'grow',
      (_: undefined, { state }) => {
        for (const job of state.jobs) job.age++
      },
    )
    await grow(undefined, { state: memory })
    const plan = await plans(repo).create('move')
    await plan.add([{ title: 'One' }, { title: 'Two' }])
    for (const n of [1, 2, 3]) await repo.set('/text', long(`${n}`), 'Before')
    await trim(repo)
    await grow(undefined, { state: memory })
    const task = (await plan.claim())!
    await task.complete(proof)
    const known = migrations(repo).register({ from: 0, to: 1, name: 'n', migrate: tx => void tx.set('/n', 1) })
    await known.run('main')
    expect(await repo.get('/n')).toBe(1)
    await expectWhole(repo)
  })

  it('what a kept commit considered can be compared, and what a trimmed one did is named', async () => {
    await using repo = await open()
    const considered = async (label: string): Promise<void> => {
      const other = await repo.speculate({ label })
      await other.set('/way', long(label))
      const alternatives = [{ label, speculation: other }]
      await repo.set(`/${label}`, 1, { description: label, alternatives })
      await other.discard()
    }
    await repo.set('/way', long('first'), 'Begin')
    await considered('old')
    await repo.set('/way', long('second'), 'Another')
    await considered('new')
    await trim(repo)
    expect(await repo.blame('/new', { chain: true })).toMatchObject({
      considered: [{ label: 'new', changes: [{ path: '/way', after: long('new') }] }],
    })
    expect(await repo.blame('/old', { chain: true })).toMatchObject({
      considered: [{ label: 'old', changes: [], trimmed: true }],
    })
    await expectWhole(repo)
  })
})

it('a watcher that comes late is told of commits whose changes are gone', async () => {
  await using repo = await open()
  for (const n of [1, 2, 3]) await repo.set('/text', long(`${n}`), `Text ${n}`)
  await trim(repo)
  const told: unknown[] = []
  for await (const event of repo.watch({ after: 0 })) {
    if (event.kind !== 'commit') continue
    told.push([event.commit.intent.description, event.changes.length, event.trimmed])
    if (told.length === 3) break
  }
  expect(told).toEqual([
    ['Text 1', 0, true],
    ['Text 2', 0, true],
    ['Text 3', 0, true],
  ])
})

it.each(stores)('writers go on while states are trimmed, and nothing of theirs is lost, in %s', async (_, make) => {
  const backend = make()
  await using repo = await open(backend)
  await using other = await open(backend)
  await repo.set('/', { list: [], text: long('begin') }, 'Begin')
  await setRetention(repo, { count: 1 })
  const write = async (): Promise<void> => {
    for (let n = 0; n < writes; n++) {
      await other.set('/list/-', { n, text: long(`${n}`) }, `Write ${n}`)
      if (n % 7 === 3) {
        const side = await other.branch(`side-${n}`)
        await side.set(`/side-${n}`, long('side'), 'Aside')
        await other.merge(`side-${n}`, 'Merge')
      }
      if (n % 10 === 5) await other.branch(`b${n}`)
      await other.set('/text', long(`${n}`), `Text ${n}`)
    }
  }
  let isDone = false
  const writing = write().finally(() => {
    isDone = true
  })
  let trimmed = 0
  while (!isDone) trimmed += (await gc(repo, all)).trimmed
  await writing
  trimmed += (await gc(repo, all)).trimmed
  expect(trimmed).toBeGreaterThan(writes)
  await using fresh = await open(backend)
  expect(((await fresh.get('/list')) as { n: number }[]).map(({ n }) => n)).toEqual(
    Array.from({ length: writes }, (_, n) => n),
  )
  for (const { id } of await fresh.branches()) expect((await fresh.at(id!).blameTree('/')).length).toBeGreaterThan(5)
  await expectWhole(fresh)
})
