/**
 * A PostgreSQL that processes share: commits to one branch and to namespaces of their own, beside a bare script with the same lock,
 * batches and bytes; reads; and a change in 100 KB of text that cannot be compressed, against LangGraph's own saver.
 *
 * The server runs with its defaults, so a commit that is answered is on disk.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { open } from 'agentstategraph'
import { postgres } from 'agentstategraph/backends/postgres'
import pg from 'pg'
import { openPostgresSaver } from '../langgraph-postgres.mjs'
import { median, rateRatio, takeTurns } from '../measure.mjs'
import { makeFloor } from '../postgres-floor.mjs'
import { startPostgres } from '../postgres-server.mjs'
import { randomSource } from '../random.mjs'
import { amount, bytes, oursAtLeast, oursAtMost, rate, ratioAtLeast, ratioAtMost, span } from '../reach.mjs'
import { leafAt, makeState, pathOfStep, valueOfLeaf } from '../state.mjs'

export const name = 'postgres'

export const reach = {
  waiting64: oursAtLeast(5000, '≥ 5,000/s'),
  waiting8: oursAtLeast(1500, '≥ 1,500/s'),
  waiting1: oursAtLeast(300, '≥ 300/s'),
  bare: ratioAtLeast(0.5, '≥ 50 %'),
  late: oursAtMost(0.5, '≤ 500 ms'),
  fair: oursAtLeast(0.5, '≥ 50 %'),
  lost: oursAtMost(0, 'none'),
  own: ratioAtLeast(1.5),
  warm: ratioAtLeast(0.9, 'as on SQLite'),
  trips: oursAtMost(1, '≤ 1'),
  saver: ratioAtLeast(10),
  stored: ratioAtMost(1 / 8, '≤ 1/8'),
}

const processes = 8
const rounds = 3
const script = fileURLToPath(new URL('../postgres-worker.mjs', import.meta.url))

export async function run({ makeFolder, size }) {
  const folder = makeFolder()
  const server = await startPostgres(folder)
  if (server === undefined) return { rows: [], sides: [{ side: 'no PostgreSQL is installed', driver: 'none' }] }
  try {
    const seconds = size(300) / 100
    const rows = [
      ...(await sharedBranch(server.address, seconds)),
      ...(await reads(server.address, join(folder, 'same.db'), size)),
      ...(await savers(server.address, size)),
    ]
    return { rows, sides: [{ side: 'ours', driver: `pg, PostgreSQL ${server.version}` }] }
  } finally {
    await server.close()
  }
}

async function sharedBranch(address, seconds) {
  const names = Array.from({ length: processes }, (_, worker) => `own-${worker}`)
  for (const namespace of ['shared', ...names]) await begin(address, namespace)
  await makeFloor(address, ['shared'])
  const rowBytes = await bytesOfCommit(address)
  const workers = await Promise.all(names.map((_, worker) => startWorker({ address, worker, rowBytes })))
  const rows = []
  let acknowledged = 0
  const measured = async (side, waiting) => {
    const result = await commitFrom(workers, { side, waiting, seconds })
    if (side !== 'floor') acknowledged += result.commits
    return result
  }
  for (const side of ['shared', 'floor', 'own']) await measured(side, 64)
  for (const waiting of [64, 8, 1]) {
    const [ours, floor, own] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      ours.push(await measured('shared', waiting))
      floor.push(await measured('floor', waiting))
      if (waiting === 64) own.push(await measured('own', waiting))
    }
    const title = `8 processes × ${waiting} waiting on one branch`
    rows.push(
      { work: `${title}, a second`, ours: rateOf(ours), reach: `waiting${waiting}` },
      {
        work: `${title}, beside the bare script`,
        ours: rateOf(ours),
        other: rateOf(floor),
        ratio: ratioOf(ours, floor),
        reach: 'bare',
      },
      { work: `${title}: 99 of 100 within`, ours: span(lateOf(ours)), other: span(lateOf(floor)), reach: 'late' },
      {
        work: `${title}: slowest process of the fastest`,
        ours: share(fairnessOf(ours)),
        other: share(fairnessOf(floor)),
        reach: 'fair',
      },
      { work: `${title}: CPU of a commit`, ours: span(cpuOf(ours)), other: span(cpuOf(floor)) },
    )
    if (own.length === 0) continue
    rows.push({
      work: `8 processes × ${waiting} waiting in namespaces of their own, beside one branch`,
      ours: rateOf(own),
      other: rateOf(ours),
      ratio: ratioOf(own, ours),
      reach: 'own',
    })
  }
  await Promise.all(workers.map(({ end }) => end()))
  const lost = amount(await lostOf(address, acknowledged))
  rows.push({ work: `lost of ${amount(acknowledged).words} commits`, ours: lost, reach: 'lost' })
  return rows
}

async function begin(address, namespace) {
  const repo = await open(address, { namespace, agent: 'agent/keeper' })
  await repo.set('/', makeState(), 'Import the services')
  await repo.close()
}

/** What one commit of ours stores in its row. */
async function bytesOfCommit(address) {
  const repo = await open(address, { namespace: 'size', agent: 'agent/keeper' })
  await repo.set('/', makeState(), 'Import the services')
  await repo.set(leafAt(2), valueOfLeaf(2, 1), 'step 1')
  await repo.close()
  const text = `SELECT octet_length(text) + octet_length(commit_text) + octet_length(part) AS bytes FROM agentstategraph.entries
    WHERE namespace = 'size' ORDER BY seq DESC LIMIT 1`
  return (await asked(address, text))[0].bytes
}

/** Every commit that was answered is in a journal, once, and no number of an entry is missing. */
async function lostOf(address, acknowledged) {
  const text = `SELECT count(*)::int AS entries, count(DISTINCT commit_id)::int AS commits, max(seq)::int AS last
    FROM agentstategraph.entries WHERE namespace <> 'size' GROUP BY namespace`
  const journals = await asked(address, text)
  for (const { entries, last } of journals) if (entries !== last) throw new Error('A journal has a gap.')
  return Math.max(0, acknowledged + processes + 1 - journals.reduce((sum, { commits }) => sum + commits, 0))
}

async function asked(address, text) {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

/** Lets processes begin together, and tells what they did. */
async function commitFrom(workers, orders) {
  const reports = await Promise.all(workers.map(({ tell }) => tell(orders)))
  const counts = reports.map(({ times }) => times.length)
  const commits = counts.reduce((sum, one) => sum + one)
  const took = (Math.max(...reports.map(one => one.ended)) - Math.min(...reports.map(one => one.begun))) / 1000
  const times = reports.flatMap(one => one.times).sort((a, b) => a - b)
  return {
    commits,
    secondsEach: took / commits,
    late: times[Math.floor(times.length * 0.99)] / 1000,
    fairness: Math.min(...counts) / Math.max(...counts),
    cpuEach: reports.reduce((sum, one) => sum + one.cpu, 0) / commits,
  }
}

async function startWorker(orders) {
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const hear = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`Process ${orders.worker} ended before its work.`)
    return JSON.parse(value)
  }
  await hear()
  return {
    tell(what) {
      child.stdin.write(`${JSON.stringify(what)}\n`)
      return hear()
    },
    end() {
      child.stdin.end()
      return ended
    },
  }
}

/** Reads with a warm cache beside the same on SQLite, and how many round trips a cold one takes for each level. */
async function reads(address, file, size) {
  const path = pathOfStep(7)
  const [ours, same] = await Promise.all([address, file].map(one => open(one, { namespace: 'reads' })))
  for (const repo of [ours, same]) await repo.set('/', makeState(), 'Import the services')
  const read = repo => async (_, count) => {
    for (let n = 0; n < count; n++) await repo.get(path)
  }
  const count = size(2000)
  const times = await takeTurns([
    { name: 'ours', count, run: read(ours) },
    { name: 'same', count, run: read(same) },
  ])
  for (const repo of [ours, same]) await repo.close()
  const levels = path.length + 1
  return [
    {
      work: '`get` with a warm cache, beside SQLite',
      ours: rate(times.ours),
      other: rate(times.same),
      ratio: rateRatio(times.ours, times.same),
      reach: 'warm',
    },
    {
      work: `round trips of a cold \`get\` for each of ${levels} levels`,
      ours: amount((await coldTrips(address, path)) / levels),
      reach: 'trips',
    },
  ]
}

/** The statements of a first read, after the repository was opened. */
async function coldTrips(address, path) {
  const pool = new pg.Pool({ connectionString: address })
  let statements = 0
  const counted = {
    async connect() {
      const connection = await pool.connect()
      return {
        query(query) {
          statements++
          return connection.query(query)
        },
        release: error => connection.release(error),
      }
    },
  }
  const repo = await open(postgres(counted), { namespace: 'reads' })
  const before = statements
  await repo.get(path)
  const trips = statements - before
  await repo.close()
  await pool.end()
  return trips
}

/** One change in 100 KB of text that cannot be compressed, as a commit of ours and as a `put` of PostgresSaver. */
async function savers(address, size) {
  const random = randomSource(5)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const text = () => Array.from({ length: 200 }, () => letters[random(64)]).join('')
  const made = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`note-${n}`, text()]))
  const change = (state, index) => {
    state[`note-${(index * 197) % 500}`] = text()
  }
  const repo = await open(address, { namespace: 'saver', agent: 'agent/keeper' })
  await repo.set('/', made, 'Import the notes')
  const saver = await openPostgresSaver(address, 'saver', structuredClone(made), change)
  await saver.run(0, 1)
  const before = { ours: await storedBytes(address, 'agentstategraph'), saver: await storedBytes(address, 'saver') }
  const counts = { ours: size(200), saver: size(50) }
  const slices = 10
  const times = await takeTurns(
    [
      {
        name: 'ours',
        count: counts.ours,
        async run(from, count) {
          for (let n = from; n < from + count; n++) await repo.set([`note-${(n * 197) % 500}`], text(), `step ${n}`)
        },
      },
      { name: 'saver', count: counts.saver, run: (from, count) => saver.run(from + 1, count) },
    ],
    { slices, warmups: 1 },
  )
  await saver.verify()
  const each = async (schema, side) =>
    ((await storedBytes(address, schema)) - before[side]) / (counts[side] * (slices + 1))
  const stored = { ours: await each('agentstategraph', 'ours'), saver: await each('saver', 'saver') }
  await saver.close()
  await repo.close()
  return [
    {
      work: 'one change in 100 KB of incompressible text, against PostgresSaver',
      ours: rate(times.ours),
      other: rate(times.saver),
      ratio: rateRatio(times.ours, times.saver),
      reach: 'saver',
    },
    {
      work: 'bytes of it in tables and indexes',
      ours: bytes(stored.ours),
      other: bytes(stored.saver),
      reach: 'stored',
    },
  ]
}

async function storedBytes(address, schema) {
  const text = `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${schema}' AND c.relkind = 'r'`
  return (await asked(address, text))[0].bytes
}

function rateOf(runs) {
  const seconds = runs.map(one => one.secondsEach)
  return rate({ median: median(seconds), best: Math.min(...seconds) })
}

/** How many times the rate of `other` is reached, as the median over runs side by side. */
function ratioOf(ours, other) {
  return median(ours.map((one, round) => other[round].secondsEach / one.secondsEach))
}

const lateOf = runs => median(runs.map(one => one.late))
const fairnessOf = runs => median(runs.map(one => one.fairness))
const cpuOf = runs => median(runs.map(one => one.cpuEach))
const share = value => ({ value, words: `${Math.round(value * 100)} %` })
