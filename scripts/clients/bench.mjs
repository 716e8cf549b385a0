/**
 * How fast the clients in other languages are, beside the same operations inside the process: `node scripts/clients/bench.mjs`.
 *
 * All run on one Node, one after another, several times; the medians are printed. Each writes one leaf of a small state to a file
 * and reads it again, one call after the other, after calls enough for V8 to compile what they run.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rpcFolder } from '../build/rpc-bundle.mjs'
import { findCurrentNode } from '../toolchain/current-node.mjs'
import { root } from '../tools.mjs'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const CALLS = Number(process.env['BENCH_CALLS'] ?? 2000)
const WARM_UP = 3000
const self = new URL(import.meta.url)

/** Sets and gets a second, inside this process. */
async function inProcess(file) {
  const { openHost, operations } = await import('../../packages/server/lib/index.js')
  const host = await openHost(file)
  const call = (name, fields) => {
    const operation = operations.find(operation => operation.name === name)
    return operation.run(host.context({}), operation.input.parse(fields))
  }
  const path = '/cluster/replicas'
  const set = n => call('set', { path, value: n, description: 'Scale', idempotency_key: `${process.pid} ${n}` })
  const get = () => call('get', { path })
  for (let n = 0; n < WARM_UP; n++) {
    await set(`warm ${n}`)
    await get()
  }
  const told = { set: await perSecond(set), get: await perSecond(get) }
  await host.close()
  return told
}

async function perSecond(work) {
  const start = performance.now()
  for (let n = 0; n < CALLS; n++) await work(n)
  return (CALLS / (performance.now() - start)) * 1000
}

function run(command, args, env, cwd = root) {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8' })
}

/** The benchmarks of Go as calls a second. */
function goFigures(env) {
  const said = run(
    'go',
    ['test', '-run', 'none', '-bench', 'Set$|Get$', '-benchtime', `${CALLS}x`, '.'],
    env,
    join(root, 'clients/go'),
  )
  const of = name => 1e9 / Number(new RegExp(`Benchmark${name}\\S*\\s+\\d+\\s+(\\d+)`).exec(said)[1])
  return { set: of('Set'), get: of('Get') }
}

/** The same in Python. */
const python = `
import json, sys, time
from agentstategraph import StateGraph

def per_second(work):
    start = time.perf_counter()
    for n in range(${CALLS}):
        work(n)
    return ${CALLS} / (time.perf_counter() - start)

with StateGraph(sys.argv[1]) as sg:
    for n in range(${WARM_UP}):
        sg.set("/cluster/replicas", n, "Warm up")
        sg.get("/cluster/replicas")
    sets = per_second(lambda n: sg.set("/cluster/replicas", n, "Scale"))
    print(json.dumps({"set": sets, "get": per_second(lambda n: sg.get("/cluster/replicas"))}))
`

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

function main() {
  const node = findCurrentNode().path ?? process.execPath
  const env = {
    ...process.env,
    ASG_NODE: node,
    ASG_BUNDLE: join(rpcFolder, 'asg-rpc.mjs'),
    PYTHONPATH: join(root, 'clients/python/src'),
  }
  const scratch = mkdtempSync(join(tmpdir(), 'asg-bench-'))
  const sides = {
    'in the process': at => JSON.parse(run(node, [self.pathname, '--inside', join(scratch, `${at}.db`)], env)),
    Python: at => JSON.parse(run('python3', ['-c', python, join(scratch, `py${at}.db`)], env)),
    Go: () => goFigures(env),
    C: at => JSON.parse(run('build/bench', [join(scratch, `c${at}.db`), `${CALLS}`], env, join(root, 'clients/c'))),
  }
  run('make', ['-s', 'build/bench'], env, join(root, 'clients/c'))
  const rounds = Object.fromEntries(Object.keys(sides).map(name => [name, []]))
  for (let at = 0; at < ROUNDS; at++)
    for (const [name, measure] of Object.entries(sides)) rounds[name].push(measure(at))
  rmSync(scratch, { recursive: true, force: true })
  const own = rounds['in the process']
  for (const [name, told] of Object.entries(rounds)) {
    const [set, get] = ['set', 'get'].map(work => Math.round(median(told.map(one => one[work]))))
    // Each round is compared with its own, so that a busy machine slows both.
    const ratio = median(told.map((one, at) => own[at].set / one.set)).toFixed(2)
    process.stdout.write(`${name}: set ${set} /s (${ratio}×), get ${get} /s\n`)
  }
}

if (process.argv[2] === '--inside') process.stdout.write(JSON.stringify(await inProcess(process.argv[3])))
else if (import.meta.url === pathToFileURL(process.argv[1]).href) main()
