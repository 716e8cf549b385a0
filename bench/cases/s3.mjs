/**
 * A bucket without a database, on versitygw over a local folder: the requests of opening, reading and committing, rates with one and with six
 * processes on one branch, and how soon another process hears of a commit. Counts hold for every service; rates and times do not.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { open } from 'agentstategraph'
import { memory } from 'agentstategraph/backends'
import { s3 } from 'agentstategraph/backends/s3'
import { compact } from 'agentstategraph/maintenance'
import { infoWithoutAuthority, makeHistory } from '../made-history.mjs'
import { amount, oursAtLeast, oursAtMost, span } from '../reach.mjs'
import { countRequests, startS3 } from '../s3-server.mjs'

export const name = 's3'

/** The levels of the places that are read, the root among them. */
const depth = 3

export const reach = {
  opening: oursAtMost(10, '≤ 10'),
  get: oursAtMost(depth + 2, '≤ depth + 2'),
  blame: oursAtMost(depth + 3, '≤ depth + 3'),
  waiting: oursAtMost(5, '≤ 5'),
  share: oursAtLeast(0.05, '≥ 5 %'),
  heard: oursAtMost(1, '≤ 1 s'),
  idle: oursAtMost(2, '≤ 2/s'),
}

const script = fileURLToPath(new URL('../s3-worker.mjs', import.meta.url))

export async function run({ makeFolder, size }) {
  const server = await startS3(makeFolder())
  if (server === undefined) return { rows: [], sides: [{ side: 'no Go, which compiles the server', driver: 'none' }] }
  const requests = countRequests()
  try {
    const rows = [
      ...(await longHistory(server.address('long'), requests, size(100_000))),
      ...(await manyWaiting(server.address('waiting'), requests)),
      ...(await watching(server.address('watched'), requests, size(500) / 100)),
      ...(await writing(server, size(3000) / 100)),
    ]
    return { rows, sides: [{ side: 'ours', driver: 'aws4fetch, versitygw over a local folder' }] }
  } finally {
    requests.end()
    await server.close()
  }
}

const sum = sent => Object.values(sent).reduce((all, one) => all + one, 0)
const inWords = sent =>
  Object.entries(sent)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')

/** Requests of opening, and of a first `get` and `blame`, in runs and in segments that are in no run yet. */
async function longHistory(address, requests, commits) {
  const backend = s3(address)
  await fill(backend, commits)
  const repo = await open(backend)
  const count = async work => {
    requests.taken()
    await work()
    return requests.taken()
  }
  const cold = async work => {
    const one = await open(address)
    const sent = await count(() => work(one))
    await one.close()
    return amount(sum(sent))
  }
  for (let n = 0; n < 20; n++) await repo.set(['deep', 'er'], n, `Set ${n}`)
  await compact(repo)
  let opened
  const opening = await count(async () => {
    opened = await open(address)
  })
  await opened.close()
  const rows = [
    {
      work: `opening ${commits.toLocaleString('en-US')} commits: ${inWords(opening)}`,
      ours: amount(sum(opening)),
      reach: 'opening',
    },
    { work: 'cold `get` in runs, requests', ours: await cold(one => one.get(['deep', 'er'])), reach: 'get' },
    { work: 'cold `blame` in runs, requests', ours: await cold(one => one.blame(['deep', 'er'])), reach: 'blame' },
  ]
  // Each writes one of many places in one map, which makes the longest chains of changed nodes.
  for (let n = 0; n < 60; n++) await repo.set(['deep', `place-${n % 30}`], n, `Set ${n}`)
  const loose = async call => {
    const each = []
    for (let n = 0; n < 30; n++) each.push(await cold(one => one[call](['deep', `place-${n}`])))
    return amount(Math.max(...each.map(({ value }) => value)))
  }
  rows.push(
    { work: 'cold `get` in loose segments, the most requests of 30', ours: await loose('get'), reach: 'get' },
    { work: 'cold `blame` in loose segments, the most requests of 30', ours: await loose('blame'), reach: 'blame' },
  )
  await repo.close()
  return rows
}

/** Fills a bucket with a made history, one segment for each of its appends. */
async function fill(backend, commits) {
  const made = memory()
  const sync = made.namespace('default').sync
  await makeHistory(made, commits, infoWithoutAuthority)
  const { seq: total } = sync.head()
  const log = backend.namespace('default')
  let head = null
  for (let from = 1; from <= total; ) {
    // An append has one time for all its entries.
    const page = sync.entries(from, Math.min(total, from + 999), ['text', 'commit', 'part'])
    const [{ time }] = page
    const rows = page.filter(row => row.time === time)
    const entries = rows.map(({ text, leaf, commit, part }) => {
      return { text, leaf, commit, parts: part === undefined ? [] : [{ first: 0, bytes: part }] }
    })
    const newest = rows.findLastIndex(({ commit }) => commit !== undefined)
    const moves = newest < 0 ? [] : [{ name: 'branch/main', expect: head, to: { entry: newest } }]
    const { kind } = await log.append({ time, entries, moves })
    if (kind !== 'done') throw new Error(`Appending ended with ${kind}.`)
    if (newest >= 0) head = from + newest
    from += rows.length
  }
}

async function manyWaiting(address, requests) {
  const repo = await open(address)
  await repo.set('/n', 0, 'Begin')
  requests.taken()
  await Promise.all(Array.from({ length: 1000 }, (_, n) => repo.set('/n', n, `Set ${n}`)))
  const { PUT } = requests.taken()
  await repo.close()
  return [{ work: '1,000 commits that wait on one branch, PUTs', ours: amount(PUT), reach: 'waiting' }]
}

/** How soon a watcher at default settings has a commit of another process, and what it asks while nothing happens. */
async function watching(address, requests, seconds) {
  const writer = await startWorker({ address, worker: 0 })
  await writer.tell({ waiting: 1, seconds: 0.1 })
  const reader = await open(address)
  const events = reader.watch()[Symbol.asyncIterator]()
  let heardAt = 0
  let isOver = false
  const hearing = (async () => {
    while (!isOver && !(await events.next()).done) heardAt = Date.now()
  })()
  await new Promise(resolve => setTimeout(resolve, 1500))
  requests.taken()
  await new Promise(resolve => setTimeout(resolve, 2000 * seconds))
  const idle = sum(requests.taken()) / (2 * seconds)
  const late = []
  for (let n = 0; n < 10; n++) {
    const { ended } = await writer.tell({ waiting: 1, seconds: 0.001 })
    while (heardAt < ended) await new Promise(resolve => setTimeout(resolve, 1))
    late.push((heardAt - ended) / 1000)
    await new Promise(resolve => setTimeout(resolve, 150 + n * 60))
  }
  isOver = true
  await events.return()
  await hearing
  await reader.close()
  await writer.end()
  return [
    { work: 'requests a second of an idle watcher', ours: { value: idle, words: idle.toFixed(2) }, reach: 'idle' },
    { work: 'a commit is heard by another process, the latest of 10', ours: span(Math.max(...late)), reach: 'heard' },
  ]
}

/** Rates and requests of one and of six processes on one branch. */
async function writing({ address }, seconds) {
  const rows = []
  for (const [processes, waiting] of [
    [1, 1],
    [1, 100],
    [6, 1],
    [6, 100],
  ]) {
    const place = address(`writers-${processes}-${waiting}`)
    const workers = []
    for (let worker = 0; worker < processes; worker++) workers.push(await startWorker({ address: place, worker }))
    // The rate of one writer needs less time than the shares of six.
    const reports = await Promise.all(workers.map(({ tell }) => tell({ waiting, seconds: seconds / (7 - processes) })))
    await Promise.all(workers.map(({ end }) => end()))
    const counts = reports.map(({ commits }) => commits)
    const commits = counts.reduce((all, one) => all + one, 0)
    const took = (Math.max(...reports.map(one => one.ended)) - Math.min(...reports.map(one => one.begun))) / 1000
    const each = kind => reports.reduce((all, { sent }) => all + sent[kind], 0) / commits
    const requests = ['PUT', 'LIST', 'GET'].map(kind => `${each(kind).toPrecision(2)} ${kind}`).join(', ')
    const dollars = (each('PUT') + each('LIST')) * 5 + each('GET') * 0.4
    const title = `${processes} × ${waiting} waiting`
    rows.push(
      {
        work: `${title}: ${requests} a commit`,
        ours: { value: commits / took, words: `${(commits / took).toFixed(1)}/s` },
      },
      { work: `${title}: US dollars for a million commits`, ours: { value: dollars, words: dollars.toFixed(2) } },
    )
    if (processes === 1) continue
    const share = Math.min(...counts) / commits
    rows.push({
      work: `${title}, ${seconds} s: the smallest share of a process`,
      ours: { value: share, words: `${(share * 100).toFixed(1)} %` },
      reach: 'share',
    })
  }
  return rows
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
