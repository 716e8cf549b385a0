/**
 * A process that commits on one branch of a SQLite store and tells what was acknowledged.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the journal is open, begins when a line comes in, and
 * prints one line of JSON after each commit. What it printed before it was killed had been acknowledged. With `stays` it
 * keeps its connection open at the end, until its input ends. Each commit's description says what was written, so that a
 * reader can tell what the state must be.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { sqlite } from '../../dist/backends/index.js'
import { write, writer } from '../../dist/repo/index.js'
import { openJournal } from '../../dist/store/index.js'

const { file, name, count, stays, largeEvery, maxLogBytes } = JSON.parse(process.argv[2])
const branch = 'branch/main'
const slots = 8
const smallLength = 24
const largeLength = 70_000

const backend = sqlite(file, { maxLogBytes })
const journal = await openJournal(backend)
const writing = writer(journal)
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

// All processes ask for this at once, and it is done once.
const beginning = { op: 'set', path: ['order'], value: [] }
await commit([beginning], 'begin', { request: { given: 'begin', key: 'begin', digest: 'begin' } })

for (let n = 1; n <= count; n++) {
  const label = `${name} ${n}`
  const slot = `slot ${n % slots}`
  const length = n % largeEvery === 0 ? largeLength : smallLength
  const edits = [
    { op: 'set', path: ['slots', slot], value: label.padEnd(length, `, ${label}`) },
    { op: 'set', path: ['counts', name], value: n },
    { op: 'set', path: ['order', '-'], value: label },
  ]
  const { seq, id } = await commit(edits, JSON.stringify({ label, name, n, slot, length }))
  say({ seq, id, label })
}
if (stays) {
  process.stdin.resume()
  await once(process.stdin, 'end')
}
await backend.close()

async function commit(edits, description, options = {}) {
  const info = { agent: name, intent: { id: 'intent-1', category: 'Test', description } }
  return (await journal.run(write(writing, branch, edits, { info }, options))).commit
}
