/** Processes killed with SIGKILL while they commit: what was acknowledged is there, and nothing is half there. */
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { openJournal } from '../../src/store/index.ts'
import { startWorker, untilSaid, type WorkerProcess } from '../processes/worker-process.ts'
import { type Account, checkEnd, newAccount, readOn } from './support/commit-account.ts'
import { seeded } from './support/seeded.ts'
import { integrityOf, newFile } from './support/sqlite-file.ts'

interface Acknowledged {
  readonly seq: number
  readonly id: string
  readonly label: string
}

/** A worker is killed while it makes its first commits; it stops by itself a few later, and stays. */
const mostCommits = 20
const commits = 26
const mostTurns = 20
/** So small that checkpoints are among what is interrupted. */
const maxLogBytes = 256 * 1024

async function startCommitting(file: string, round: number): Promise<WorkerProcess> {
  const orders = { file, name: `worker ${round}`, count: commits, stays: true, largeEvery: 16, maxLogBytes }
  const worker = await startWorker('commit-worker.mjs', orders)
  worker.begin()
  return worker
}

/** Waits until a worker has said so many lines, then a little, and kills it wherever it is. */
async function killAfter(worker: WorkerProcess, lines: number, turns: number): Promise<readonly Acknowledged[]> {
  expect(await untilSaid(worker, lines)).toBe(true)
  for (let turn = 0; turn < turns; turn++) await setImmediate()
  worker.child.kill('SIGKILL')
  await worker.ended
  return worker.lines.slice(1) as Acknowledged[]
}

/** Reads what is new, and looks for everything that was acknowledged. */
async function reconcile(file: string, account: Account, acknowledged: readonly Acknowledged[]): Promise<void> {
  await using backend = sqlite(file)
  const journal = await openJournal(backend)
  await readOn(journal, account)
  const there = new Map(account.order.map(one => [one.seq, one]))
  expect(acknowledged.map(({ seq }) => there.get(seq))).toEqual(acknowledged)
}

/** Kills one worker after another. Every second one dies while its successor is already at work on the same file. */
async function killWorkers(file: string, kills: number, seed: number): Promise<void> {
  const random = seeded(seed)
  const account = newAccount()
  const acknowledged: Acknowledged[] = []
  let next: WorkerProcess | undefined
  for (let round = 0; round < kills; round++) {
    const worker = next ?? (await startCommitting(file, round))
    next = round % 2 === 1 && round + 1 < kills ? await startCommitting(file, round + 1) : undefined
    const said = await killAfter(worker, 1 + random() * mostCommits, random() * mostTurns)
    acknowledged.push(...said)
    await reconcile(file, account, said)
    expect(integrityOf(file)).toBe('ok')
  }
  expect(acknowledged.length).toBeGreaterThan(kills)
  await reconcileAll(file, acknowledged)
}

/** The whole journal once more, from its first entry, by a reader that has seen none of it. */
async function reconcileAll(file: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const account = newAccount()
  await reconcile(file, account, acknowledged)
  await using backend = sqlite(file)
  await checkEnd(await openJournal(backend), account)
}

/** Two stores at once: most of a round is waiting for a process to start. */
async function killInTwoStores(kills: number, seed: number): Promise<void> {
  await Promise.all([killWorkers(newFile(), kills / 2, seed), killWorkers(newFile(), kills / 2, seed + 1)])
}

it('after each of 30 kills every acknowledged commit is there with its state, and the file is whole', async () => {
  await killInTwoStores(30, 1)
})

it.runIf(process.env['ASG_SOAK'] === '1')(
  'after each of 1000 kills every acknowledged commit is there with its state, and the file is whole',
  async () => {
    for (let round = 0; round < 10; round++) await killInTwoStores(100, 3 + 2 * round)
  },
)
