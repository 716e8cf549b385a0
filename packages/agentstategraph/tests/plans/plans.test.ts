/** Plans and tasks: order, leases, waiting, parents, proofs, and what is refused. */
import { describe, expect, it } from 'vitest'
import { type Plan, plans, type Verifier } from '../../src/plans/index.ts'
import { isStateError, open } from '../../src/repository/index.ts'
import { steppingClock } from '../../src/testing/index.ts'
import { allStores, openNew, refusalOf } from '../repo/support/open-stores.ts'
import { newPlan, planName, proof } from './support/plan-clock.ts'

const a = 'agent/a'
const b = 'agent/b'

async function claimedId(plan: Plan): Promise<string | undefined> {
  return (await plan.claim())?.task.id
}

describe.each(allStores)('on $name', store => {
  it('a plan is worked through in order, and closed when nothing is open', async () => {
    const repo = await openNew(store, { clock: steppingClock() })
    const plan = await plans(repo.as(a)).create('p', 'Why')
    await plan.add([
      { title: 'Last', priority: 'low' },
      { title: 'First', priority: 'critical', payload: { rows: 3n } },
    ])
    await plan.add({ title: 'Middle' })
    const seen: string[] = []
    for (;;) {
      await using claim = await plan.claim({ leaseMs: 60_000 })
      if (claim === undefined) break
      seen.push(claim.task.title)
      await claim.complete(proof)
    }
    expect(seen).toEqual(['First', 'Middle', 'Last'])
    expect(await plan.get('t-2')).toMatchObject({ status: 'done', owner: a, proof, payload: { rows: 3n } })
    expect((await plan.close('All moved')).reasoning).toBe('All moved')
    expect(plan.status).toBe('completed')
    expect(await plans(repo).get('p')).toMatchObject({ name: 'p', description: 'Why', status: 'completed' })
  })
})

it('tasks are listed by number, page by page, as they were when the walk began', async () => {
  const { as } = await newPlan()
  const plan = await as(a)
  await plan.add(Array.from({ length: 1100 }, (_, i) => ({ title: `Task ${i}`, assignee: i % 2 === 0 ? a : b })))
  const ids = (await plan.tasks()).map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 1100 }, (_, i) => `t-${i + 1}`))
  const first = await plan.tasks({ assignee: b }).page({ limit: 3 })
  expect(first.items.map(({ id }) => id)).toEqual(['t-2', 't-4', 't-6'])
  const second = await plan.tasks({ assignee: b }).page({ limit: 2, after: first.next })
  expect(second.items.map(({ id }) => id)).toEqual(['t-8', 't-10'])
  expect(await plan.tasks({ status: 'pending', limit: 2 })).toHaveLength(2)
  expect((await refusalOf(plan.tasks().page({ limit: 1, after: 'x' }))).code).toBe('option-invalid')
})

it('what is assigned is for its agent only, and comes in the order of priority among the rest', async () => {
  const { as } = await newPlan()
  const [ofA, ofB] = [await as(a), await as(b)]
  await ofA.add([{ title: 'Any' }, { title: 'For b', assignee: b, priority: 'high' }])
  expect((await ofB.next())?.id).toBe('t-2')
  expect(await claimedId(ofA)).toBe('t-1')
  expect(await claimedId(ofA)).toBeUndefined()
  expect((await refusalOf(ofA.claim({ id: 't-2' }))).data).toMatchObject({ assignee: b, agent: a })
  await ofA.change('t-2', { assignee: null })
  expect(await claimedId(ofA)).toBe('t-2')
})

describe('leases', () => {
  it('a lease that runs out frees the task, and the late owner is told who has it', async () => {
    const { as, pass } = await newPlan()
    const [ofA, ofB] = [await as(a), await as(b)]
    await ofA.add({ title: 'Copy' })
    const late = (await ofA.claim({ leaseMs: 1000 }))!
    pass(999)
    expect(await ofB.claim()).toBeUndefined()
    expect((await refusalOf(ofB.claim({ id: 't-1' }))).data).toMatchObject({
      owner: a,
      leaseEnds: '2026-04-06T08:00:01.000Z',
    })
    pass(1)
    expect(await ofA.get('t-1')).toMatchObject({ status: 'pending' })
    expect((await refusalOf(late.renew())).data).toEqual({ plan: planName, task: 't-1', agent: a, owner: undefined })
    expect(late.signal.aborted).toBe(true)
    expect(isStateError(late.signal.reason, 'lease-lost')).toBe(true)
    const claim = (await ofB.claim({ leaseMs: 1000 }))!
    const refusal = await refusalOf(late.complete(proof))
    expect(refusal.code).toBe('lease-lost')
    expect(refusal.message).toContain('agent/b')
    expect(refusal.data).toEqual({ plan: planName, task: 't-1', agent: a, owner: b })
    await late[Symbol.asyncDispose]()
    expect(await claim.complete(proof)).toMatchObject({ status: 'done', owner: b })
  })

  it('renewing prolongs it from now on', async () => {
    const { as, pass } = await newPlan()
    const plan = await as(a)
    await plan.add({ title: 'Copy' })
    const claim = (await plan.claim({ leaseMs: 1000 }))!
    pass(900)
    await claim.renew()
    pass(900)
    expect(await plan.get('t-1')).toMatchObject({ status: 'in-progress', leaseEnds: '2026-04-06T08:00:01.900Z' })
    await claim.complete(proof)
  })

  it('of several that ran out, the one that comes first is given first', async () => {
    const { as, pass } = await newPlan()
    const plan = await as(a)
    await plan.add([{ title: 'Low', priority: 'low' }, { title: 'High', priority: 'high' }, { title: 'Later' }])
    await plan.claim({ id: 't-1', leaseMs: 10 })
    await plan.claim({ id: 't-2', leaseMs: 20 })
    pass(20)
    expect((await plan.next())?.id).toBe('t-2')
    expect([await claimedId(plan), await claimedId(plan), await claimedId(plan)]).toEqual(['t-2', 't-3', 't-1'])
  })

  it('a lease without an end holds until the task is given back', async () => {
    const { as, pass } = await newPlan()
    const plan = await as(a)
    await plan.add({ title: 'Copy' })
    const claim = (await plan.claim({ leaseMs: Number.POSITIVE_INFINITY }))!
    pass(1e12)
    await claim.renew()
    expect(await plan.get('t-1')).toEqual({
      id: 't-1',
      title: 'Copy',
      priority: 'medium',
      blockedBy: [],
      status: 'in-progress',
      owner: a,
    })
    await claim.release()
    expect((await plan.next())?.id).toBe('t-1')
  })

  it('leaving the scope of a claim gives the task back, unless it was completed, ended by another, or is gone', async () => {
    const { repo, as } = await newPlan()
    const plan = await as(a)
    const before = await repo.head()
    await plan.add([{ title: 'One' }, { title: 'Two' }])
    {
      await using claim = await plan.claim()
      expect(claim?.task).toMatchObject({ id: 't-1', status: 'in-progress' })
    }
    expect(await plan.get('t-1')).toMatchObject({ status: 'pending' })
    {
      await using claim = await plan.claim()
      await plan.abandon(claim!.task.id, 'Not needed')
    }
    expect(await plan.get('t-1')).toMatchObject({ status: 'abandoned', reason: 'Not needed' })
    {
      await using claim = await plan.claim()
      expect(claim?.task.id).toBe('t-2')
      await repo.rollback(before, 'Begin again')
    }
    expect(await plan.tasks()).toEqual([])
  })

  it('the signal aborts by itself when the lease ends', async () => {
    await using repo = await open()
    const plan = await plans(repo).create('p')
    await plan.add({ title: 'Copy' })
    const claim = (await plan.claim({ leaseMs: 1 }))!
    await new Promise(resolve => {
      if (claim.signal.aborted) resolve(undefined)
      claim.signal.addEventListener('abort', resolve)
      // Keeps the process alive: the claim's own timer does not.
      const look = setInterval(() => claim.signal.aborted && clearInterval(look), 1)
    })
    expect(isStateError(claim.signal.reason, 'lease-lost')).toBe(true)
  })
})

describe('waiting', () => {
  it('a task is ready when all that block it are done, and not when one is abandoned', async () => {
    const { as } = await newPlan()
    const plan = await as(a)
    await plan.add([{ title: 'One' }, { title: 'Two' }])
    await plan.add({ title: 'Three', priority: 'critical', blockedBy: ['t-1', 't-2'] })
    expect((await refusalOf(plan.claim({ id: 't-3' }))).data).toMatchObject({ by: ['t-1', 't-2'] })
    await (await plan.claim())?.complete(proof)
    expect(await claimedId(plan)).toBe('t-2')
    await plan.abandon('t-2', 'Not needed')
    expect(await plan.next()).toBeUndefined()
    await plan.change('t-3', { blockedBy: ['t-1'] })
    expect(await claimedId(plan)).toBe('t-3')
  })

  it('a parent waits for its children, shows where they stand, and is then done itself', async () => {
    const { as } = await newPlan()
    const plan = await as(a)
    await plan.add({ title: 'Whole', priority: 'critical' })
    await plan.add([
      { title: 'Part', parent: 't-1' },
      { title: 'Other part', parent: 't-1' },
    ])
    await plan.add({ title: 'Part of a part', parent: 't-3' })
    const derived = async (): Promise<unknown> => (await plan.get('t-1')).derived
    expect(await derived()).toBe('pending')
    await (await plan.claim())?.complete(proof)
    expect(await derived()).toBe('in-progress')
    await plan.abandon('t-4', 'Not needed')
    expect((await plan.get('t-3')).derived).toBe('abandoned')
    expect(await derived()).toBe('done')
    expect(await claimedId(plan)).toBe('t-3')
    await plan.abandon('t-3', 'Not needed')
    const claim = (await plan.claim())!
    expect(claim.task).toMatchObject({ id: 't-1', derived: 'done' })
    await plan.add({ title: 'One more', parent: 't-1' })
    expect((await refusalOf(claim.complete(proof))).data).toMatchObject({ task: 't-1', by: ['t-5'] })
    await claim.release()
    expect(await claimedId(plan)).toBe('t-5')
  })

  it('a circle is refused with the way round, whether by blockers or by parents', async () => {
    const { repo, as } = await newPlan()
    const plan = await as(a)
    await plan.add([{ title: 'One' }, { title: 'Two' }])
    await plan.change('t-2', { blockedBy: ['t-1'] })
    await plan.add({ title: 'Three', blockedBy: ['t-2'] })
    const head = await repo.head()
    expect((await refusalOf(plan.change('t-1', { blockedBy: ['t-3'] }))).data).toEqual({
      plan: planName,
      tasks: ['t-1', 't-3', 't-2', 't-1'],
    })
    expect((await refusalOf(plan.change('t-1', { blockedBy: ['t-1'] }))).code).toBe('task-cycle')
    expect((await refusalOf(plan.add({ title: 'Part', parent: 't-1', blockedBy: ['t-3'] }))).code).toBe('task-cycle')
    const both = [
      { title: 'Part of one', parent: 't-1', blockedBy: ['t-2'] },
      { title: 'Part of two', parent: 't-2', blockedBy: ['t-1'] },
    ]
    expect((await refusalOf(plan.add(both))).code).toBe('task-cycle')
    expect(await repo.head()).toEqual(head)
    expect((await plan.tasks()).map(({ id }) => id)).toEqual(['t-1', 't-2', 't-3'])
  })
})

describe('proofs', () => {
  it('a commit must exist and be reachable, and is kept by its full id', async () => {
    const { repo, as } = await newPlan()
    const plan = await as(a)
    await plan.add([{ title: 'One' }, { title: 'Two' }])
    const side = await repo.branch('side')
    const { id } = await side.set('/rows', 3, 'Copy')
    const claim = (await plan.claim())!
    expect((await refusalOf(claim.complete({ kind: 'commit', value: 'f00dfeed' }))).code).toBe('proof-invalid')
    expect(await claim.complete({ kind: 'commit', value: id.slice(0, 12) })).toMatchObject({
      proof: { kind: 'commit', value: id },
    })
    expect(await plan.verify()).toEqual([{ id: 't-1', status: 'verified' }])
    await repo.deleteBranch('side')
    const next = (await plan.claim())!
    expect((await refusalOf(next.complete({ kind: 'commit', value: id }))).message).toContain('no branch')
    expect(await plan.verify()).toMatchObject([{ id: 't-1', status: 'decayed' }])
  })

  it('the rest is for a verifier, which is asked when a task is completed and whenever proofs are verified', async () => {
    const { repo, as } = await newPlan()
    await (await as(a)).add(Array.from({ length: 4 }, (_, i) => ({ title: `Task ${i}` })))
    let isRed = false
    const verifier: Verifier = {
      async verify({ kind, value }) {
        if (value === 'broken') throw new Error('no network')
        if (kind === 'text') return 'unverifiable'
        return isRed ? 'decayed' : 'verified'
      },
    }
    const plan = await plans(repo.as(a), { verifier }).get(planName)
    await (await plan.claim())?.complete({ kind: 'test', value: 'npm test' })
    await (await plan.claim())?.complete({ kind: 'file', value: 'dump.sql', hash: 'a'.repeat(64) })
    await (await plan.claim())?.complete({ kind: 'test', value: 'broken' })
    expect((await plan.verify()).map(({ status }) => status)).toEqual(['verified', 'verified', 'unverifiable'])
    isRed = true
    expect((await plan.verify()).map(({ status }) => status)).toEqual(['decayed', 'decayed', 'unverifiable'])
    const claim = (await plan.claim())!
    expect((await refusalOf(claim.complete({ kind: 'test', value: 'npm test' }))).code).toBe('proof-invalid')
    await claim.complete(proof)
    expect((await (await as(b)).verify()).every(({ status }) => status === 'unverifiable')).toBe(true)
  })
})

it('what a proof says stays readable in the commit, however long it is', async () => {
  const { repo, as } = await newPlan()
  const plan = await as(a)
  await plan.add({ title: 'One' })
  const value = 'x'.repeat(1024)
  await (await plan.claim())?.complete({ kind: 'text', value })
  expect((await repo.head()).reasoning).toBe(`Proved by text ${value}`)
})

describe('what is refused has a code, names the parties, and leaves everything as it was', () => {
  const refused: readonly (readonly [string, string, string, (plan: Plan) => Promise<unknown>])[] = [
    ['an unknown task', 'task-not-found', 't-9', plan => plan.get('t-9')],
    ['what is no id', 'task-not-found', 'nine', plan => plan.claim({ id: 'nine' })],
    ['an unknown blocker', 'task-not-found', 't-9', plan => plan.add({ title: 'x', blockedBy: ['t-9'] })],
    ['an unknown parent', 'task-not-found', 't-9', plan => plan.add({ title: 'x', parent: 't-9' })],
    ['an abandoned blocker', 'task-invalid', 't-2', plan => plan.change('t-1', { blockedBy: ['t-2'] })],
    ['no title', 'option-invalid', 'title', plan => plan.add({ title: ' ' })],
    ['no task', 'task-invalid', 'title', plan => plan.add(null as never)],
    ['no changes', 'task-invalid', 'changes', plan => plan.change('t-1', null as never)],
    ['a title that is missing', 'task-invalid', 'title', plan => plan.add({} as never)],
    ['an unknown priority', 'task-invalid', 'urgent', plan => plan.add({ title: 'x', priority: 'urgent' as never })],
    [
      'blockers that are no list',
      'task-invalid',
      'blockedBy',
      plan => plan.add({ title: 'x', blockedBy: 't-1' as never }),
    ],
    ['a payload that cannot be stored', 'value-refused', 'payload', plan => plan.add({ title: 'x', payload: () => 1 })],
    ['no lease', 'task-invalid', 'leaseMs', plan => plan.claim({ leaseMs: 0 })],
    ['no reason', 'task-invalid', 'reason', plan => plan.abandon('t-1', undefined as never)],
    ['no summary', 'task-invalid', 'summary', plan => plan.close(undefined as never)],
    ['closing with work left', 'plan-unfinished', 't-1', plan => plan.close('Done')],
    ['archiving what is not closed', 'plan-active', planName, plan => plan.archive()],
    ['waiting in the middle of work', 'task-invalid', 't-3', plan => plan.change('t-3', { blockedBy: ['t-1'] })],
    [
      'a file without a hash',
      'proof-invalid',
      'hash',
      async plan => (await plan.claim())!.complete({ kind: 'file', value: 'dump.sql' }),
    ],
    ['a proof of no kind', 'proof-invalid', 'kind', async plan => (await plan.claim())!.complete({} as never)],
  ]

  it.each(refused)('%s', async (_title, code, named, ask) => {
    const { repo, as } = await newPlan()
    const plan = await as(a)
    await plan.add([{ title: 'One' }, { title: 'Two' }, { title: 'Three', priority: 'low' }])
    await plan.abandon('t-2', 'Not needed')
    await plan.claim({ id: 't-3' })
    const before = { head: await repo.head(), tasks: await plan.tasks() }
    const refusal = await refusalOf(ask(plan))
    expect(refusal.code).toBe(code)
    expect(refusal.message + JSON.stringify(refusal.data)).toContain(named)
    if (code === 'proof-invalid') await plan.release('t-1')
    else expect(await repo.head()).toEqual(before.head)
    expect(await plan.tasks()).toEqual(before.tasks)
  })

  it('plans: unknown, there already, badly named, on no branch, closed', async () => {
    const { repo, as } = await newPlan()
    const all = plans(repo.as(a))
    expect((await refusalOf(all.get('other'))).data).toEqual({ plan: 'other', branch: 'main', known: [planName] })
    expect(await all.find('other')).toBeUndefined()
    expect((await refusalOf(all.create(planName))).code).toBe('plan-exists')
    for (const name of ['', 'a/b', ' x', 'x'.repeat(129)]) {
      expect((await refusalOf(all.create(name))).code).toBe('plan-name-invalid')
    }
    expect((await refusalOf(plans(repo.on('nowhere')).create('p'))).code).toBe('ref-not-found')
    const plan = await as(a)
    await plan.close('Nothing to do')
    for (const ask of [
      () => plan.add({ title: 'x' }),
      () => plan.claim(),
      () => plan.close('Again'),
      () => plan.abandon('t-1', 'No'),
    ]) {
      expect((await refusalOf(ask())).data).toMatchObject({ plan: planName, status: 'completed' })
    }
    expect((await plan.archive()).changed).toBe(true)
    expect((await plan.archive()).changed).toBe(false)
  })

  it('ordinary writes cannot touch plans, and checks see each transition', async () => {
    const { repo, as } = await newPlan()
    expect((await refusalOf(repo.set('/_plans/migrate-db/state', 1, 'No'))).code).toBe('path-reserved')
    const seen: string[] = []
    const check = ({ changed }: { readonly changed: readonly (readonly string[])[] }): void => {
      seen.push(...changed.map(path => path.join('/')))
      if (seen.length > 12) throw new Error('Not allowed')
    }
    Object.assign(repo.handle.shared, { checks: [check] })
    const plan = await as(a)
    await plan.add({ title: 'One' })
    expect(seen).toContain('_plans/migrate-db/tasks/t-000000001')
    seen.push(...Array.from({ length: 12 }, () => ''))
    await expect(plan.claim()).rejects.toThrow('Not allowed')
    expect(await plan.get('t-1')).toMatchObject({ status: 'pending' })
  })
})
