/**
 * Three agents work on a plan: a lead writes it, and two workers claim the tasks that are ready. The lease of one expires,
 * and the other takes over its task. The example has its own clock, so it does not wait.
 */

import assert from 'node:assert/strict'
import { isStateError, open, type Repository } from 'agentstategraph'
import { type Plan, plans } from 'agentstategraph/plans'
import { temporaryFile } from './temporary-file.ts'

let now = Date.parse('2026-04-06T08:00:00Z')
await using file = await temporaryFile()
await using repo = await open(file.path, { clock: () => new Date(now) })
await lead(repo.as('agent/lead'))
const [ann, ben] = [repo.as('agent/ann'), repo.as('agent/ben')]
await freeze(ann, await plans(ann).get('migrate-db'))
await tooSlow(await plans(ann).get('migrate-db'), await plans(ben).get('migrate-db'))
await end(repo, await plans(repo.as('agent/lead')).get('migrate-db'))

/** What has to be done, and in which order. */
async function lead(by: Repository): Promise<void> {
  const plan = await plans(by).create('migrate-db', 'Move to another database')
  const [schema] = await plan.add([{ title: 'Freeze the schema', priority: 'high' }, { title: 'Tell everybody' }])
  await plan.add({ title: 'Copy the rows', blockedBy: [schema!.id], payload: { tables: ['users', 'orders'] } })
}

/** A task is done when there is a proof: here the commit that did it. */
async function freeze(by: Repository, plan: Plan): Promise<void> {
  await using claim = await plan.claim({ leaseMs: 60_000 })
  assert.equal(claim?.task.title, 'Freeze the schema')
  const { id } = await by.set('/schema/frozen', true, 'No more changes until we have moved')
  const done = await claim.complete({ kind: 'commit', value: id })
  console.log(`${done.id} is ${done.status}: ${done.title}`)
}

/** An expired lease makes the task available again, and a late completion fails with the name of the new holder. */
async function tooSlow(slow: Plan, quick: Plan): Promise<void> {
  const late = await slow.claim({ id: 't-3', leaseMs: 60_000 })
  now += 61_000
  await using claim = await quick.claim({ id: 't-3', leaseMs: 60_000 })
  assert.deepEqual(claim?.task.payload, { tables: ['users', 'orders'] })
  try {
    await late?.complete({ kind: 'text', value: 'copied' })
    assert.fail('the lease is over')
  } catch (error) {
    if (!isStateError(error, 'lease-lost')) throw error
    console.log(error.message)
    assert.equal(error.data.owner, 'agent/ben')
  }
  await claim.complete({ kind: 'text', value: 'Counted the rows on both sides' })
}

/** What will not be done is abandoned with a reason; then the plan can be closed, and says what its proofs are worth. */
async function end(all: Repository, plan: Plan): Promise<void> {
  await plan.abandon('t-2', 'Everybody knows')
  await plan.close('The rows are there')
  for (const { id, status } of await plan.verify()) console.log(`the proof of ${id} is ${status}`)
  const log = await all.log({ limit: 3 })
  assert.deepEqual(
    log.map(({ agent, intent }) => [agent, intent.category, intent.description]),
    [
      ['agent/lead', 'Plan', 'Close the plan migrate-db'],
      ['agent/lead', 'Plan', 'Abandon t-2 of migrate-db: Tell everybody'],
      ['agent/ben', 'Plan', 'Complete t-3 of migrate-db: Copy the rows'],
    ],
  )
}
