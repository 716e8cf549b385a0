/**
 * A sealed epoch of many commits, each of one leaf on a state of 2 KB: handed over as a bundle, and checked line by line.
 *
 * The lines go through a file, as they would to an auditor. Memory is what the process holds beyond what it held before;
 * of the verifier that stands alone, which is a process of its own, it is all that it held at most.
 */
import { spawnSync } from 'node:child_process'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sqlite } from 'agentstategraph/backends'
import { epochs, verifyBundle } from 'agentstategraph/trust'
import { makeEpoch, writeLines } from '../epoch-file.mjs'
import { bytes, oursAtMost, span } from '../reach.mjs'

export const name = 'trust-bundle'

const MEGABYTE = 1024 * 1024

export const reach = {
  export: oursAtMost(15, '≤ 15 s for 100,000 commits'),
  verify: oursAtMost(15, '≤ 15 s for 100,000 commits'),
  memory: oursAtMost(200 * MEGABYTE, '≤ 200 MB'),
}

const verifier = fileURLToPath(new URL('../../verifiers/verify.mjs', import.meta.url))

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const commits = size(100_000)
  const file = join(folder, 'epoch.jsonl')
  const repo = await makeEpoch(sqlite(join(folder, 'state.db'), { driver: driver.module }), commits)
  const exported = await measured(() => writeLines(epochs(repo).export('epoch'), file))
  await repo.close()
  const verified = await measured(() => verify(file))
  const alone = verifyAlone(file)
  const words = `${commits.toLocaleString('en-US')} commits`
  const rows = [
    { work: `export an epoch of ${words}`, ours: span(exported.seconds), reach: 'export' },
    { work: 'memory of it', ours: bytes(exported.memory), reach: 'memory' },
    {
      work: `verify its bundle of ${Math.round(statSync(file).size / MEGABYTE)} MB`,
      ours: span(verified.seconds),
      reach: 'verify',
    },
    { work: 'memory of it', ours: bytes(verified.memory), reach: 'memory' },
    { work: 'verify it with verifiers/verify.mjs, a process of its own', ours: span(alone.seconds), reach: 'verify' },
    { work: 'memory of it', ours: bytes(alone.memory), reach: 'memory' },
  ]
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

async function verify(file) {
  const { ok } = await verifyBundle(
    createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }),
  )
  if (!ok) throw new Error('The bundle does not verify.')
}

/** Runs the verifier as an auditor does. It tells its own memory when it ends. */
function verifyAlone(file) {
  const tell = 'process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS)))'
  const args = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, verifier, file]
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The verifier ended with ${status}.`)
  return { seconds: (performance.now() - start) / 1000, memory: Number(stderr) * 1024 }
}

/** Runs something, and tells its seconds and how much more memory the process held than before. */
async function measured(work) {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  return { seconds, memory: Math.max(most, process.memoryUsage().rss) - before }
}
