/**
 * A process that commits to a store and then seals an epoch, and tells each commit with its receipt and how the seal ended.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the store is open, and begins when a line comes in.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { open } from '../../dist/repository/index.js'
import { epochs, keyFileSigner } from '../../dist/trust/index.js'

const { file, name, count, keyFile, epoch } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)
const signing = keyFile === undefined ? {} : { signer: await keyFileSigner(keyFile), receipts: true }
const repo = await open(file, { agent: `agent/${name}`, ...signing })

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

for (let n = 0; n < count; n++) {
  const { seq, receipt } = await repo.set(`/${name}`, n, 'Count')
  say({ seq, receipt })
}
if (epoch !== undefined) {
  try {
    await epochs(repo).seal(epoch, `By ${name}`)
    say({ encryption: 'sealed' })
  } catch (error) {
    say({ encryption: error.code ?? String(error) })
  }
}
await repo.close()
