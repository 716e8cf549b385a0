/**
 * What four times as much takes, in CPU time: at most five times as long, for everything whose size a caller decides.
 *
 * Kept in memory, so that what is timed is ours. Each call is made on a repository of its own.
 */
import { open } from 'agentstategraph'
import { edits } from '../growth/edits.mjs'
import { histories } from '../growth/histories.mjs'
import { ratioAtMost, span } from '../reach.mjs'

export const name = 'growth'

export const reach = { linear: ratioAtMost(5) }

/** The first calls of a kind are slower than the others; the best of those after them counts. */
const warmups = 2
const calls = 3

export async function run({ size }) {
  const rows = []
  for (const { work, size: full, prepare } of [...edits, ...histories]) {
    const n = Math.max(10, size(full))
    for (let i = 0; i < warmups; i++) await secondsOf(prepare, n)
    const few = await best(prepare, n)
    const many = await best(prepare, 4 * n)
    const words = (4 * n).toLocaleString('en-US')
    rows.push({
      work: `${work}: ${words}, against a quarter`,
      ours: span(many),
      other: span(few),
      ratio: many / few,
      reach: 'linear',
    })
  }
  return { rows, sides: [{ side: 'ours', driver: 'none: kept in memory' }] }
}

async function best(prepare, n) {
  const seconds = []
  for (let i = 0; i < calls; i++) seconds.push(await secondsOf(prepare, n))
  return Math.min(...seconds)
}

async function secondsOf(prepare, n) {
  const repo = await open()
  const call = await prepare(repo, n)
  // What was written a moment ago is not read again: of a long history that would be nearly nothing, of a short one all.
  repo.handle.journal.recent.clear()
  const before = process.cpuUsage()
  await call()
  const { user, system } = process.cpuUsage(before)
  await repo.close()
  return (user + system) / 1e6
}
