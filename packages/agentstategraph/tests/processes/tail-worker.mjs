/**
 * A process that writes commits and the mark beside the store, says so, and stays until it is killed.
 *
 * It gets its orders as JSON in its only argument, says "ready", and begins when a line comes in.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { open } from '../../dist/repository/index.js'

const { file, count } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)
const repo = await open(file)

say('ready')
await once(process.stdin, 'data')

for (let n = 1; n <= count; n++) await repo.set('/n', n, `Write ${n}`)
await repo.handle.shared.tail.flush()
say('written')
