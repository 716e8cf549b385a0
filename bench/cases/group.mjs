/**
 * Writers that wait on one branch: 16 and 128 at once with durability `group`, against `full` one by one.
 *
 * Each writer awaits its commit before it makes the next. With `group` those who wait are added in one append, so they share
 * the sync of the disk.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { rateRatio, takeTurns } from '../measure.mjs'
import { rate, ratioAtLeast } from '../reach.mjs'
import { leafAt, leafCount, makeState, valueOfLeaf } from '../state.mjs'

export const name = 'group'

export const reach = { group: ratioAtLeast(2.5), wide: ratioAtLeast(1, 'not slower') }

/** A step that the turns of the 16 do not get to. */
const later = 1_000_000

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const openOne = async durability => {
    const repo = await open(sqlite(join(folder, `${durability}.db`), { driver: driver.module }), { durability })
    await repo.set('/', makeState(), 'Import the services')
    return repo
  }
  const [group, full] = [await openOne('group'), await openOne('full')]
  const times = await takeTurns([
    { name: 'one', count: size(256), run: (from, count) => commitFrom(full, 1, from, count) },
    { name: 'some', count: size(1280), run: (from, count) => commitFrom(group, 16, from, count) },
    { name: 'many', count: size(1280), run: (from, count) => commitFrom(group, 128, later + from, count) },
  ])
  await group.close()
  await full.close()
  const rows = [
    {
      work: '16 at once on one branch, `group`, against `full` one by one',
      ours: rate(times.some),
      other: rate(times.one),
      ratio: rateRatio(times.some, times.one),
      reach: 'group',
    },
    {
      work: '128 at once, against 16',
      ours: rate(times.many),
      other: rate(times.some),
      ratio: rateRatio(times.many, times.some),
      reach: 'wide',
    },
  ]
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

/** Makes `count` commits from as many writers; each has its own steps. */
async function commitFrom(repo, writers, from, count) {
  const write = async writer => {
    for (let step = from + writer; step < from + count; step += writers) {
      const leaf = step % leafCount
      const { changed } = await repo.set(leafAt(leaf), valueOfLeaf(leaf, step + 1), `step ${step}`)
      if (!changed) throw new Error(`Step ${step} changed nothing.`)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
}
