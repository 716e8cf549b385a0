/** Eight processes commit to one branch of one file: whether all of it is there, how long one waits, how fast it goes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readEntries } from 'agentstategraph/internal'
import { median } from '../measure.mjs'
import { openOurs, openState } from '../ours.mjs'
import { amount, oursAtLeast, oursAtMost, rate, span } from '../reach.mjs'

export const name = 'processes'

export const reach = {
  lost: oursAtMost(0, 'none'),
  stall: oursAtMost(1, '< 1 s'),
  rate: oursAtLeast(6000, '≥ 6 k/s'),
}

const processes = 8
const rounds = 3
const script = fileURLToPath(new URL('../commit-worker.mjs', import.meta.url))

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const together = []
  const alone = []
  for (let round = 0; round < rounds; round++) {
    alone.push(await commitFrom(1, join(folder, `alone-${round}.db`), driver, size(2000)))
    together.push(await commitFrom(processes, join(folder, `together-${round}.db`), driver, size(600)))
  }
  const lost = [...alone, ...together].reduce((sum, each) => sum + each.lost, 0)
  const commits = together.reduce((sum, each) => sum + each.commits, 0)
  const rows = [
    { work: `lost of ${amount(commits).words} commits of ${processes} processes`, ours: amount(lost), reach: 'lost' },
    {
      work: 'their longest commit, against that of one process alone',
      ours: longestOf(together),
      other: longestOf(alone),
      reach: 'stall',
    },
    {
      work: 'their rate together, against one process alone',
      ours: rateOf(together),
      other: rateOf(alone),
      reach: 'rate',
    },
    { work: 'the CPU time of one commit, against one process alone', ours: cpuOf(together), other: cpuOf(alone) },
  ]
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

/** Lets processes begin together, and holds what they did against what is in the file. */
async function commitFrom(workers, file, driver, count) {
  const made = await openState(file, driver)
  const before = made.headSeq()
  await made.close()
  const started = await Promise.all(
    Array.from({ length: workers }, (_, worker) => startWorker({ file, driver, worker, count, warmups: 300 })),
  )
  for (const { begin } of started) begin()
  const reports = await Promise.all(started.map(({ ended }) => ended))
  const seconds = (Math.max(...reports.map(each => each.ended)) - Math.min(...reports.map(each => each.begun))) / 1000
  const commits = workers * count
  const found = await countSteps(file, driver, before)
  const longest = Math.max(...reports.map(each => each.longest))
  const cpuEach = reports.reduce((sum, each) => sum + each.cpu, 0) / commits
  return { commits, lost: commits - found, longest, secondsEach: seconds / commits, cpuEach }
}

/** Counts the steps that are in the history of the branch: each once, and each on the commit before it. */
async function countSteps(file, driver, before) {
  const store = await openOurs(file, driver)
  const { journal } = store
  const [parent, ...entries] = journal.runSync(readEntries(before, store.headSeq(), ['text', 'commit']))
  const steps = new Set()
  let head = parent.record.commit
  for (const { record, row } of entries) {
    const { agent, intent, parents } = JSON.parse(row.commit.text)
    if (parents[0] !== head) throw new Error(`Entry ${row.seq} does not follow the one before it.`)
    head = record.commit
    const step = `${agent} ${intent.description}`
    if (steps.has(step)) throw new Error(`${step} is there twice.`)
    steps.add(step)
  }
  if (journal.log.sync.ref('branch/main') !== store.headSeq()) throw new Error('The branch is not at its last commit.')
  await store.close()
  return steps.size
}

async function startWorker(orders) {
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const hear = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`Process ${orders.worker} ended before its work.`)
    return value
  }
  await hear()
  const ended = hear().then(async line => {
    if (child.exitCode === null) await once(child, 'exit')
    return JSON.parse(line)
  })
  return { begin: () => child.stdin.write('begin\n'), ended }
}

function longestOf(runs) {
  return span(Math.max(...runs.map(each => each.longest)))
}

function cpuOf(runs) {
  return span(median(runs.map(each => each.cpuEach)))
}

function rateOf(runs) {
  const seconds = runs.map(each => each.secondsEach)
  return rate({ median: median(seconds), best: Math.min(...seconds) })
}
