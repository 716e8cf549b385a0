/**
 * A process that has a repository open and sets a number for each line that comes in, until its input ends.
 *
 * It gets the file in its only argument, as JSON, and says "ready" when the repository is open.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { open } from '../../dist/repository/index.js'

const { file } = JSON.parse(process.argv[2])
const repo = await open(file)
writeSync(1, '"ready"\n')

let n = 0
for await (const _ of createInterface({ input: process.stdin })) await repo.set('/n', ++n, `Set it to ${n}`)
await repo.close()
