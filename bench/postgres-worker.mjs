/**
 * A process that commits to a PostgreSQL which others commit to as well, with several commits waiting at a time.
 *
 * It takes its orders as JSON in its argument and says "ready". For each line that comes in, which names a side, how many commits wait
 * and for how many seconds, it commits and says how long each commit took, and how much CPU time all of them.
 */
import { createInterface } from 'node:readline'
import { open } from 'agentstategraph'
import { openFloor } from './postgres-floor.mjs'
import { randomSource } from './random.mjs'
import { leafAt, leafCount, valueOfLeaf } from './state.mjs'

const { address, worker, rowBytes } = JSON.parse(process.argv[2])
const random = randomSource(worker)
const sides = {
  shared: await openOurs('shared'),
  own: await openOurs(`own-${worker}`),
  floor: await openFloor(address, 'shared', rowBytes),
}

async function openOurs(namespace) {
  const repo = await open(address, { namespace, agent: `agent/worker-${worker}` })
  return {
    set(step) {
      const leaf = random(leafCount)
      return repo.set(leafAt(leaf), valueOfLeaf(leaf, worker * 1e6 + step), `step ${step}`)
    },
    close: () => repo.close(),
  }
}

let step = 0
async function commitFor(side, waiting, seconds) {
  const times = []
  const end = performance.now() + seconds * 1000
  const commitInTurn = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      await sides[side].set(step++)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: waiting }, commitInTurn))
  return times
}

const say = line => process.stdout.write(`${JSON.stringify(line)}\n`)
say('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const { side, waiting, seconds } = JSON.parse(line)
  const begun = Date.now()
  const before = process.cpuUsage()
  const times = await commitFor(side, waiting, seconds)
  const { user, system } = process.cpuUsage(before)
  say({ begun, ended: Date.now(), times, cpu: (user + system) / 1e6 })
}
for (const side of Object.values(sides)) await side.close()
