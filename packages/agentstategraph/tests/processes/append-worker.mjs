/**
 * A process that appends to a store, moving one ref from entry to entry, and tells what was acknowledged.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the store is open, begins when a line comes in, and
 * then prints one line of JSON for each acknowledged append and a last one for the whole. What it printed before it was
 * killed had been acknowledged.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { sqlite } from '../../dist/backends/index.js'
import { sampleEntry, samplePart } from '../../dist/testing/index.js'

const { file, name, count, partBytes, maxLogBytes, reopenEvery, durability } = JSON.parse(process.argv[2])
const settings = maxLogBytes === undefined ? {} : { maxLogBytes }

let backend = sqlite(file, settings)
let log = backend.namespace('main', { durability })
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

let lost = 0
for (let n = 1; n <= count; n++) {
  const { seq, previous } = await appendOne(n)
  say({ name, n, seq, previous })
  if (reopenEvery !== undefined && n % reopenEvery === 0) await reopen()
}
say({ name, lost })
await backend.close()

/** Appends on top of whatever the ref points to, as often as another process was faster. */
async function appendOne(n) {
  const label = `${name} ${n}`
  for (;;) {
    const previous = await log.ref('main')
    const entries = [sampleEntry(label, [samplePart(0, label, partBytes)])]
    const moves = [{ name: 'main', expect: previous, to: { entry: 0 } }]
    const appended = await log.append({ time: 1, entries, moves, keys: [{ key: label, entry: 0 }] })
    if (appended.kind === 'done') return { seq: appended.first, previous }
    if (appended.kind !== 'moved') throw new Error(`unexpected: ${JSON.stringify(appended)}`)
    lost++
  }
}

async function reopen() {
  await backend.close()
  backend = sqlite(file, settings)
  log = backend.namespace('main', { durability })
}
