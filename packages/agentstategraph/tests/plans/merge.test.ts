/** Branches that both worked on a plan: together they are a valid plan, or a conflict that says which task. */
import { expect, it } from 'vitest'
import { type Plan, plans } from '../../src/plans/index.ts'
import { type Conflict, isStateError, type Repository } from '../../src/repository/index.ts'
import { newPlan, planName, proof } from './support/plan-clock.ts'
import { expectIndexHolds } from './support/plan-index-check.ts'

const tasksPath = `/_plans/${planName}/tasks`

interface Sides {
  readonly repo: Repository
  readonly side: Repository
  readonly here: Plan
  readonly there: Plan
}

/** A plan with some tasks, and a branch of it. */
async function branched(count: number, prepare: (plan: Plan) => Promise<unknown> = async () => {}): Promise<Sides> {
  const { repo, as } = await newPlan()
  const here = await as('agent/a')
  await here.add(Array.from({ length: count }, (_, i) => ({ title: `Task ${i + 1}` })))
  await prepare(here)
  const side = await repo.branch('side')
  return { repo, side, here, there: await plans(side.as('agent/b')).get(planName) }
}

async function conflictsOf(merge: Promise<unknown>): Promise<readonly Conflict[]> {
  try {
    await merge
  } catch (error) {
    if (isStateError(error, 'merge-conflict')) return error.data.conflicts
    throw error
  }
  return []
}

async function doneBy(plan: Plan, id: string): Promise<void> {
  await (await plan.claim({ id }))?.complete(proof)
}

it('work on different tasks comes together, and what waited for both is ready', async () => {
  const { repo, here, there } = await branched(4, plan => plan.change('t-3', { blockedBy: ['t-1', 't-2'] }))
  await doneBy(here, 't-1')
  await doneBy(there, 't-2')
  await there.change('t-4', { priority: 'critical' })
  await here.claim({ id: 't-4' })
  await repo.merge('side')
  expect(await here.get('t-4')).toMatchObject({ status: 'in-progress', owner: 'agent/a', priority: 'critical' })
  expect((await here.next())?.id).toBe('t-3')
  expect((await here.claim())?.task.id).toBe('t-3')
  expect(await here.claim()).toBeUndefined()
  await expectIndexHolds(repo, planName)
})

it('tasks added on two branches are different tasks', async () => {
  const { repo, here, there } = await branched(1)
  expect((await here.add({ title: 'Here' })).id).toBe('t-2')
  expect((await there.add({ title: 'There', blockedBy: ['t-1'] })).id).toBe('t-3')
  await repo.merge('side')
  expect((await here.tasks()).map(({ title }) => title)).toEqual(['Task 1', 'Here', 'There'])
  expect((await here.add({ title: 'After' })).id).toBe('t-4')
  await expectIndexHolds(repo, planName)
})

it('a task that both took is a conflict about that task, and whoever decides gets a valid plan', async () => {
  for (const resolution of ['ours', 'theirs'] as const) {
    const { repo, here, there } = await branched(2)
    const mine = (await here.claim({ leaseMs: 1000 }))!
    const other = (await there.claim({ leaseMs: 2000 }))!
    const conflicts = await conflictsOf(repo.merge('side'))
    expect(conflicts.map(({ path }) => path)).toEqual([`${tasksPath}/t-000000001/state`])
    const resolutions = { [conflicts[0]!.path]: resolution }
    await repo.merge('side', { description: 'Decide who goes on', resolutions })
    const owner = resolution === 'ours' ? 'agent/a' : 'agent/b'
    expect(await here.get('t-1')).toMatchObject({ status: 'in-progress', owner })
    const merged = await plans(repo.as('agent/c')).get(planName)
    expect((await merged.claim())?.task.id).toBe('t-2')
    await expectIndexHolds(repo, planName)
    if (resolution === 'theirs') {
      await expect(mine.complete(proof)).rejects.toMatchObject({ code: 'lease-lost', data: { owner: 'agent/b' } })
    } else {
      await mine.complete(proof)
    }
    // On its own branch the other claim still holds.
    await other.complete(proof)
  }
})

it('tasks that would wait for each other are a conflict at what one side changed', async () => {
  const { repo, here, there } = await branched(3)
  await here.change('t-1', { blockedBy: ['t-2'] })
  await there.change('t-2', { blockedBy: ['t-3'] })
  await there.change('t-3', { blockedBy: ['t-1'] })
  const conflicts = await conflictsOf(repo.merge('side'))
  expect(conflicts.map(({ path }) => path).sort()).toEqual([1, 2, 3].map(n => `${tasksPath}/t-00000000${n}/blockedBy`))
  expect(await repo.previewMerge('side')).toMatchObject({ kind: 'conflict' })
  const path = `${tasksPath}/t-000000001/blockedBy`
  await repo.merge('side', { description: 'Let t-1 go first', resolutions: { [path]: 'theirs' } })
  expect((await here.claim())?.task.id).toBe('t-1')
  await expectIndexHolds(repo, planName)
})

it('what is done here and was made to wait there is a conflict about that task, to be decided either way', async () => {
  const state = `${tasksPath}/t-000000001/state`
  const cases: readonly [place: string, wait: (plan: Plan) => Promise<unknown>][] = [
    [`${tasksPath}/t-000000001/blockedBy`, plan => plan.change('t-1', { blockedBy: ['t-2'] })],
    [`${tasksPath}/t-000000003/parent`, plan => plan.add({ title: 'A part', parent: 't-1' })],
  ]
  for (const [place, wait] of cases) {
    for (const [path, side, status] of [
      [place, 'ours', 'done'],
      [state, 'theirs', 'pending'],
    ] as const) {
      const { repo, here, there } = await branched(2)
      await doneBy(here, 't-1')
      await wait(there)
      expect((await conflictsOf(repo.merge('side'))).map(one => one.path)).toEqual([place, state])
      const still = repo.merge('side', { description: 'Both', resolutions: { [place]: 'theirs' } })
      expect(await conflictsOf(still)).toHaveLength(2)
      await repo.merge('side', { description: 'Decide', resolutions: { [path]: side } })
      expect(await here.get('t-1')).toMatchObject({ status })
      expect((await here.claim())?.task.id).toBe('t-2')
      await expectIndexHolds(repo, planName)
    }
  }
})

it('a task that a side does not have has no blockers on that side', async () => {
  const { repo, here, there } = await branched(2)
  await here.change('t-2', { blockedBy: ['t-1'] })
  await there.add({ title: 'A part', parent: 't-1', blockedBy: ['t-2'] })
  const place = `${tasksPath}/t-000000003/blockedBy`
  expect((await conflictsOf(repo.merge('side'))).map(one => one.path)).toContain(place)
  await repo.merge('side', { description: 'The part goes first', resolutions: { [place]: 'ours' } })
  expect(await here.get('t-3')).toMatchObject({ parent: 't-1', blockedBy: [] })
  expect((await here.claim())?.task.id).toBe('t-3')
  await expectIndexHolds(repo, planName)
})

it('what others were done after cannot be made undone alone', async () => {
  const { repo, here } = await branched(2, plan => plan.change('t-2', { blockedBy: ['t-1'] }))
  await doneBy(here, 't-1')
  const first = await repo.head()
  await doneBy(here, 't-2')
  const paths = (await conflictsOf(repo.revert(first))).map(({ path }) => path)
  expect(paths).toContain(`${tasksPath}/t-000000001/state`)
  expect(await here.get('t-1')).toMatchObject({ status: 'done' })
})

it('where a plan or a task stands is never a value from whoever merges', async () => {
  const { repo, here, there } = await branched(1)
  await here.claim()
  await there.claim()
  const path = `${tasksPath}/t-000000001/state`
  const value = new Map([['status', 'done']])
  const forged = repo.merge('side', { description: 'Done', resolutions: { [path]: { value } } })
  await expect(forged).rejects.toMatchObject({ code: 'path-reserved', data: { path } })
})

it('a plan that was closed here and given work there is a conflict about the plan', async () => {
  const { repo, here, there } = await branched(0)
  await here.close('Nothing to do')
  await there.add({ title: 'Something to do' })
  const path = `/_plans/${planName}/state`
  expect((await conflictsOf(repo.merge('side'))).map(one => one.path)).toEqual([path])
  const still = conflictsOf(repo.merge('side', { description: 'Closed', resolutions: { [path]: 'ours' } }))
  expect((await still).map(one => one.path)).toEqual([path])
  await repo.merge('side', { description: 'Go on', resolutions: { [path]: 'theirs' } })
  expect((await plans(repo).get(planName)).status).toBe('active')
  expect((await here.next())?.title).toBe('Something to do')
})

it('going back takes the plan along, and what others refer to cannot be taken away', async () => {
  const { repo, here } = await branched(1)
  const before = await repo.head()
  await here.add({ title: 'Two' })
  const added = await repo.head()
  await here.change('t-1', { blockedBy: ['t-2'] })
  expect(await conflictsOf(repo.revert(added))).toMatchObject([{ path: `${tasksPath}/t-000000001/blockedBy` }])
  await doneBy(here, 't-2')
  expect((await here.next())?.id).toBe('t-1')
  await repo.rollback(before, 'Start again')
  expect((await here.tasks()).map(({ id }) => id)).toEqual(['t-1'])
  expect((await here.next())?.id).toBe('t-1')
  expect((await here.add({ title: 'Three' })).id).toBe('t-3')
  await expectIndexHolds(repo, planName)
})

it('a transition can be undone, and done elsewhere', async () => {
  const { repo, side, here } = await branched(2)
  await here.abandon('t-1', 'Not needed')
  const { id } = await repo.head()
  await repo.undo((await repo.head()).seq)
  expect((await here.next())?.id).toBe('t-1')
  await side.cherryPick(id)
  expect(await (await plans(side).get(planName)).get('t-1')).toMatchObject({ status: 'abandoned' })
  await expectIndexHolds(repo, planName)
})
