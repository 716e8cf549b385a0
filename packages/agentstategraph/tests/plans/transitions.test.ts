/** What can be done to a task where it stands: the whole table, against real plans. */
import { describe, expect, it } from 'vitest'
import { type Claim, type Plan, type PlanStatus, type PlanTask, plans, type TaskStatus } from '../../src/plans/index.ts'
import { type Action, transitions } from '../../src/plans/transitions.ts'
import { refusalOf } from '../repo/support/open-stores.ts'
import { type Clocked, newPlan, planName, proof } from './support/plan-clock.ts'

const statuses: readonly TaskStatus[] = ['pending', 'in-progress', 'done', 'abandoned']
const actions = Object.keys(transitions) as Action[]

/** A task that stands somewhere, in the hands of agent/a if that is possible, and the claim that it was held by. */
async function standing(status: TaskStatus): Promise<{ clocked: Clocked; plan: Plan; claim: Claim }> {
  const clocked = await newPlan()
  const plan = await clocked.as('agent/a')
  await plan.add({ title: 'Copy the rows' })
  const claim = (await plan.claim())!
  if (status === 'pending') await claim.release()
  if (status === 'done') await claim.complete(proof)
  if (status === 'abandoned') await plan.abandon('t-1', 'Not needed')
  return { clocked, plan, claim }
}

const act: Readonly<Record<Action, (plan: Plan, claim: Claim) => Promise<unknown>>> = {
  claim: plan => plan.claim({ id: 't-1' }),
  renew: (_plan, claim) => claim.renew(),
  complete: (_plan, claim) => claim.complete(proof),
  release: (_plan, claim) => claim.release(),
  abandon: plan => plan.abandon('t-1', 'Changed our minds'),
  change: plan => plan.change('t-1', { priority: 'high' }),
  'add a child to': plan => plan.add({ title: 'A part', parent: 't-1' }),
}

/** What a refusal is called: who no longer holds is told that, and who asks for what is held is told by whom. */
function refusalFor(action: Action, status: TaskStatus): string {
  if (action === 'claim' && status === 'in-progress') return 'task-taken'
  if (['renew', 'complete', 'release'].includes(action) && status === 'pending') return 'lease-lost'
  return 'transition-refused'
}

describe.each(statuses)('a task that is %s', status => {
  it.each(actions)('%s', async action => {
    const { clocked, plan, claim } = await standing(status)
    const before = { head: await clocked.repo.head(), task: await plan.get('t-1') }
    const target = transitions[action][status]
    if (target !== undefined) {
      clocked.pass(1)
      await act[action](plan, claim)
      expect((await plan.get('t-1')).status).toBe(target)
      expect(await clocked.repo.head()).toMatchObject({ agent: 'agent/a', intent: { category: 'Plan' } })
      expect((await clocked.repo.head()).id).not.toBe(before.head.id)
    } else {
      const { code, message } = await refusalOf(act[action](plan, claim))
      expect(code).toBe(refusalFor(action, status))
      expect(message).toMatch(/t-1.*migrate-db.*(agent\/a|abandoned|lease)|agent\/a.*t-1.*migrate-db/)
      expect({ head: await clocked.repo.head(), task: await plan.get('t-1') }).toEqual(before)
    }
  })
})

describe('a task whose lease has run out', () => {
  it.each(actions)('%s', async action => {
    const { clocked, plan, claim } = await standing('in-progress')
    clocked.pass(3_600_000)
    const isHolders = ['renew', 'complete', 'release'].includes(action)
    if (!isHolders) {
      await act[action](plan, claim)
      expect((await plan.get('t-1')).status).toBe(transitions[action].pending)
      return
    }
    const { id } = await clocked.repo.head()
    expect(await refusalOf(act[action](plan, claim))).toMatchObject({
      code: 'lease-lost',
      data: { plan: planName, task: 't-1', agent: 'agent/a', owner: undefined },
    })
    expect((await clocked.repo.head()).id).toBe(id)
  })
})

/** What can be done to a plan, by where it stands: the status that follows, or the code of the refusal. */
const planLife: Readonly<Record<string, Readonly<Record<PlanStatus, string>>>> = {
  create: { active: 'plan-exists', completed: 'plan-exists', archived: 'plan-exists' },
  add: { active: 'active', completed: 'plan-closed', archived: 'plan-closed' },
  claim: { active: 'active', completed: 'plan-closed', archived: 'plan-closed' },
  change: { active: 'transition-refused', completed: 'plan-closed', archived: 'plan-closed' },
  abandon: { active: 'transition-refused', completed: 'plan-closed', archived: 'plan-closed' },
  close: { active: 'completed', completed: 'plan-closed', archived: 'plan-closed' },
  archive: { active: 'plan-active', completed: 'archived', archived: 'archived' },
}

const actOnPlan: Readonly<Record<string, (plan: Plan, clocked: Clocked) => Promise<unknown>>> = {
  create: (_plan, { repo }) => plans(repo).create(planName),
  add: plan => plan.add({ title: 'More' }),
  claim: plan => plan.claim(),
  change: plan => plan.change('t-1', { priority: 'low' }),
  abandon: plan => plan.abandon('t-1', 'Too late'),
  close: plan => plan.close('All is done'),
  archive: plan => plan.archive(),
}

describe.each(['active', 'completed', 'archived'] as const)('a plan that is %s, with all its tasks done', status => {
  it.each(Object.keys(planLife))('%s', async operation => {
    const { clocked, plan } = await standing('done')
    if (status !== 'active') await plan.close('Done')
    if (status === 'archived') await plan.archive()
    const { id } = await clocked.repo.head()
    const expected = planLife[operation]![status]
    const outcome = await actOnPlan[operation]!(plan, clocked).then(
      () => undefined,
      error => error,
    )
    const stands = (await plans(clocked.repo).get(planName)).status
    if (outcome === undefined) {
      expect(stands).toBe(expected)
    } else {
      expect(outcome).toMatchObject({ code: expected, data: { plan: planName } })
      expect({ stands, id: (await clocked.repo.head()).id }).toEqual({ stands: status, id })
    }
  })
})

it('each transition is one commit', async () => {
  const { repo, as } = await newPlan()
  const plan = await as('agent/a')
  const tasks: readonly PlanTask[] = await plan.add([{ title: 'One' }, { title: 'Two' }])
  expect(tasks.map(({ id }) => id)).toEqual(['t-1', 't-2'])
  const claim = (await plan.claim({ leaseMs: 1000 }))!
  await claim.complete(proof)
  await plan.abandon('t-2', 'Not needed')
  await plan.close('Done')
  await plan.archive()
  const log = await repo.log()
  expect(log.map(({ intent }) => intent.description)).toEqual([
    'Archive the plan migrate-db',
    'Close the plan migrate-db',
    'Abandon t-2 of migrate-db: Two',
    'Complete t-1 of migrate-db: One',
    'Claim t-1 of migrate-db: One',
    'Add 2 tasks to migrate-db: t-1 to t-2',
    'Create the plan migrate-db',
  ])
  expect(log.every(({ intent }) => intent.category === 'Plan')).toBe(true)
  expect(await plans(repo).list({ status: 'archived' })).toMatchObject([{ name: planName }])
  expect(await repo.get('/')).toEqual({})
})
