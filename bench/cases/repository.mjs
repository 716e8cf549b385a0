/**
 * What a repository's own operations cost, as its users call them: a branch, a speculation made and dropped, merges into a
 * map of a million keys, the blame of every value of the 100 KB state, and ten thousand speculations listed and collected
 * beside.
 *
 * Branches and speculations are made in the large store and in one of ten keys, and must cost the same in both.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { gc } from 'agentstategraph/maintenance'
import { rateRatio, takeTurns } from '../measure.mjs'
import { cpuTime, oursAtMost, ratioAtMost, time } from '../reach.mjs'
import { makeState } from '../state.mjs'

export const name = 'repository'

export const reach = {
  same: ratioAtMost(1.5, '≤ 1.5×: independent of size'),
  branch: oursAtMost(32e-6, '≤ 32 µs CPU'),
  speculation: oursAtMost(90e-6, '≤ 90 µs CPU'),
  blameTree: oursAtMost(0.03, '≤ 30 ms'),
  speculations: oursAtMost(0.5, '≤ 0.5 s'),
}

const perSlice = 20

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const keys = size(1_000_000)
  const large = await openKeys(join(folder, 'large.db'), driver, keys, size(2000))
  const small = await openKeys(join(folder, 'small.db'), driver, 10, 10)
  const words = `${keys.toLocaleString('en-US')} keys`
  const rows = [
    await compare(`make a branch in ${words}, against 10`, large, small, branching),
    await compare(`speculate and discard in ${words}, against 10`, large, small, speculating),
    { ...(await alone('make a branch', small, branching, perSlice)), reach: 'branch' },
    { ...(await alone('speculate and discard', small, speculating, perSlice)), reach: 'speculation' },
    await alone(`merge 1 change a side in ${words}`, large, merging(1), 1),
    await alone(`merge 100 changes a side in ${words}`, large, merging(100), 1),
    await alone('blame of one path', large, blaming, perSlice),
  ]
  await large.repo.close()
  await small.repo.close()
  rows.push(await blameOfTree(join(folder, 'state.db'), driver))
  rows.push(...(await manySpeculations(join(folder, 'speculations.db'), driver, size(10_000))))
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

async function compare(work, large, small, sideOf) {
  const times = await takeTurns([sideOf('large', large), sideOf('small', small)], { slices: 25, warmups: 5 })
  const ratio = 1 / rateRatio(times.large, times.small)
  return { work, ours: time(times.large), other: time(times.small), ratio, reach: 'same' }
}

async function alone(work, store, sideOf, count) {
  const times = await takeTurns([{ ...sideOf('large', store), count }], { slices: 15, warmups: 3 })
  return { work, ours: cpuTime(times.large) }
}

/** A repository with a map of keys and some commits on it. */
async function openKeys(file, { module }, keys, commits) {
  const repo = await open(sqlite(file, { driver: module }), { agent: 'agent/keeper' })
  await repo.set('/', { map: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key-${i}`, i])) }, 'Import')
  for (let i = 0; i < commits; i++) await repo.set(`/map/key-${(i * 7919) % keys}`, -i - 1, 'Count')
  let made = 0
  return { repo, keys, next: () => made++ }
}

function branching(name, { repo, next }) {
  return {
    name,
    count: perSlice,
    async run(_from, count) {
      for (let i = 0; i < count; i++) await repo.branch(`branch-${next()}`)
    },
  }
}

function speculating(name, { repo }) {
  return {
    name,
    count: perSlice,
    async run(_from, count) {
      for (let i = 0; i < count; i++) await (await repo.speculate()).discard()
    },
  }
}

/** Two sides that changed so many keys each; only the merge is timed. */
function merging(changes) {
  return (name, { repo, keys, next }) => {
    let source
    return {
      name,
      async prepare() {
        source = `side-${next()}`
        const side = await repo.branch(source)
        await side.commit('Change theirs', tx => change(tx, 0))
        await repo.commit('Change ours', tx => change(tx, Math.floor(keys / 2)))
      },
      async run() {
        await repo.merge(source)
      },
    }
    function change(tx, from) {
      for (let i = 0; i < changes; i++)
        tx.set(`/map/key-${from + ((i * 4099 + next()) % Math.floor(keys / 2))}`, -next() - 1)
    }
  }
}

function blaming(name, { repo, keys, next }) {
  return {
    name,
    async run(_from, count) {
      for (let i = 0; i < count; i++) await repo.blame(`/map/key-${(next() * 7919) % keys}`)
    },
  }
}

async function blameOfTree(file, { module }) {
  const repo = await open(sqlite(file, { driver: module }))
  await repo.set('/', makeState(), 'Import the services')
  let blamed = 0
  const side = {
    name: 'ours',
    count: 1,
    async run() {
      blamed = (await repo.blameTree()).length
    },
  }
  const times = await takeTurns([side], { slices: 15, warmups: 3 })
  await repo.close()
  return { work: `blame of every value of the 100 KB state (${blamed})`, ours: time(times.ours), reach: 'blameTree' }
}

/** Each speculation begins at another commit and has a write of its own. */
async function manySpeculations(file, { module }, count) {
  const repo = await open(sqlite(file, { driver: module }), { agent: 'agent/keeper' })
  for (let i = 0; i < count; i++) {
    await repo.set('/count', i, 'Count')
    await (await repo.speculate({ label: `try ${i}` })).set('/tried', i)
  }
  const sides = [
    { name: 'list', count: 1, run: () => repo.speculations() },
    { name: 'gc', count: 1, run: () => gc(repo, { keepNewerMs: -1 }) },
  ]
  const times = await takeTurns(sides, { slices: 9, warmups: 2 })
  await repo.close()
  const words = `${count.toLocaleString('en-US')} speculations`
  return [
    { work: `list ${words}`, ours: time(times.list), reach: 'speculations' },
    { work: `gc beside ${words}`, ours: time(times.gc), reach: 'speculations' },
  ]
}
