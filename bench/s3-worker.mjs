/**
 * A process that commits to a bucket which others commit to as well, with several commits waiting at a time.
 *
 * It takes its orders as JSON in its argument and says "ready". For each line that comes in, which says how many commits wait and for how many
 * seconds, it commits and says how many commits it made, with how many requests.
 */
import { createInterface } from 'node:readline'
import { open } from 'agentstategraph'
import { countRequests } from './s3-server.mjs'

const { address, worker } = JSON.parse(process.argv[2])
const requests = countRequests()
const repo = await open(address, { agent: `agent/worker-${worker}` })
const say = line => process.stdout.write(`${JSON.stringify(line)}\n`)

let step = 0
async function commitFor(waiting, seconds) {
  let commits = 0
  const end = performance.now() + seconds * 1000
  const commitInTurn = async () => {
    while (performance.now() < end) {
      await repo.set([`worker-${worker}`, `place-${step % 100}`], step, `step ${step++}`)
      commits++
    }
  }
  await Promise.all(Array.from({ length: waiting }, commitInTurn))
  return commits
}

say('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const { waiting, seconds } = JSON.parse(line)
  requests.taken()
  const begun = Date.now()
  const commits = await commitFor(waiting, seconds)
  say({ begun, ended: Date.now(), commits, sent: requests.taken() })
}
await repo.close()
