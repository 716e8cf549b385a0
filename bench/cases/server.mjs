/**
 * Load on the server from a second process on the loopback, beside a bare route of Node that answers the same bytes.
 *
 * The bare route is what HTTP itself costs here; the rest is keys, checks, the store and its history. With `--soak` the server
 * is read and written for five minutes, and has to use as much memory at the end as after the first minute.
 */
import { join } from 'node:path'
import { loadOn } from '../load.mjs'
import { takeTurns } from '../measure.mjs'
import { bytes, oursAtMost, rate, ratioAtMost, span } from '../reach.mjs'
import { ask, headers, startServer, stop } from '../server-child.mjs'

export const name = 'server'

const MIB = 2 ** 20

export const reach = {
  flat: ratioAtMost(1.2, 'flat: ≤ 1.2×'),
  read: oursAtMost(110e-6, '≤ 110 µs'),
  write: oursAtMost(220e-6, '≤ 220 µs'),
  idle: oursAtMost(60 * MIB, '≤ 60 MB'),
  loaded: oursAtMost(120 * MIB, '≤ 120 MB'),
}

const SOAK_MINUTES = 5

const read = n => ({ method: 'GET', path: `/api/state/main?path=/items/${n % 100}` })
const write = n => ({
  method: 'POST',
  path: '/api/state/main/set',
  body: JSON.stringify({ path: `/items/${n % 100}`, value: { n, text: 'an item' }, description: `Step ${n}` }),
})

export async function run({ driver, makeFolder, size, isSoak }) {
  const ours = await startServer({ kind: 'ours', store: join(makeFolder(), 'state.db') })
  const idle = await residentOf(ours)
  const filling = loadOn(ours.url, write, headers, [])
  await filling.run(0, 100)
  const response = await fetch(`${ours.url}${read(1).path}`, { headers })
  const bare = await startServer({ kind: 'bare', answer: await response.text() })
  try {
    const reads = await compare(ours, bare, read, { method: 'GET', path: '/read' }, size(1500))
    const writes = await compare(ours, bare, write, { method: 'POST', path: '/write' }, size(600))
    const cpuRows = [
      await cpuRow('a read', ours, bare, read, { method: 'GET', path: '/read' }, size(6000), 'read'),
      await cpuRow('a write', ours, bare, write, { method: 'POST', path: '/write' }, size(2000), 'write'),
    ]
    const rows = [...rowsOf('reads', reads), ...rowsOf('writes', writes), ...cpuRows]
    rows.push({ work: 'resident memory of a server that is idle', ours: bytes(idle), reach: 'idle' })
    rows.push({ work: 'the same after this load', ours: bytes(await residentOf(ours)), reach: 'loaded' })
    if (isSoak) rows.push(await soak(ours, filling))
    const sides = [
      { side: 'ours', driver: driver.name },
      { side: 'a bare route of Node', driver: 'no store' },
    ]
    return { rows, sides }
  } finally {
    filling.close()
    await Promise.all([stop(ours), stop(bare)])
  }
}

async function compare(ours, bare, make, bareRequest, count) {
  const latencies = { ours: [], bare: [] }
  const oursLoad = loadOn(ours.url, make, headers, latencies.ours)
  const bareLoad = loadOn(bare.url, n => ({ ...bareRequest, body: make(n).body }), headers, latencies.bare)
  const times = await takeTurns(
    [
      { name: 'ours', count, run: oursLoad.run },
      { name: 'bare', count, run: bareLoad.run },
    ],
    { slices: 7 },
  )
  oursLoad.close()
  bareLoad.close()
  return { times, latencies }
}

/** The CPU time that the server spends on one request. */
async function cpuRow(what, ours, bare, make, bareRequest, count, named) {
  const other = await cpuOf(bare, n => ({ ...bareRequest, body: make(n).body }), count)
  return {
    work: `CPU of ${what} over HTTP, against a bare route`,
    ours: await cpuOf(ours, make, count),
    other,
    reach: named,
  }
}

async function cpuOf(server, make, count) {
  const load = loadOn(server.url, make, headers, [])
  const before = await ask(server, 'cpu')
  await load.run(0, count)
  const after = await ask(server, 'cpu')
  load.close()
  return span((after.user + after.system - before.user - before.system) / 1e6 / count)
}

/** What the process holds, as the system counts it. */
async function residentOf(server) {
  return (await ask(server, 'memory')).rss
}

function rowsOf(what, { times, latencies }) {
  return [
    { work: `${what} over HTTP, 16 at once, against a bare route`, ours: rate(times.ours), other: rate(times.bare) },
    { work: `99 of 100 ${what} take at most`, ours: p99(latencies.ours), other: p99(latencies.bare) },
  ]
}

function p99(latencies) {
  const sorted = latencies.toSorted((a, b) => a - b)
  return span(sorted[Math.floor(sorted.length * 0.99)])
}

async function soak(server, writing) {
  const reading = loadOn(server.url, read, headers, [])
  const memory = []
  let step = 0
  for (let minute = 0; minute < SOAK_MINUTES; minute++) {
    for (const end = Date.now() + 60_000; Date.now() < end; step += 500) {
      await writing.run(step, 500)
      await reading.run(step, 500)
    }
    memory.push((await ask(server, 'memory')).heapUsed)
  }
  reading.close()
  return {
    work: `memory after ${SOAK_MINUTES} minutes of load, against the first`,
    ours: bytes(memory.at(-1)),
    other: bytes(memory[0]),
    reach: 'flat',
  }
}
