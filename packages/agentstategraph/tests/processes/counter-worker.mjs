/**
 * A process that counts up in a repository and tells how often it had to try.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the repository is open, begins when a line comes in,
 * and prints one line of JSON at its end. `how` says in which way it counts: "transaction" reads and writes in one,
 * "strict" writes only over the value it read, "blind" appends its own label without reading.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { isStateError, open } from '../../dist/repository/index.js'

const { file, name, count, how } = JSON.parse(process.argv[2])
const repo = (await open(file)).as(`agent/${name}`)
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

let tries = 0
for (let n = 1; n <= count; n++) {
  if (how === 'transaction') await countInTransaction(`${name} ${n}`)
  else if (how === 'strict') await countStrictly(`${name} ${n}`)
  else await repo.set('/order/-', `${name} ${n}`, `${name} ${n}`)
}
say({ name, tries })
await repo.close()

async function countInTransaction(why) {
  await repo.commit(why, async tx => {
    tries++
    tx.set('/counter', (await tx.get('/counter')) + 1)
  })
}

async function countStrictly(why) {
  for (;;) {
    tries++
    const value = await repo.get('/counter')
    try {
      await repo.set('/counter', value + 1, { description: why, onlyIf: { value } })
      return
    } catch (error) {
      if (!isStateError(error, 'precondition-failed')) throw error
    }
  }
}
