/** Plans worked on by real processes: each task is done once, and what a process that died held is done by another. */
import { expect, it } from 'vitest'
import { plans } from '../../src/plans/index.ts'
import { open } from '../../src/repository/index.ts'
import { runWorkers, startWorker } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const idsUpTo = (count: number): string[] => Array.from({ length: count }, (_, i) => `t-${i + 1}`)

/** Lets 16 processes claim so many tasks: each is done once, by the one that the plan names. */
async function claimAll(count: number): Promise<void> {
  const file = newFile()
  {
    await using repo = await open(file)
    await (await plans(repo).create('fleet')).add(idsUpTo(count).map(title => ({ title })))
  }
  const orders = Array.from({ length: 16 }, (_, n) => ({ file, plan: 'fleet', agent: `agent/${n}`, leaseMs: 600_000 }))
  const said = (await runWorkers('plan-worker.mjs', orders)).map(([done]) => done as string[])
  expect(said.flat().sort()).toEqual(idsUpTo(count).sort())
  await using repo = await open(file)
  const plan = await plans(repo).get('fleet')
  const owners = new Map(said.flatMap((done, n) => done.map(id => [id, `agent/${n}`] as const)))
  for await (const task of plan.tasks()) {
    expect(task).toMatchObject({ status: 'done', owner: owners.get(task.id) })
  }
  await plan.close('All is done')
}

it('16 processes that claim 200 tasks do each of them once', async () => {
  await claimAll(200)
})

it.runIf(process.env['ASG_SOAK'] === '1')('16 processes that claim 1,000 tasks do each of them once', async () => {
  await claimAll(1000)
})

it('what a killed process held comes free when its lease ends, and is done by another', async () => {
  const file = newFile()
  {
    await using repo = await open(file)
    await (await plans(repo).create('fleet')).add([{ title: 'First' }, { title: 'Second' }])
  }
  const dying = await startWorker('plan-worker.mjs', {
    file,
    plan: 'fleet',
    agent: 'agent/a',
    leaseMs: 1000,
    dies: true,
  })
  dying.begin()
  await dying.ended
  const later = new Date('2999-01-01T00:00:00Z')
  await using repo = await open(file, { clock: () => later })
  const plan = await plans(repo.as('agent/b')).get('fleet')
  for (const id of idsUpTo(2)) {
    await using claim = await plan.claim()
    expect(claim?.task.id).toBe(id)
    await claim?.complete({ kind: 'text', value: 'done' })
  }
})
