/**
 * One changed leaf in a state of 100 KB becomes durable: a commit of ours, a `put` of SqliteSaver, a row of the floor.
 *
 * A long slice of ours and of the floor writes more than the 32 MiB after which the log moves into the file, and one of
 * the saver more than SQLite's own 4 MB, so every slice pays for that too. In short slices most do not, and the floor is
 * at its fastest.
 *
 * The same commit in memory, as a repository makes it, and the floors together: what a commit computes and what it stores. V8 goes on
 * compiling for some thousand commits of a repository, which come first; the case `cold` has the commits of a new process.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { memory } from 'agentstategraph/backends'
import { openFloor } from '../floor.mjs'
import { openJsFloor } from '../js-floor.mjs'
import { openLangGraph } from '../langgraph.mjs'
import { rateRatio, takeTurns } from '../measure.mjs'
import { bytesOfClosed, openState } from '../ours.mjs'
import { bytes, cpuTime, oursAtMost, rate, ratioAtLeast, ratioAtMost } from '../reach.mjs'
import { makeState, pathOfStep, valueOfStep } from '../state.mjs'

export const name = 'commit'

export const reach = {
  saver: ratioAtLeast(15),
  bytes: ratioAtMost(1 / 12, '≤ 1/12'),
  stored: oursAtMost(2048, '≤ 2 KB'),
  floor: ratioAtLeast(0.55, '≥ 55 %'),
  memory: oursAtMost(60e-6, '≤ 60 µs CPU'),
}

/** The row of the floor stays as it was measured once, so that storing less does not make the floor faster too. */
const rowBytes = 3700

/** A step that no long slice gets to. */
const later = 1_000_000

/** How many commits in memory come before those that are timed. */
const compiling = 6000

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const file = join(folder, 'ours.db')
  const ours = await openState(file, driver)
  const saver = openLangGraph({ driver, folder })
  const floor = openFloor({ driver, folder, rowBytes })
  const times = await takeTurns([
    { name: 'ours', count: size(3000), run: (from, count) => commitLeaves(ours, from, count) },
    { name: 'saver', count: size(60), run: saver.run },
    { name: 'floor', count: size(3000), run: floor.run },
  ])
  const inMemory = await open(memory(), { agent: 'agent/keeper' })
  await inMemory.set('/', makeState(), 'Import the services')
  await setLeaves(inMemory, 2 * later, size(compiling))
  const short = await takeTurns([
    { name: 'ours', count: size(300), run: (from, count) => commitLeaves(ours, later + from, count) },
    { name: 'floor', count: size(300), run: floor.run },
    { name: 'js', count: size(300), run: openJsFloor().run },
    { name: 'memory', count: size(300), run: (from, count) => setLeaves(inMemory, from, count) },
  ])
  await inMemory.close()
  await saver.verify()
  const steps = ours.headSeq()
  await ours.close()
  const rows = [
    {
      work: 'commit one leaf of 100 KB, against SqliteSaver put',
      ours: rate(times.ours),
      other: rate(times.saver),
      ratio: rateRatio(times.ours, times.saver),
      reach: 'saver',
    },
    {
      work: 'its bytes per step, from file sizes',
      ours: bytes(bytesOfClosed(file) / steps),
      other: bytes(saver.bytesPerStep()),
      reach: 'bytes',
    },
    { work: 'the same bytes, by themselves', ours: bytes(bytesOfClosed(file) / steps), reach: 'stored' },
    {
      work: `the same commit, against the floor: one row of ${bytes(rowBytes).words} and a ref`,
      ours: rate(times.ours),
      other: rate(times.floor),
      ratio: rateRatio(times.ours, times.floor),
      reach: 'floor',
    },
    {
      work: 'the same between checkpoints',
      ours: rate(short.ours),
      other: rate(short.floor),
      ratio: rateRatio(short.ours, short.floor),
      reach: 'floor',
    },
    {
      work: 'its CPU, against JS floor + SQLite floor: the texts, hashes and rows of a commit by hand',
      ours: cpuTime(short.ours),
      other: cpuTime(together(short.js, short.floor)),
    },
    {
      work: `the same in memory after ${compiling} others, against the JS floor`,
      ours: cpuTime(short.memory),
      other: cpuTime(short.js),
      reach: 'memory',
    },
  ]
  const sides = [
    { side: 'ours', driver: driver.name },
    { side: 'SqliteSaver', driver: saver.driver },
    { side: 'floor', driver: floor.driver },
  ]
  saver.close()
  floor.close()
  return { rows, sides }
}

/** Two works, one after the other. */
function together(a, b) {
  const sum = (x, y) => ({ median: x.median + y.median, best: x.best + y.best })
  return { ...sum(a, b), cpu: sum(a.cpu, b.cpu) }
}

async function setLeaves(repo, from, count) {
  for (let step = from; step < from + count; step++) {
    const { changed } = await repo.set(pathOfStep(step), valueOfStep(step), 'Follow the load')
    if (!changed) throw new Error(`Step ${step} changed nothing.`)
  }
}

function commitLeaves(store, from, count) {
  for (let step = from; step < from + count; step++) store.set(pathOfStep(step), valueOfStep(step))
}
