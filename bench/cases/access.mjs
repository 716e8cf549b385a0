/**
 * A one-leaf commit with access control, compared with the same commit in a repository without decisions about access.
 *
 * The commit is authorized by a chain of three grants with patterns; twenty rules and twenty taints do not match it.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { sqlite } from 'agentstategraph/backends'
import { rateRatio, summarize, takeTurns } from '../measure.mjs'
import { ratioAtMost, time } from '../reach.mjs'
import { makeState } from '../state.mjs'

export const name = 'access'

export const reach = { leaf: ratioAtMost(1.25) }

const EACH = 20

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const plain = await opened(join(folder, 'plain.db'), driver)
  const guarded = await opened(join(folder, 'guarded.db'), driver)
  const agent = await decided(guarded)
  const steps = (repo, side) => async (from, count) => {
    for (let i = from; i < from + count; i++) await repo.set('/load/current', `${side} ${i}`, 'Follow the load')
  }
  const count = Math.max(5, size(200))
  // The first run of a slice pays for the garbage of the one before it, so each side is first equally often.
  const turns = await takeTurns([
    { name: 'plainFirst', count, run: steps(plain, 'a') },
    { name: 'checkedFirst', count, run: steps(agent, 'a') },
    { name: 'checkedLast', count, run: steps(agent, 'b') },
    { name: 'plainLast', count, run: steps(plain, 'b') },
  ])
  const times = { plain: both(turns.plainFirst, turns.plainLast), checked: both(turns.checkedFirst, turns.checkedLast) }
  const { authority } = (await guarded.log({ limit: 1 }))[0]
  if (authority.length !== 3)
    throw new Error(`The commits were made under ${authority.length} grants, and not under 3.`)
  await plain.close()
  await guarded.close()
  const ratio = rateRatio(times.plain, times.checked)
  const work = 'one leaf of 100 KB set: 3 grants, 20 rules, 20 taints'
  const rows = [{ work, ours: time(times.checked), other: time(times.plain), ratio, reach: 'leaf' }]
  return { rows, sides: [{ side: 'with and without access', driver: driver.name }] }
}

function both(first, last) {
  const seconds = first.seconds.map((one, slice) => (one + last.seconds[slice]) / 2)
  return { ...summarize(seconds), seconds }
}

async function opened(file, driver) {
  const repo = await open(sqlite(file, { driver: driver.module }))
  await repo.set('/', { ...makeState(), load: { current: -1 } }, 'Begin')
  return repo
}

/** Gives the handle of the last of a chain of three. */
async function decided(repo) {
  const add = async id => {
    const { key } = await access(repo).addPrincipal(id, 'agent')
    return access(repo).authenticate(key)
  }
  const [lead, deputy, agent] = [await add('agent/lead'), await add('agent/deputy'), await add('agent/worker')]
  const give = { capabilities: ['read', 'commit', 'grant'], branches: ['main', 'feature/*'] }
  await access(repo).grant('agent/lead', { ...give, paths: ['/load/**', '/services/**'], depth: 2 })
  await access(lead).grant('agent/deputy', { ...give, paths: ['/load/**'], depth: 1 })
  await access(deputy).grant('agent/worker', { ...give, paths: ['/load/current'], depth: 0 })
  const [ann, ben] = [await add('human/ann'), await add('human/ben')]
  for (const id of ['human/ann', 'human/ben']) await access(repo).grant(id, { capabilities: ['policy', 'taint'] })
  for (let i = 0; i < EACH; i++) {
    const rule = { name: `rule ${i}`, effect: 'deny', when: { paths: [`/services/s${i}/**`], branches: ['main'] } }
    const { id } = await access(ann).proposePolicy(rule)
    await access(ben).ratifyPolicy(id, 'Agreed')
    await access(ann).taint({ path: `/imports/i${i}`, effect: 'block', reason: 'From an unknown source' })
  }
  return agent
}
