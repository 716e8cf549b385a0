/**
 * A process that writes to a folder of bounded size until that is full, and tells how often it could.
 *
 * It gets the folder, its bound and its own name in its only argument, as JSON.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { disk } from '../../dist/backends/index.js'
import { open } from '../../dist/repository/index.js'

const { folder, maxBytes, name } = JSON.parse(process.argv[2])
const repo = await open(disk(folder, { maxBytes }))
writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.destroy()

let count = 0
let code
while (code === undefined) {
  try {
    await repo.set([name, String(count)], `${name} ${count} `.repeat(1500), 'Fill')
    count++
  } catch (error) {
    code = error.code
  }
}
writeSync(1, `${JSON.stringify({ name, count, code })}\n`)
await repo.close()
