/**
 * A process that does one thing for the first time, and prints the CPU seconds of one step of it: 100 commits of one leaf
 * (`commits`), the first set of 100 KB into a new store (`first`), or 100 rows of the floor (`floor`).
 */
import { open } from 'agentstategraph'
import { loadDriver } from './driver.mjs'
import { openFloor } from './floor.mjs'
import { makeState } from './state.mjs'

const STEPS = 100

const [work, place] = process.argv.slice(2)
const works = { commits, first, floor }
process.stdout.write(String(await works[work]()))

async function commits() {
  const repo = await open(place, { agent: 'agent/short' })
  const seconds = await cpuOf(async () => {
    for (let n = 0; n < STEPS; n++) await repo.set(`/cold/${n % 10}`, n, `Step ${n}`)
  })
  await repo.close()
  return seconds / STEPS
}

async function first() {
  const repo = await open(place, { agent: 'agent/short' })
  const state = makeState()
  const seconds = await cpuOf(() => repo.set('/', state, 'Import the services'))
  await repo.close()
  return seconds
}

async function floor() {
  const rows = openFloor({ driver: loadDriver(), folder: place, rowBytes: 3700 })
  const seconds = await cpuOf(() => rows.run(0, STEPS))
  rows.close()
  return seconds / STEPS
}

async function cpuOf(run) {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
