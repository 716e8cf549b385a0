/**
 * What a short process costs, in CPU time: the import of the library, a command, an MCP server that answers its first message, and
 * the first commits of a process. Each is a process of its own and takes turns with a bare `node`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { median } from '../measure.mjs'
import { oursAtMost, ratioAtMost, span } from '../reach.mjs'
import { makeState } from '../state.mjs'

export const name = 'cold'

export const reach = {
  import: oursAtMost(0.04, '≤ 40 ms'),
  get: oursAtMost(0.18, '≤ 180 ms'),
  mcp: ratioAtMost(3),
  commits: oursAtMost(200e-6, '≤ 200 µs'),
  first: oursAtMost(9.5e-3, '≤ 9.5 ms'),
}

const ROUNDS = 11

const fileAt = name => fileURLToPath(new URL(name, import.meta.url))
const preload = ['--require', fileAt('../tell-cpu.cjs')]
const asg = fileAt('../../packages/server/bin/asg.mjs')
const mcp = fileAt('../../packages/server/bin/agentstategraph-mcp.mjs')
const library = new URL('../../packages/agentstategraph/lib/agentstategraph.js', import.meta.url)

const clientInfo = { name: 'benchmark', version: '1' }
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
}

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const store = join(folder, 'state.db')
  const repo = await open(sqlite(store, { driver: driver.module }), { agent: 'agent/keeper' })
  await repo.set('/', { ...makeState(), cold: {} }, 'Begin')
  await repo.close()
  const programs = {
    bare: [scriptIn(folder, 'bare.mjs', '')],
    import: [scriptIn(folder, 'import.mjs', `import ${JSON.stringify(library.href)}`)],
    get: [asg, 'get', '/cold', '--store', store],
    set: [asg, 'set', '/cold/0', '1', '-m', 'Step', '--store', store],
    mcp: [mcp, '--store', store],
  }
  const seconds = await takeRounds(programs, size(ROUNDS))
  const cold = { commits: [], first: [], floor: [] }
  for (let round = 0; round < size(ROUNDS); round++) {
    cold.commits.push(await coldWork('commits', store))
    cold.first.push(await coldWork('first', join(folder, `first-${round}.db`)))
    cold.floor.push(await coldWork('floor', makeFolder()))
  }
  const bare = span(seconds.bare)
  const rows = [
    {
      work: "import 'agentstategraph', CPU beyond a bare node",
      ours: span(seconds.import - seconds.bare),
      other: bare,
      reach: 'import',
    },
    { work: '`asg get`, CPU, against a bare node', ours: span(seconds.get), other: bare, reach: 'get' },
    { work: '`asg set`, CPU, against a bare node', ours: span(seconds.set), other: bare },
    {
      work: 'MCP over stdio, first answer, CPU, against a bare node',
      ours: span(seconds.mcp),
      other: bare,
      reach: 'mcp',
    },
    {
      work: 'first 100 commits of a process, CPU of one, against rows of the floor',
      ours: span(median(cold.commits)),
      other: span(median(cold.floor)),
      reach: 'commits',
    },
    { work: 'first set of 100 KB in a new process, CPU', ours: span(median(cold.first)), reach: 'first' },
  ]
  return {
    rows,
    sides: [
      { side: 'ours', driver: driver.name },
      { side: 'a bare node', driver: 'no store' },
    ],
  }
}

function scriptIn(folder, name, text) {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** The median CPU seconds of each program. */
async function takeRounds(programs, rounds) {
  const seconds = Object.fromEntries(Object.keys(programs).map(name => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(programs)) seconds[name].push(await cpuOf(args))
  }
  return Object.fromEntries(Object.entries(seconds).map(([name, each]) => [name, median(each)]))
}

/** Every program gets the first message of MCP; the others do not read it. */
async function cpuOf(args) {
  const child = spawn(process.execPath, [...preload, ...args], { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] })
  let told = ''
  child.stdio[3].setEncoding('utf8').on('data', text => {
    told += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(`${JSON.stringify(initialize)}\n`)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`)
  return Number(told)
}

/** The CPU seconds that a new process takes for one of its works; see `cold-process.mjs`. */
async function coldWork(work, place) {
  const child = spawn(process.execPath, [fileAt('../cold-process.mjs'), work, place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    told += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The process for ${work} ended with ${code}.`)
  return Number(told)
}
