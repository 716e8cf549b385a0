/**
 * What four times as much takes, in CPU time: at most five times as long, for everything whose size a caller decides.
 *
 * Kept in memory, so that what is timed is ours. Each call is made on a repository of its own. One call is held against
 * four calls of a quarter, which together make as much garbage: else the short side alone would do without collecting it.
 */
import { open } from 'agentstategraph'
import { memory } from 'agentstategraph/backends'
import { edits } from '../growth/edits.mjs'
import { histories } from '../growth/histories.mjs'
import { median } from '../measure.mjs'
import { ratioAtMost, span } from '../reach.mjs'

export const name = 'growth'

export const reach = { linear: ratioAtMost(5) }

/** The first calls of a kind are slower than the others; the median of the pairs after them counts. */
const warmups = 2
const fewestPairs = 5
const mostPairs = 25
/** Short calls are timed more often, since what else the process does weighs more in them. */
const enoughSeconds = 5

export async function run({ size }) {
  const rows = []
  const works = [...edits, ...histories.map(each => ({ ...each, prepare: forgetting(each.prepare) }))]
  for (const { work, size: full, prepare } of works) {
    const n = Math.max(10, size(full))
    const pairs = await timedPairs(prepare, n)
    const words = (4 * n).toLocaleString('en-US')
    rows.push({
      work: `${work}: ${words}, against a quarter`,
      ours: span(median(pairs.map(({ many }) => many))),
      other: span(median(pairs.map(({ few }) => few))),
      ratio: median(pairs.map(({ few, many }) => many / few)),
      reach: 'linear',
    })
  }
  return { rows, sides: [{ side: 'ours', driver: 'none: kept in memory' }] }
}

/** Both sides in turns, so that what slows the machine down for a while slows both. */
async function timedPairs(prepare, n) {
  const pairs = []
  let seconds = 0
  for (let i = 0; i < warmups + mostPairs; i++) {
    if (pairs.length >= fewestPairs && seconds >= enoughSeconds) break
    const few = (await secondsOf(prepare, n, 4)) / 4
    const many = await secondsOf(prepare, 4 * n, 1)
    if (i < warmups) continue
    pairs.push({ few, many })
    seconds += 4 * few + many
  }
  return pairs
}

/** How long some calls take together, each on a repository of its own. */
async function secondsOf(prepare, n, count) {
  const repos = []
  const calls = []
  for (let i = 0; i < count; i++) {
    const nodes = new Map()
    const repo = await open({ ...memory(), newCache: () => cacheOn(nodes) })
    repos.push(repo)
    calls.push(await prepare(repo, n, nodes))
  }
  const before = process.cpuUsage()
  for (const call of calls) await call()
  const { user, system } = process.cpuUsage(before)
  for (const repo of repos) await repo.close()
  return (user + system) / 1e6
}

/** What was written is not remembered: of a short history that would be all, of a long one the end. */
const forgetting = prepare => async (repo, n, nodes) => {
  const call = await prepare(repo, n)
  nodes.clear()
  repo.handle.journal.recent.clear()
  return call
}

/** A cache without a bound, which a large amount does not outgrow while a small one fits. */
const cacheOn = nodes => ({
  find: key => nodes.get(key),
  has: key => nodes.has(key),
  put: (key, node) => nodes.set(key, node),
  bytes: 0,
})
