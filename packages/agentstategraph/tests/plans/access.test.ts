/** Grants and rules hold for plans as for any write: each transition is judged at the places under `/_plans` that it changes. */
import { expect, it, onTestFinished } from 'vitest'
import { type Plan, plans } from '../../src/plans/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { office, proposalOf } from '../access/support/office.ts'
import { codeOf, person } from '../access/support/people.ts'

const proof = { kind: 'text', value: 'Done' } as const

async function withPlans(...names: readonly string[]): Promise<Repository> {
  const repo = await open()
  onTestFinished(() => repo.close())
  for (const name of names) await (await plans(repo).create(name)).add([{ title: 'One' }, { title: 'Two' }])
  return repo
}

it('a grant for one plan is for that plan alone, and a grant for the state is for none', async () => {
  const repo = await withPlans('mine', 'other')
  const paths = ['/_plans/mine/**']
  const worker = await person(repo, 'agent/w', { capabilities: ['read', 'commit'], paths })
  const mine = await plans(worker).get('mine')
  await (await mine.claim())?.complete(proof)
  await mine.add({ title: 'Three' })
  expect(await mine.get('t-1')).toMatchObject({ status: 'done', owner: 'agent/w' })
  expect(await codeOf(() => plans(worker).get('other'))).toBe('access-denied')
  expect((await plans(worker).list()).map(({ name }) => name)).toEqual(['mine'])
  expect(await codeOf(() => plans(worker).create('third'))).toBe('access-denied')
  const writer = await person(repo, 'agent/s', { capabilities: ['read', 'commit'], paths: ['/**'] })
  expect(await codeOf(() => plans(writer).get('mine'))).toBe('access-denied')
})

it('who may only read a plan takes no step in it, and nothing is changed', async () => {
  const repo = await withPlans('p')
  const held = await (await plans(repo.as('agent/r')).get('p')).take({ id: 't-2' })
  const paths = ['/_plans/**']
  const plan = await plans(await person(repo, 'agent/r', { capabilities: ['read'], paths })).get('p')
  const before = await repo.head()
  const steps: readonly ((plan: Plan) => Promise<unknown>)[] = [
    one => one.add({ title: 'x' }),
    one => one.claim(),
    one => one.take(),
    one => one.change('t-1', { priority: 'low' }),
    one => one.abandon('t-1', 'No'),
    one => one.renew('t-2', { claim: held!.claim, leaseMs: 3_600_000 }),
    one => one.complete('t-2', proof, { claim: held!.claim }),
    one => one.release('t-2', { claim: held!.claim }),
  ]
  for (const step of steps) expect(await codeOf(() => step(plan))).toBe('access-denied')
  expect((await plan.next())?.id).toBe('t-1')
  expect(await repo.head()).toEqual(before)
})

it('a rule may forbid a step, or make it wait for approval', async () => {
  await using at = await office()
  const worker = await at.add('agent/w', ['read', 'commit'])
  await (await plans(at.repo).create('p')).add([{ title: 'One' }, { title: 'Two' }])
  await at.rule({ name: 'first', effect: 'require-approval', when: { paths: ['/_plans/p/tasks/t-000000001'] } })
  await at.rule({ name: 'second', effect: 'deny', when: { paths: ['/_plans/p/tasks/t-000000002'] } })
  const plan = await plans(worker).get('p')
  expect(await codeOf(() => plan.claim({ id: 't-2' }))).toBe('rule-denied')
  await proposalOf(plan.claim({ id: 't-1' }))
  expect((await plan.tasks()).map(({ status }) => status)).toEqual(['pending', 'pending'])
})
