/**
 * A process that writes under a key until it is refused, and tells every commit that it was told had landed.
 *
 * Its orders: the file, the key, the place to write at, how many commits to try at most, and the time if it is to stand still.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { access } from '../../dist/access/index.js'
import { open } from '../../dist/repository/index.js'

const { file, key, path, count, now } = JSON.parse(process.argv[2])
const store = await open(file, now === undefined ? {} : { clock: () => new Date(now) })
const repo = await access(store).authenticate(key)
writeSync(1, '"ready"\n')
for await (const _ of createInterface({ input: process.stdin })) break

for (let n = 1; n <= count; n++) {
  try {
    const { seq } = await repo.set(path, n, `Write ${n}`)
    writeSync(1, `${JSON.stringify({ seq })}\n`)
  } catch (error) {
    writeSync(1, `${JSON.stringify({ code: error.code })}\n`)
    break
  }
}
await store.close()
process.exit(0)
