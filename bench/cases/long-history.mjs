/**
 * What long calls take on a long history: CPU time, and the peak memory of a process that does nothing else. Its heap may
 * have 64 MB of old objects, so what a call keeps for each commit shows, and what it leaves to be collected does not.
 *
 * Trees of intents and statistics are asked of a made history of 100,000 commits, or a million with `--large`. The other
 * calls need commits that hold together, so theirs are committed one by one: a fifth of that.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { makeHistory } from '../made-history.mjs'
import { bytes, oursAtMost, span } from '../reach.mjs'

export const name = 'long-history'

const MB = 1e6

export const reach = {
  page: oursAtMost(0.05, '≤ 50 ms'),
  pageMemory: oursAtMost(50 * MB, '≤ 50 MB'),
  stats: oursAtMost(1, '≤ 1 s'),
  verify: oursAtMost(10, '≤ 10 s CPU'),
  verifyMemory: oursAtMost(200 * MB, '≤ 200 MB'),
  memory: oursAtMost(300 * MB, '≤ 300 MB'),
  speculations: oursAtMost(0.5, '≤ 0.5 s'),
}

export async function run({ driver, makeFolder, size, isLarge }) {
  const folder = makeFolder()
  const at = file => join(folder, file)
  const count = size(isLarge ? 1_000_000 : 100_000)
  const backend = sqlite(at('made.db'), { driver: driver.module })
  await makeHistory(backend, count)
  await indexed(backend)
  const commits = size(20_000)
  await committed(at('real.db'), driver, commits)
  const speculations = size(10_000)
  await speculated(at('tried.db'), driver, speculations)
  const rows = [
    ...(await rowsOf('a page of the tree of intents', count, at('made.db'), ['page', 'pageMemory'])),
    ...(await rowsOf('statistics', count, at('made.db'), ['stats', 'memory'])),
    ...(await rowsOf('verify', commits, at('real.db'), ['verify', 'verifyMemory'])),
    ...(await rowsOf('export', commits, at('real.db'), [undefined, 'memory'], at('lines'))),
    ...(await rowsOf('import', commits, at('imported.db'), [undefined, 'memory'], at('lines'))),
    ...(await rowsOf('pull', commits, at('pulled.db'), [undefined, 'memory'], at('real.db'))),
    ...(await rowsOf('push', commits, at('pushed.db'), [undefined, 'memory'], at('real.db'))),
    ...(await rowsOf('export of a bundle', commits, at('pulled.db'), [undefined, 'memory'], at('bundle'))),
    ...(await rowsOf('opening a bundle', commits, at('bundle'), [undefined, 'memory'])),
    ...(await rowsOf('a listing of speculations', speculations, at('tried.db'), ['speculations', undefined])),
    ...(await rowsOf('gc beside speculations', speculations, at('tried.db'), ['speculations', undefined])),
  ]
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

async function rowsOf(work, count, file, [forTime, forMemory], other = '') {
  const { cpu, more, peak } = await measured(work, file, other)
  const words = `${work}, ${count.toLocaleString('en-US')}`
  const memory = forMemory === 'pageMemory' ? more : peak
  return [
    { work: `${words}: CPU time`, ours: span(cpu), reach: forTime },
    { work: `${words}: memory`, ours: bytes(memory), reach: forMemory },
  ]
}

function measured(work, file, other) {
  const script = fileURLToPath(new URL('../long-process.mjs', import.meta.url))
  const child = fork(script, [work, file, other], { execArgv: ['--expose-gc', '--max-old-space-size=64'] })
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`${work} ended with ${code}.`)))
  })
}

/** The first query builds the index; what is measured comes after it. */
async function indexed(backend) {
  const repo = await open(backend)
  await repo.query({ limit: 1, agent: 'agent/1', intent: 'intent-1' })
  await repo.close()
}

async function committed(file, driver, count) {
  const repo = await open(sqlite(file, { driver: driver.module }))
  for (let n = 0; n < count; n++) {
    const intent = { id: `intent-${Math.floor(n / 10)}` }
    await repo.as(`agent/${n % 50}`).set(`/area${n % 100}/item${n % 1000}`, n, { description: `Adjust ${n}`, intent })
  }
  await repo.close()
}

async function speculated(file, driver, count) {
  const repo = await open(sqlite(file, { driver: driver.module }))
  await repo.set('/count', 0, 'Begin')
  for (let n = 0; n < count; n++) await (await repo.speculate()).set('/tried', n)
  await repo.close()
}
