/** Tasks held without a claim at hand: each call may come from another process, and only the holder is let through. */
import { expect, it } from 'vitest'
import { refusalOf } from '../repo/support/open-stores.ts'
import { type Clocked, newPlan } from './support/plan-clock.ts'

const proof = { kind: 'text', value: 'Done' } as const

async function planOf(tasks: number): Promise<Clocked> {
  const clocked = await newPlan()
  await (await clocked.as('agent/lead')).add(Array.from({ length: tasks }, (_, i) => ({ title: `Task ${i}` })))
  return clocked
}

it('what one handle took, another handle of the same agent renews and completes', async () => {
  const { as, pass } = await planOf(1)
  const taken = await (await as('agent/a')).take({ leaseMs: 1000 })
  expect(taken).toMatchObject({ task: { id: 't-1', status: 'in-progress', owner: 'agent/a' } })
  pass(900)
  expect(await (await as('agent/a')).renew('t-1', { leaseMs: 1000 })).toMatchObject({ status: 'in-progress' })
  pass(900)
  expect(await (await as('agent/a')).complete('t-1', proof)).toMatchObject({ status: 'done', proof })
})

it('whoever does not hold a task, or no longer, is refused and told who does', async () => {
  const { as, pass } = await planOf(1)
  await (await as('agent/a')).take({ leaseMs: 1000 })
  const other = await as('agent/b')
  for (const act of [() => other.renew('t-1'), () => other.complete('t-1', proof), () => other.release('t-1')]) {
    expect(await refusalOf(act())).toMatchObject({ code: 'lease-lost', data: { owner: 'agent/a' } })
  }
  pass(2000)
  const late = await as('agent/a')
  expect(await refusalOf(late.complete('t-1', proof))).toMatchObject({ code: 'lease-lost' })
  expect(await other.take()).toMatchObject({ task: { owner: 'agent/b' } })
})

it('the id of a claim tells two claims of one agent apart', async () => {
  const { as, pass } = await planOf(1)
  const plan = await as('agent/a')
  const first = await plan.take({ leaseMs: 1000 })
  pass(2000)
  const second = await plan.take({ leaseMs: 1000 })
  const stale = plan.complete('t-1', proof, { claim: first!.claim })
  expect(await refusalOf(stale)).toMatchObject({ code: 'lease-lost' })
  expect(await plan.release('t-1', { claim: second!.claim })).toMatchObject({ status: 'pending' })
  expect(await plan.take({ id: 't-1' })).toBeDefined()
  expect(await plan.take()).toBeUndefined()
})
