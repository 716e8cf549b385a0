/**
 * A process that appends elements to a list of a store at any address, and tells which were acknowledged.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the store is open, begins when a line comes in, and prints
 * one line of JSON after each commit. With `time` its clock stands there.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { open } from '../../dist/repository/index.js'

const { address, name, count, time } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)
const repo = await open(address, { agent: name, ...(time === undefined ? {} : { clock: () => new Date(time) }) })
say('ready')
await once(process.stdin, 'data')
process.stdin.pause()
for (let n = 0; n < count; n++) {
  const label = `${name}.${n}`
  await repo.set('/list/-', label, `Append ${label}`)
  say(label)
}
await repo.close()
