/**
 * Merges as long-lived branches make them: of many changes on both sides at once, and of one change after thousands of merges of the
 * same two branches.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { takeTurns } from '../measure.mjs'
import { cpuTime, oursAtMost, time } from '../reach.mjs'

export const name = 'merges'

export const reach = {
  many: oursAtMost(8e-3, '≤ 8 ms CPU'),
  repeated: oursAtMost(2e-3, '≤ 2 ms'),
}

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const rows = [
    await manyChanges(join(folder, 'many.db'), driver, 400),
    await repeated(join(folder, 'repeated.db'), driver, size(10_000)),
  ]
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

const openAt = (file, { module }) => open(sqlite(file, { driver: module }), { agent: 'agent/keeper' })

/** Two sides that changed so many places of a state of 2,000 each; only the merge is timed. */
async function manyChanges(file, driver, changes) {
  const repo = await openAt(file, driver)
  const items = Array.from({ length: 2000 }, (_, i) => [
    `item-${String(i).padStart(4, '0')}`,
    { n: i, note: `note ${i}` },
  ])
  await repo.set('/items', Object.fromEntries(items), 'Import')
  const change = (tx, from, value) => {
    for (let i = 0; i < changes; i++) tx.set(`/items/${items[from + 2 * i][0]}/n`, value)
  }
  let round = 0
  let source
  const side = {
    name: 'ours',
    count: 1,
    async prepare() {
      source = `side-${round++}`
      const other = await repo.branch(source)
      await other.commit('Change theirs', tx => change(tx, 0, -round))
      await repo.commit('Change ours', tx => change(tx, 1, -round))
    },
    async run() {
      const { changed } = await repo.merge(source)
      if (changed === false) throw new Error('Nothing was merged.')
    },
  }
  const times = await takeTurns([side], { slices: 15, warmups: 5 })
  await repo.close()
  return { work: `merge of ${changes} and ${changes} changes`, ours: cpuTime(times.ours), reach: 'many' }
}

/** One branch that is merged into another again and again, both with a change of their own each time. */
async function repeated(file, driver, merges) {
  const repo = await openAt(file, driver)
  await repo.set('/', { ours: 0, theirs: 0 }, 'Begin')
  const side = await repo.branch('side')
  let n = 0
  const change = async () => {
    n++
    await side.set('/theirs', n, 'Change theirs')
    await repo.set('/ours', n, 'Change ours')
  }
  for (let i = 0; i < merges; i++) {
    await change()
    await repo.merge('side')
  }
  const merging = { name: 'ours', count: 1, prepare: change, run: () => repo.merge('side') }
  const times = await takeTurns([merging], { slices: 25, warmups: 5 })
  await repo.close()
  const words = merges.toLocaleString('en-US')
  return { work: `merge of 1 and 1 change after ${words} merges`, ours: time(times.ours), reach: 'repeated' }
}
