/**
 * What taking a task costs in a long plan against a short one: the claim alone, as a commit in SQLite.
 *
 * Tasks are given back between the slices, so both plans keep their length.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { plans } from 'agentstategraph/plans'
import { rateRatio, takeTurns } from '../measure.mjs'
import { ratioAtMost, time } from '../reach.mjs'

export const name = 'plans'

export const reach = { claim: ratioAtMost(3) }

const few = 100

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const many = size(10_000)
  const long = await openPlan(join(folder, 'long.db'), driver, many)
  const short = await openPlan(join(folder, 'short.db'), driver, few)
  const times = await takeTurns([claiming('long', long.plan), claiming('short', short.plan)])
  await long.repo.close()
  await short.repo.close()
  return {
    rows: [
      {
        work: `claim in a plan of ${many.toLocaleString('en-US')} tasks, against ${few}`,
        ours: time(times.long),
        other: time(times.short),
        ratio: 1 / rateRatio(times.long, times.short),
        reach: 'claim',
      },
    ],
    sides: [{ side: 'ours', driver: driver.name }],
  }
}

async function openPlan(file, driver, count) {
  const repo = await open(sqlite(file, { driver: driver.module }))
  const plan = await plans(repo).create('plan')
  await plan.add(Array.from({ length: count }, (_, i) => ({ title: `Task ${i}`, payload: { part: i } })))
  return { repo, plan }
}

function claiming(side, plan) {
  let held = []
  return {
    name: side,
    count: 40,
    async prepare() {
      for (const claim of held) await claim.release()
      held = []
    },
    async run(_from, count) {
      for (let i = 0; i < count; i++) held.push(await plan.claim({ leaseMs: 3_600_000 }))
    },
  }
}
