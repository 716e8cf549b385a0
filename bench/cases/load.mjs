/**
 * Whether a server answers while it works: `/healthz` during maintenance, long reads, a large value and a foreign lock.
 *
 * The probes come from a process of their own, and an idle server is probed in the same moments. Each kind of work is repeated
 * until there are 500 probes. Gaps of the event loop are judged by the time that the server's thread worked in them, because on a
 * machine that others use every process waits for a processor; their length by the clock stands beside it.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from '../../packages/agentstategraph/dist/repository/index.js'
import { oursAtMost, span } from '../reach.mjs'
import { ask, callsOf, startServer, stop } from '../server-child.mjs'

export const name = 'load'

export const reach = {
  prompt: { words: '≤ 100 ms above idle', isMet: ({ ours, other }) => ours.value - other.value <= 0.1 },
  gap: oursAtMost(0.03, '≤ 30 ms'),
}

const probeScript = fileURLToPath(new URL('../probe-process.mjs', import.meta.url))
const MIB = 2 ** 20
const LOCKED_MS = 12_000

export async function run({ driver, makeFolder, size }) {
  const store = join(makeFolder(), 'state.db')
  await fill(store, size(4000))
  const limits = { bodyBytes: 64 * MIB, bodyTimeoutMs: 120_000 }
  const busy = await startServer({ kind: 'ours', store, limits })
  const idle = await startServer({ kind: 'ours', store: join(makeFolder(), 'idle.db') })
  const prober = { child: fork(probeScript, [JSON.stringify([busy.url, idle.url])]) }
  await once(prober.child, 'message')
  try {
    const rows = []
    const call = callsOf(busy.url)
    // The first call of a process compiles what all of them use.
    await call('GET', '/api/log/main?limit=1')
    const works = worksOn(call, size, () => driver.open(store))
    for (const [what, work] of Object.entries(works)) {
      await Promise.all([busy, idle].map(server => ask(server, 'gap')))
      const { seconds, each } = await probed(prober, work, work.isOnce ? 1 : size(500))
      const [during, beside] = seconds.map(p99)
      const [gap, idleGap] = await Promise.all([busy, idle].map(server => ask(server, 'gap')))
      rows.push(
        {
          work: `99 of ${seconds[0].length} /healthz take at most, during ${what} (${each.toFixed(1)} s); idle beside it`,
          ours: span(during),
          other: span(beside),
          reach: 'prompt',
        },
        { work: `the longest gap of its event loop, during ${what}`, ...gaps(gap, idleGap), reach: 'gap' },
      )
    }
    return { rows, sides: [{ side: 'ours', driver: driver.name }] }
  } finally {
    await Promise.all([busy, idle, prober].map(stop))
  }
}

function gaps(ours, other) {
  const words = ({ worked, clock }) => ({ value: worked, words: `${span(worked).words} (clock ${span(clock).words})` })
  return { ours: words(ours), other: words(other) }
}

/** A history of so many commits over a hundred keys. */
async function fill(store, commits) {
  const repo = await open(store)
  for (let n = 0; n < commits; n++) {
    await repo.set(`/items/${n % 100}`, { n, text: 'an item of some length '.repeat(4) }, `Step ${n}`)
  }
  await repo.close()
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Each work has a `run`, and may have a `prepare` during which nothing is probed. */
function worksOn(call, size, openFile) {
  const set = (path, value, branch = 'main') =>
    call('POST', `/api/state/${branch}/set`, { path, value, description: 'Set it' })
  let times = 0
  let exported
  return {
    nothing: { run: () => pause(size(1000)) },
    'the first query': { isOnce: true, run: () => call('POST', '/api/query/*', { text: 'nowhere' }) },
    'the tree of intents': { run: () => call('GET', '/api/intents/main') },
    stats: { run: () => call('GET', '/api/stats/main') },
    verify: { run: () => call('GET', '/api/verify') },
    export: {
      async run() {
        exported = await call('GET', '/api/export')
      },
    },
    import: {
      prepare: () => call('POST', '/api/namespaces', { name: `n${++times}` }),
      run: () => call('POST', '/api/import', { namespace: `n${times}`, export: exported }),
    },
    gc: {
      async prepare() {
        await call('POST', '/api/branches', { name: 'side' })
        for (let n = 0; n < size(200); n++) await set('/side', n, 'side')
        await call('DELETE', '/api/branches/side')
      },
      run: () => call('POST', '/api/gc/sweep', { keep_newer_ms: 0 }),
    },
    reindex: { run: () => call('POST', '/api/reindex', {}) },
    'a 60 MB value': {
      run() {
        const round = ++times
        const items = Array.from({ length: size(60_000) }, (_, n) => [`k${n}`, `${n} ${round} ${'x'.repeat(970)}`])
        return set('/large', Object.fromEntries(items))
      },
    },
    'a foreign lock of 12 s': {
      async run() {
        const holder = openFile()
        holder.exec('BEGIN IMMEDIATE')
        const writes = [1, 2, 3].map(n => set('/n', n))
        await pause(size(LOCKED_MS))
        holder.exec('ROLLBACK')
        holder.close()
        await Promise.all(writes)
      },
    },
  }
}

/** Repeats the work until there are enough probes. Gives the seconds of each probe, by server, and those of a round. */
async function probed({ child }, { prepare, run: work }, probes) {
  const seconds = [[], []]
  let worked = 0
  let rounds = 0
  do {
    await prepare?.()
    child.send('start')
    const began = performance.now()
    await work()
    worked += (performance.now() - began) / 1000
    rounds++
    child.send('stop')
    const [round] = await once(child, 'message', { signal: AbortSignal.timeout(120_000) })
    for (const [place, took] of round.entries()) seconds[place].push(...took)
  } while (seconds[0].length < probes)
  return { seconds, each: worked / rounds }
}

function p99(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.99)]
}
