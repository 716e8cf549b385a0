/** A process that copies a store to another, and says when entries have arrived. Orders as JSON in its only argument. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { copyStore } from '../../dist/maintenance/index.js'

const { from, to } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)
say('ready')
await once(process.stdin, 'data')
process.stdin.pause()
await copyStore(from, to, { onProgress: ({ done }) => say(done) })
