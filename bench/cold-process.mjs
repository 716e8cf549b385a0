/** A process that opens the store of its argument, makes 100 commits of one leaf, and prints the CPU seconds of one. */
import { open } from 'agentstategraph'

const COMMITS = 100

const repo = await open(process.argv[2], { agent: 'agent/short' })
const before = process.cpuUsage()
for (let n = 0; n < COMMITS; n++) await repo.set(`/cold/${n % 10}`, n, `Step ${n}`)
const { user, system } = process.cpuUsage(before)
await repo.close()
process.stdout.write(String((user + system) / 1e6 / COMMITS))
