/**
 * One change in a map of a million keys, against the same in a map of a thousand: to write it, and to find it again.
 *
 * The large map does not fit into the node cache, so most of its writes read nodes from the file; the small one does.
 */
import { join } from 'node:path'
import { diff } from 'agentstategraph/internal'
import { rateRatio, takeTurns } from '../measure.mjs'
import { bytesOfClosed, openOurs } from '../ours.mjs'
import { randomSource } from '../random.mjs'
import { bytes, oursAtMost, ratioAtMost, time } from '../reach.mjs'

export const name = 'large-map'

export const reach = {
  set: ratioAtMost(5),
  bytes: oursAtMost(10 * 1024, '≤ 10 KB'),
  diff: oursAtMost(0.0005, '≤ 0.5 ms'),
}

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const maps = {
    large: await makeMap(join(folder, 'large.db'), driver, size(1_000_000)),
    small: await makeMap(join(folder, 'small.db'), driver, 1000),
  }
  const rows = [...(await measureSet(maps, driver, size(100))), ...(await measureDiff(maps, driver, size(500)))]
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

async function makeMap(file, driver, keys) {
  const store = await openOurs(file, driver)
  store.set(['items'], Object.fromEntries(Array.from({ length: keys }, (_, n) => [keyOf(n), n])))
  await store.close()
  return { file, keys, words: keys.toLocaleString('en-US'), random: randomSource(7), next: keys }
}

async function measureSet({ large, small }, driver, count) {
  const sides = [await setSide('large', large, driver, count), await setSide('small', small, driver, count)]
  const times = await takeTurns(sides, { warmups: 3 })
  const [inLarge, inSmall] = await Promise.all(sides.map(side => side.finish()))
  return [
    {
      work: `set one of ${large.words} keys at random, against ${small.words}`,
      ours: time(times.large),
      other: time(times.small),
      ratio: 1 / rateRatio(times.large, times.small),
      reach: 'set',
    },
    {
      work: `its bytes written, mean of ${inLarge.commits.toLocaleString('en-US')}`,
      ours: bytes(inLarge.rowBytes),
      other: bytes(inSmall.rowBytes),
      reach: 'bytes',
    },
    { work: 'its growth of the file', ours: bytes(inLarge.fileBytes), other: bytes(inSmall.fileBytes) },
  ]
}

async function setSide(name, map, driver, count) {
  const fileBytes = bytesOfClosed(map.file)
  const store = await openOurs(map.file, driver)
  const first = store.headSeq() + 1
  return {
    name,
    count,
    run(_from, steps) {
      for (let step = 0; step < steps; step++) setOne(map, store)
    },
    async finish() {
      const last = store.headSeq()
      const commits = last - first + 1
      const rowBytes = store.rowBytes(first, last)
      await store.close()
      return { commits, rowBytes, fileBytes: (bytesOfClosed(map.file) - fileBytes) / commits }
    },
  }
}

async function measureDiff({ large, small }, driver, count) {
  const sides = [await diffSide('large', large, driver, count), await diffSide('small', small, driver, count)]
  const times = await takeTurns([...sides, sides[0].cold])
  for (const { store } of sides) await store.close()
  const work = `diff of one change in ${large.words} keys`
  return [
    { work: `${work}, against ${small.words}`, ours: time(times.large), other: time(times.small), reach: 'diff' },
    { work: `${work}, nothing in memory`, ours: time(times.cold), reach: 'diff' },
  ]
}

async function diffSide(name, map, driver, count) {
  const store = await openOurs(map.file, driver)
  const pairs = makePairs(map, store)
  const pairOf = step => pairs[step % pairs.length]
  let journals = []
  const cold = {
    name: 'cold',
    count: 20,
    async prepare(_from, steps) {
      journals = await Promise.all(Array.from({ length: steps }, store.openCold))
    },
    run(from) {
      for (const [n, journal] of journals.entries()) findOne(journal, pairOf(from + n))
    },
  }
  const run = (from, steps) => {
    for (let step = from; step < from + steps; step++) findOne(store.journal, pairOf(step))
  }
  return { name, count, run, cold, store }
}

/** Makes commits that follow one another, and gives each with the state before it. */
function makePairs(map, store) {
  let before = setOne(map, store).commit.tree
  return Array.from({ length: 50 }, () => {
    const { commit, path } = setOne(map, store)
    const pair = { before, after: commit.tree, path }
    before = commit.tree
    return pair
  })
}

function findOne(journal, { before, after, path }) {
  const changes = journal.runSync(diff(journal.context, before, after))
  if (changes.length !== 1 || changes[0].path !== path) throw new Error(`The change at ${path} was not found.`)
}

function setOne(map, store) {
  const key = keyOf(map.random(map.keys))
  return { commit: store.set(['items', key], map.next++), path: `/items/${key}` }
}

function keyOf(n) {
  return `key-${String(n).padStart(7, '0')}`
}
