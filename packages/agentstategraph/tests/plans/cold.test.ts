/** A plan that is read for the first time in a process: what is looked at, and that the answer is the same. */
import { expect, it } from 'vitest'
import { plans } from '../../src/plans/index.ts'
import { open } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { workOf } from '../growth/support/work-of.ts'
import { around, wrapped } from '../store/support/wrapped-backend.ts'
import { proof } from './support/plan-clock.ts'
import { expectIndexHolds } from './support/plan-index-check.ts'

it.skipIf(!memoryBackend().capabilities.sync)(
  'opening and listing plans costs about the same however many tasks they have',
  async () => {
    const workWith = async (tasks: number): Promise<number> => {
      const backend = memoryBackend()
      await using repo = await open(backend)
      const plan = await plans(repo).create('p', 'Why')
      await plan.add(Array.from({ length: tasks }, (_, i) => ({ title: `Task ${i}` })))
      await using cold = await open(backend)
      return await workOf(cold, async () => {
        expect((await plans(cold).get('p')).status).toBe('active')
        expect((await plans(cold).find('p'))?.description).toBe('Why')
        expect(await plans(cold).list({ status: 'active' })).toHaveLength(1)
      })
    }
    expect((await workWith(600)) - (await workWith(20))).toBeLessThan(4)
  },
)

it('the index of tasks in many packs, with fields too long for their node, is the one brought forward', async () => {
  const backend = memoryBackend()
  const agent = `agent/${'long '.repeat(40)}`
  await using repo = await open(backend)
  const plan = await plans(repo.as(agent)).create('p')
  const ids = (
    await plan.add(Array.from({ length: 90 }, (_, i) => ({ title: `Task ${i}`, payload: 'x'.repeat(i * 9) })))
  ).map(({ id }) => id)
  await plan.add([
    { title: 'Waits', blockedBy: ids.slice(0, 40), parent: 't-90' },
    { title: 'Assigned', assignee: agent, priority: 'high' },
    { title: 'Assigned by a key that is escaped', assignee: '$agent' },
  ])
  for (const id of ids.slice(0, 20)) {
    const taken = await plan.take({ id })
    if (id !== 't-7') await plan.complete(id, { ...proof, note: 'n'.repeat(300) }, { claim: taken!.claim })
  }
  await expectIndexHolds(repo, 'p')
  const answers = around(backend.namespace('default'), (_, call) => call())
  await using cold = await open(wrapped(backend, () => answers))
  await expectIndexHolds(cold, 'p')
  const [warm, first] = [plans(repo.as(agent)), plans(cold.as(agent))]
  expect(await (await first.get('p')).next()).toEqual(await (await warm.get('p')).next())
  expect(await (await first.get('p')).tasks()).toEqual(await (await warm.get('p')).tasks())
})
