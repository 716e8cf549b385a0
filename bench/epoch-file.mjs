/** A sealed epoch as a file: commits of one leaf each, on a state of 2 KB. */
import { open as openFile } from 'node:fs/promises'
import { open } from 'agentstategraph'
import { epochs } from 'agentstategraph/trust'

const leaves = 20
const linesPerWrite = 512

/** Fills a new store, and seals all of it as `epoch`. */
export async function makeEpoch(backend, commits) {
  const repo = await open(backend, { agent: 'agent/keeper' })
  const state = Object.fromEntries(Array.from({ length: leaves }, (_, i) => [`leaf-${i}`, leafValue(i)]))
  await epochs(repo).create('epoch', 'All of it')
  await repo.set('/', state, 'Import')
  for (let step = 0; step < commits; step++)
    await repo.set(`/leaf-${step % leaves}`, leafValue(step + leaves), 'Follow the load')
  await epochs(repo).seal('epoch', 'Done')
  return repo
}

function leafValue(step) {
  return `value ${step} `.repeat(8)
}

export async function writeLines(lines, file) {
  const out = await openFile(file, 'w')
  let writing = Promise.resolve()
  let waiting = []
  for await (const line of lines) {
    waiting.push(line)
    if (waiting.length < linesPerWrite) continue
    await writing
    writing = out.write(waiting.join(''))
    waiting = []
  }
  await writing
  await out.write(waiting.join(''))
  await out.close()
}
