/**
 * Runs the cases in cases/, or those named on the command line, and prints one table.
 *
 * With `--quick` everything is a hundred times smaller: to see that the cases work, not to learn how fast anything is.
 * With `--large` the long histories have a million commits; with `--soak` the server runs for five minutes.
 *
 * A case is a file that exports `name`, `reach` and `run(context)`. Its `run`
 * gives `rows` of `{ work, ours, other, ratio, reach }`, where `reach` names
 * one of its reaches, and `sides`, which say what ran on which driver. The
 * case measures; whether that is enough is judged here, and a run in which
 * something was not reached ends with 1.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as access from './cases/access.mjs'
import * as answers from './cases/answers.mjs'
import * as baselines from './cases/baselines.mjs'
import * as cold from './cases/cold.mjs'
import * as commit from './cases/commit.mjs'
import * as explorer from './cases/explorer.mjs'
import * as graph from './cases/graph.mjs'
import * as group from './cases/group.mjs'
import * as growth from './cases/growth.mjs'
import * as indexeddb from './cases/indexeddb.mjs'
import * as largeMap from './cases/large-map.mjs'
import * as list from './cases/list.mjs'
import * as load from './cases/load.mjs'
import * as longHistory from './cases/long-history.mjs'
import * as manyCommits from './cases/many-commits.mjs'
import * as memory from './cases/memory.mjs'
import * as merges from './cases/merges.mjs'
import * as plans from './cases/plans.mjs'
import * as postgres from './cases/postgres.mjs'
import * as processes from './cases/processes.mjs'
import * as queries from './cases/queries.mjs'
import * as repository from './cases/repository.mjs'
import * as s3 from './cases/s3.mjs'
import * as schema from './cases/schema.mjs'
import * as server from './cases/server.mjs'
import * as trust from './cases/trust.mjs'
import * as trustBundle from './cases/trust-bundle.mjs'
import * as viewer from './cases/viewer.mjs'
import * as watchers from './cases/watchers.mjs'
import * as wholeState from './cases/whole-state.mjs'
import { loadDriver } from './driver.mjs'
import { judge } from './reach.mjs'
import { tableOf } from './table.mjs'

const here = new URL('./', import.meta.url)
const isQuick = process.argv.includes('--quick')
const isLarge = process.argv.includes('--large')
const isSoak = process.argv.includes('--soak')
const wanted = process.argv.slice(2).filter(name => !name.startsWith('--'))
const cases = [
  commit,
  largeMap,
  list,
  manyCommits,
  queries,
  answers,
  repository,
  wholeState,
  merges,
  trust,
  trustBundle,
  memory,
  plans,
  schema,
  access,
  graph,
  growth,
  longHistory,
  cold,
  server,
  load,
  watchers,
  explorer,
  viewer,
  indexeddb,
  group,
  processes,
  postgres,
  s3,
  baselines,
]
const size = isQuick ? full => Math.max(1, Math.round(full / 100)) : full => full

const unknown = wanted.filter(name => !cases.some(each => each.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark is called ${unknown.join(', ')}. There are: ${cases.map(each => each.name).join(', ')}\n`,
  )
  process.exit(1)
}

const folders = []
const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentstategraph-bench-'))
  folders.push(folder)
  return folder
}

const machine = {
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  cpu: `${cpus()[0]?.model.trim()} × ${cpus().length}`,
  platform: `${process.platform} ${process.arch}`,
}
const heading = `${machine.date} · Node ${machine.node} · ${machine.cpu} · ${machine.platform}`
process.stdout.write(`${heading}${isQuick ? ' · quick: sizes divided by 100, nothing here is a result' : ''}\n\n`)

const rows = []
const sides = []
try {
  const context = { driver: loadDriver(), makeFolder, size, isLarge, isSoak }
  for (const each of cases.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    process.stderr.write(`${each.name}…\n`)
    const outcome = await each.run(context)
    rows.push(...outcome.rows.map(row => ({ case: each.name, ...judge(row, reachOf(each, row)) })))
    sides.push(...outcome.sides)
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

const table = tableOf(rows)
const drivers = [...new Set(sides.map(({ side, driver }) => `${side}: ${driver}`))]
process.stdout.write(`${table}\n\n${drivers.join('\n')}\n`)
if (!isQuick) {
  const results = new URL('results/', here)
  mkdirSync(results, { recursive: true })
  writeFileSync(new URL('latest.json', results), `${JSON.stringify({ machine, sides, rows }, null, 2)}\n`)
  writeFileSync(
    new URL('latest.md', results),
    `${heading}\n\n${table}\n\n${drivers.map(line => `- ${line}\n`).join('')}`,
  )
  if (rows.some(({ met }) => met === false)) process.exitCode = 1
}

function reachOf({ name, reach }, row) {
  if (row.reach !== undefined && reach[row.reach] === undefined) {
    throw new Error(`${name} has no reach called ${row.reach}.`)
  }
  return reach[row.reach]
}
