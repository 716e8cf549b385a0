/**
 * Whether a store gets slower as its history grows: the rate of commits, and the time to read who wrote a path.
 *
 * Each commit changes a leaf of the 100 KB state, chosen at random, so what is read lies scattered over thousands of
 * commits, and some of it was never written again.
 */
import { join } from 'node:path'
import { rateRatio, takeTurns } from '../measure.mjs'
import { openOurs, openState, readWriter } from '../ours.mjs'
import { randomSource } from '../random.mjs'
import { oursAtMost, rate, ratioAtLeast, ratioAtMost, time } from '../reach.mjs'
import { leafAt, leafCount, valueOfLeaf } from '../state.mjs'

export const name = 'many-commits'

export const reach = {
  rate: ratioAtLeast(0.7, '≥ 70 %'),
  writer: ratioAtMost(1.5),
  writerTime: oursAtMost(0.0002, '≤ 0.2 ms'),
}

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const old = await makeHistory(join(folder, 'old.db'), driver, size(200_000))
  const young = await makeHistory(join(folder, 'young.db'), driver, size(5000))
  const rows = [...(await measureWriter(old, young, driver)), await measureRate(old, folder, driver, size(10_000))]
  return { rows: rows.toReversed(), sides: [{ side: 'ours', driver: driver.name }] }
}

/** Makes a store with so many commits; `writers` has the seq of the commit that wrote each leaf last. */
async function makeHistory(file, driver, commits) {
  const store = await openState(file, driver)
  const imported = store.headSeq()
  const writers = Array.from({ length: leafCount }, () => imported)
  commitLeaves(store, randomSource(commits), 0, commits, writers)
  await store.close()
  return { file, commits, writers, words: commits.toLocaleString('en-US') }
}

function commitLeaves(store, random, from, count, writers) {
  for (let step = from; step < from + count; step++) {
    const leaf = random(leafCount)
    writers[leaf] = store.set(leafAt(leaf), valueOfLeaf(leaf, step)).seq
  }
}

/** Compares slices of the old store with the first commits of new ones. */
async function measureRate(old, folder, driver, count) {
  const store = await openOurs(old.file, driver)
  const random = randomSource(11)
  let fresh
  const times = await takeTurns(
    [
      {
        name: 'old',
        count,
        run: (from, steps) => commitLeaves(store, random, old.commits + from, steps, old.writers),
      },
      {
        name: 'fresh',
        count,
        async prepare(from) {
          await fresh?.close()
          fresh = await openState(join(folder, `fresh-${from}.db`), driver)
        },
        run: (from, steps) => commitLeaves(fresh, random, from, steps, []),
      },
    ],
    { slices: 5, warmups: 1 },
  )
  await fresh.close()
  await store.close()
  return {
    work: `commit after ${old.words} commits, against the first ${count.toLocaleString('en-US')}`,
    ours: rate(times.old),
    other: rate(times.fresh),
    ratio: rateRatio(times.old, times.fresh),
    reach: 'rate',
  }
}

async function measureWriter(old, young, driver) {
  const sides = [coldReads('old', old, driver), coldReads('young', young, driver)]
  const times = await takeTurns(sides, { slices: 25, warmups: 5 })
  for (const side of sides) await side.close()
  return [
    { work: 'its time alone', ours: time(times.old), reach: 'writerTime' },
    {
      work: `read a path's writer at ${old.words} commits, no node in memory, against ${young.words}`,
      ours: time(times.old),
      other: time(times.young),
      ratio: 1 / rateRatio(times.old, times.young),
      reach: 'writer',
    },
  ]
}

/** Opens the file again before each slice, and the journal again for each read. */
function coldReads(name, { file, writers }, driver) {
  const random = randomSource(13)
  let store
  let journals = []
  return {
    name,
    count: 40,
    async prepare(_from, count) {
      await store?.close()
      store = await openOurs(file, driver)
      journals = await Promise.all(Array.from({ length: count }, store.openCold))
    },
    run() {
      for (const journal of journals) {
        const leaf = random(leafCount)
        const { seq } = readWriter(journal, leafAt(leaf))
        if (seq !== writers[leaf]) throw new Error(`${leafAt(leaf)} was written by ${writers[leaf]}, not by ${seq}.`)
      }
    },
    close: () => store.close(),
  }
}
