/**
 * A process that commits to a store which others commit to as well.
 *
 * It takes its orders as JSON in its argument, commits to a store of its own until the code is warm, says "ready", waits
 * for a line, commits, and says how long that took, also in CPU seconds.
 */
import { once } from 'node:events'
import { openOurs, openState } from './ours.mjs'
import { randomSource } from './random.mjs'
import { leafAt, leafCount, valueOfLeaf } from './state.mjs'

const { file, driver, worker, count, warmups } = JSON.parse(process.argv[2])
const random = randomSource(worker)

const own = await openState(`${file}-own-${worker}`, driver)
commitLeaves(own, warmups)
await own.close()

const store = await openOurs(file, driver)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const begun = Date.now()
const before = process.cpuUsage()
const longest = commitLeaves(store, count)
const { user, system } = process.cpuUsage(before)
const ended = Date.now()
await store.close()
process.stdout.write(`${JSON.stringify({ begun, ended, longest, cpu: (user + system) / 1e6 })}\n`)
process.exit()

/** Gives the seconds of the commit that took longest. */
function commitLeaves(target, steps) {
  let slowest = 0
  for (let step = 0; step < steps; step++) {
    const leaf = random(leafCount)
    const why = { agent: `agent/worker-${worker}`, description: `step ${step}` }
    const start = performance.now()
    target.set(leafAt(leaf), valueOfLeaf(leaf, worker * 1e6 + step), why)
    slowest = Math.max(slowest, performance.now() - start)
  }
  return slowest / 1000
}
