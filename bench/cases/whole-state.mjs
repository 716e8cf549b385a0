/**
 * States read and written as a whole: the first `set` and the first `get` of 100 KB in a process, and `get` of 10 MB beside
 * `JSON.parse` of the same. What is read comes from the file, through a handle that has read nothing; the last row reads it again.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { median, rateRatio, takeTurns } from '../measure.mjs'
import { cpuTime, oursAtMost, ratioAtMost, span } from '../reach.mjs'
import { makeState } from '../state.mjs'

export const name = 'whole-state'

export const reach = {
  firstSet: oursAtMost(9.5e-3, '≤ 9.5 ms'),
  coldGet: oursAtMost(2e-3, '≤ 2 ms CPU'),
  largeGet: ratioAtMost(4, '≤ 4×'),
}

const ROUNDS = 9

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const file = join(folder, 'state.db')
  await fill(file, driver, makeState())
  const rows = [
    await firstOf('set', size(ROUNDS), round => join(folder, `first-${round}.db`)),
    await firstOf('get', size(ROUNDS), () => file),
    ...(await reading('100 KB', file, driver, makeState(), 20, 'coldGet')),
    ...(await readingLarge(join(folder, 'large.db'), driver, size(100))),
  ]
  return {
    rows,
    sides: [
      { side: 'ours', driver: driver.name },
      { side: 'JSON.parse', driver: 'no store' },
    ],
  }
}

async function fill(file, { module }, state) {
  const repo = await open(sqlite(file, { driver: module }), { agent: 'agent/keeper' })
  await repo.set('/', state, 'Import')
  await repo.close()
}

/** The CPU time of the first call in a process. */
async function firstOf(work, rounds, fileOf) {
  const script = fileURLToPath(new URL('../whole-process.mjs', import.meta.url))
  const seconds = []
  for (let round = 0; round < rounds; round++) {
    const child = fork(script, [work, fileOf(round)])
    seconds.push(
      await new Promise((resolve, reject) => {
        child.once('message', resolve)
        child.once('exit', code => reject(new Error(`The process that tried ${work} ended with ${code}.`)))
      }),
    )
  }
  const goal = work === 'set' ? 'firstSet' : undefined
  return { work: `first ${work} of 100 KB in a process, CPU`, ours: span(median(seconds)), reach: goal }
}

function readingLarge(file, driver, copies) {
  const large = { sets: Object.fromEntries(Array.from({ length: copies }, (_, i) => [`set-${i}`, makeState()])) }
  return fill(file, driver, large).then(() => reading('10 MB', file, driver, large, 1, 'largeGet'))
}

async function reading(words, file, { module }, state, count, goal) {
  const text = JSON.stringify(state)
  let repos = []
  const close = () => Promise.all(repos.map(repo => repo.close()))
  const cold = {
    name: 'cold',
    count,
    async prepare() {
      await close()
      repos = await Promise.all(Array.from({ length: count }, () => open(sqlite(file, { driver: module }))))
    },
    async run() {
      for (const repo of repos) await repo.get('/')
    },
  }
  const again = { name: 'again', count, run: cold.run }
  const parse = {
    name: 'parse',
    count,
    run() {
      for (let i = 0; i < count; i++) JSON.parse(text)
    },
  }
  const times = await takeTurns([cold, again, parse], { slices: 9, warmups: 3 })
  await close()
  const row = (side, work, reach) => ({
    work: `get of ${words}, ${work}, against JSON.parse`,
    ours: cpuTime(times[side]),
    other: cpuTime(times.parse),
    ratio: 1 / rateRatio(times[side].cpu, times.parse.cpu),
    reach,
  })
  return [row('cold', 'nothing in memory', goal), row('again', 'read before')]
}
