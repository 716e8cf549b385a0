/**
 * A process that works on a plan: it claims tasks and completes them until none is left, and says which it completed.
 *
 * It gets the file, the plan and its name in its only argument, as JSON. With `dies`, it ends by force while it holds its
 * first task.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { plans } from '../../dist/plans/index.js'
import { open } from '../../dist/repository/index.js'

const { file, plan: name, agent, leaseMs, dies } = JSON.parse(process.argv[2])
const repo = await open(file)
const plan = await plans(repo.as(agent)).get(name)
writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.destroy()
const done = []
for (;;) {
  const claim = await plan.claim({ leaseMs })
  if (claim === undefined) break
  if (dies === true) process.kill(process.pid, 'SIGKILL')
  await claim.complete({ kind: 'text', value: `by ${agent}` })
  done.push(claim.task.id)
}
writeSync(1, `${JSON.stringify(done)}\n`)
await repo.close()
