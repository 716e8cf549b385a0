/**
 * One changed leaf in a state of 100 KB becomes durable: a commit of ours, a `put` of SqliteSaver, a row of the floor.
 *
 * A long slice of ours and of the floor writes more than the 32 MiB after which the log moves into the file, and one of
 * the saver more than SQLite's own 4 MB, so every slice pays for that too. In short slices most do not, and the floor is
 * at its fastest.
 */
import { join } from 'node:path'
import { openFloor } from '../floor.mjs'
import { openLangGraph } from '../langgraph.mjs'
import { rateRatio, takeTurns } from '../measure.mjs'
import { bytesOfClosed, openState } from '../ours.mjs'
import { bytes, oursAtMost, rate, ratioAtLeast, ratioAtMost } from '../reach.mjs'
import { pathOfStep, valueOfStep } from '../state.mjs'

export const name = 'commit'

export const reach = {
  saver: ratioAtLeast(10),
  bytes: ratioAtMost(1 / 12, '≤ 1/12'),
  stored: oursAtMost(2048, '≤ 2 KB'),
  floor: ratioAtLeast(0.35, '≥ 35 %'),
}

/** The row of the floor stays as it was measured once, so that storing less does not make the floor faster too. */
const rowBytes = 3700

/** A step that no long slice gets to. */
const later = 1_000_000

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
  const short = await takeTurns([
    { name: 'ours', count: size(300), run: (from, count) => commitLeaves(ours, later + from, count) },
    { name: 'floor', count: size(300), run: floor.run },
  ])
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

function commitLeaves(store, from, count) {
  for (let step = from; step < from + count; step++) store.set(pathOfStep(step), valueOfStep(step))
}
