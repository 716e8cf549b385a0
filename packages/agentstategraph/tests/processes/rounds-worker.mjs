/**
 * A process that opens a store, writes, searches and closes it again, many times, without leaving its turn to the garbage collector.
 *
 * It gets its orders as JSON in its only argument, says "ready", begins when a line comes in, and says how many rounds it made.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { open } from '../../dist/repository/index.js'

const { folder, rounds, isSame } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

let done = 0
for (; done < rounds; done++) {
  const file = join(folder, `${isSame ? 'same' : done}.db`)
  const repo = await open(file)
  await repo.set('/n', done, 'A round')
  await repo.query({ text: 'round' })
  await repo.close()
  await (await open(file, { readOnly: true })).close()
}
say(done)
