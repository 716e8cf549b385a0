/**
 * How long the first answers take: a query right after many commits, the beginning of long lists, a graph among many branches;
 * and how long a call on a long history keeps the event loop from turning.
 *
 * The history has 100,000 commits, or a million with `--large`. Its index is built by the first question, in slices.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { gc, stats } from 'agentstategraph/maintenance'
import { makeHistory } from '../made-history.mjs'
import { oursAtMost, span } from '../reach.mjs'
import { threadSeconds } from '../thread-seconds.mjs'

export const name = 'answers'

export const reach = {
  query: oursAtMost(0.02, '≤ 20 ms CPU'),
  list: oursAtMost(0.005, '≤ 5 ms CPU'),
  page: oursAtMost(0.05, '≤ 50 ms CPU'),
  gap: oursAtMost(0.03, '≤ 30 ms CPU'),
  speculations: oursAtMost(0.5, '≤ 0.5 s CPU'),
}

export async function run({ driver, makeFolder, size, isLarge }) {
  const newStore = () => {
    const file = join(makeFolder(), 'state.db')
    return () => open(sqlite(file, { driver: driver.module }))
  }
  const rows = [
    ...(await afterCommits(newStore(), size(40_000))),
    ...(await lists(newStore(), size(1_000_000), size(100_000))),
    ...(await speculations(newStore(), size(10_000))),
    ...(await longHistory(join(makeFolder(), 'history.db'), driver, size(isLarge ? 1_000_000 : 100_000))),
  ]
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

/** A row of a call that is made once. */
async function once(work, call, reach) {
  const start = performance.now()
  const before = process.cpuUsage()
  await call()
  const { user, system } = process.cpuUsage(before)
  const clock = (performance.now() - start) / 1000
  return { work, ours: cpuAndClock({ cpu: (user + system) / 1e6, clock }), reach }
}

async function afterCommits(openStore, count) {
  const repo = await openStore()
  const paths = 100
  for (let n = 0; n < count; n++) {
    await repo
      .as(`agent/${n % 50}`)
      .set(`/area${n % paths}`, n, { description: `Adjust ${n}`, intent: { id: `i${n % 997}` } })
  }
  const words = `after ${count.toLocaleString('en-US')} commits`
  const rows = [
    await once(`the first query ${words}`, () => repo.query({ agent: 'agent/7', limit: 50 }), 'query'),
    await once('then by an intent', () => repo.query({ intent: 'i7', limit: 50 }), 'query'),
    await once('then the newest 50 of the log by a path', () => repo.log({ path: '/area7', limit: 50 }), 'query'),
  ]
  await repo.close()
  return rows
}

async function lists(openStore, keys, branches) {
  const maker = await openStore()
  await maker.set(
    '/many',
    Object.fromEntries(Array.from({ length: keys }, (_, n) => [`key ${n}`, `value ${n}`])),
    'Many keys',
  )
  for (let n = 0; n < branches; n++) await maker.branch(`branch-${n}`)
  await maker.close()
  const repo = await openStore()
  await repo.head()
  const many = `of ${keys.toLocaleString('en-US')} keys`
  const refs = `of ${branches.toLocaleString('en-US')} branches`
  const rows = [
    await once(`the first 100 ${many}`, () => repo.list('/many').page({ limit: 100 }), 'list'),
    await once(`the first 20 matches in values ${many}`, () => repo.search('value 1').page({ limit: 20 }), 'list'),
    await once(`the first 20 ${refs}`, () => repo.branches({ limit: 20 }), 'list'),
    await once(
      `an unknown name among the names ${refs}`,
      () =>
        repo
          .at('nowhere')
          .head()
          .catch(() => {}),
      'list',
    ),
    await once(`a graph of 50 commits ${refs}, the first`, () => repo.commitGraph({ limit: 50 }), 'page'),
    await once('the same again', () => repo.commitGraph({ limit: 50 }), 'page'),
  ]
  await repo.close()
  return rows
}

async function speculations(openStore, count) {
  const maker = await openStore()
  await maker.set('/n', 0, 'Begin')
  for (let n = 0; n < count; n++) await (await maker.speculate()).set('/n', n)
  await maker.close()
  const repo = await openStore()
  const words = `${count.toLocaleString('en-US')} speculations`
  const rows = [
    await once(`list ${words}`, () => repo.speculations(), 'speculations'),
    await once(`gc beside ${words}`, () => gc(repo, { keepNewerMs: -1 }), 'speculations'),
  ]
  await repo.close()
  return rows
}

async function longHistory(file, driver, count) {
  const backend = sqlite(file, { driver: driver.module })
  await makeHistory(backend, count)
  await backend.close()
  const repo = await open(sqlite(file, { driver: driver.module }))
  const calls = {
    'a query that builds the index': () => repo.query({ agent: 'agent/7', limit: 50 }),
    'a commit looked up by its id': async () => repo.at((await repo.head()).id.slice(0, 12)).head(),
    'the log by a path': () => repo.log({ path: '/area7', limit: 50 }),
    'a page of the tree of intents': () => repo.intentTree({ limit: 100 }),
    stats: () => stats(repo),
  }
  const rows = []
  for (const [words, call] of Object.entries(calls)) {
    rows.push({ work: `the longest gap of the event loop: ${words}`, ours: span(await longestGap(call)), reach: 'gap' })
  }
  const page = `100 commits of the tree of intents of ${count.toLocaleString('en-US')}`
  rows.push(await once(page, () => repo.intentTree({ limit: 100 }), 'page'))
  await repo.close()
  return rows
}

/** The longest time that the thread worked between two turns of the event loop while a call runs, in seconds. */
async function longestGap(call) {
  let longest = 0
  let isDone = false
  let last = threadSeconds()
  const turn = () => {
    const now = threadSeconds()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await call()
  turn()
  isDone = true
  return longest
}

/** What is judged is the CPU time, which other processes do not change much. */
function cpuAndClock({ cpu, clock }) {
  return { value: cpu, words: `${span(cpu).words} CPU, ${span(clock).words} by the clock` }
}
