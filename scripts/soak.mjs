/**
 * Runs tests again and again, for as long as it is told to, and counts what fails.
 *
 *   npm run soak -- --minutes 10            the laws and the long tests, with a new seed for each round
 *   npm run soak -- --minutes 10 <files>    the same with these test files only
 *   npm run soak -- --suite 10 --busy 4     all of `npm test`, ten times, beside four busy processes
 *
 * Each round prints its seed and its time. Of a round that fails, the whole output is kept, and the command is printed
 * that repeats it. Nothing is decided by the speed of the machine.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { root } from './tools.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, suite: { type: 'string' }, busy: { type: 'string', default: '0' } },
})
const [minutes, suite, busy] = [values.minutes ?? '10', values.suite ?? '0', values.busy].map(Number)
if (![minutes, suite, busy].every(number => number >= 0)) {
  process.stderr.write('--minutes, --suite and --busy each take a number.\n')
  process.exit(2)
}

const kept = `${root}dist/soak`
const vitest = `${root}node_modules/vitest/vitest.mjs`
const say = text => process.stdout.write(`${text}\n`)

/** Keeps a core busy until the process that started it is gone. */
const spin =
  'const { ppid } = process; for (let i = 0; ; i++) if (i % 1e8 === 0 && process.ppid !== ppid) process.exit()'

mkdirSync(kept, { recursive: true })
const spinning = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }))
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) process.kill(-child.pid, 'SIGKILL')
    for (const child of spinning) child.kill('SIGKILL')
    process.exit(130)
  })
let passed = 0
let failed = 0
try {
  if (suite > 0) for (let round = 1; round <= suite; round++) await runSuite(round)
  else await soak(performance.now() + minutes * 60_000)
} finally {
  for (const child of spinning) child.kill('SIGKILL')
}
say(`${passed} passed, ${failed} failed${failed > 0 ? `; what they printed is in ${kept}` : ''}.`)
process.exit(failed > 0 ? 1 : 0)

async function runSuite(round) {
  const { seconds, code, file } = await run(`suite-${round}`, [`${root}scripts/test.mjs`], {})
  report(`run ${round} of ${suite}`, seconds, code, file, 'npm test')
}

/** Laws and long tests take turns, so that neither keeps the other from its time. */
async function soak(end) {
  const files = positionals.length > 0 ? positionals : testFiles()
  const textOf = file => (positionals.length > 0 ? '' : readFileSync(root + file, 'utf8'))
  const laws = files.filter(file => /\bfast-check\b|\bseeded\b/.test(textOf(file)))
  const long = files.filter(file => textOf(file).includes('ASG_SOAK'))
  const kinds =
    positionals.length > 0
      ? [{ name: 'given files', files, env: { ASG_SOAK: '1' } }]
      : [
          { name: 'laws', files: laws, env: {} },
          { name: 'long tests', files: long, env: { ASG_SOAK: '1' } },
        ]
  for (let round = 0; performance.now() < end; round++) {
    const { name, files: chosen, env } = kinds[round % kinds.length]
    const seed = randomInt(2 ** 31)
    const given = { ...env, ASG_SEED: `${seed}` }
    say(`round ${round + 1}: ${name}, seed ${seed} …`)
    const { seconds, code, file } = await run(`seed-${seed}`, [vitest, 'run', ...chosen], given, end)
    if (code === undefined) return say(`  ended unfinished after ${seconds} s: the time is over`)
    const names = failedFiles(file)
    const variables = Object.entries(given).map(([key, value]) => `${key}=${value}`)
    report(' ', seconds, code, file, `${variables.join(' ')} npx vitest run ${names.join(' ')}`)
  }
}

function report(name, seconds, code, file, command) {
  if (code === 0) {
    passed++
    rmSync(file)
    return say(`${name} passed in ${seconds} s`)
  }
  failed++
  say(`${name} FAILED after ${seconds} s. Its output: ${file}\n  repeat it: ${command}`)
}

/** Runs a script, with what it prints in a file; its code is undefined when the time was over before its end. */
async function run(name, args, env, end = Number.POSITIVE_INFINITY) {
  const file = `${kept}/${name}.txt`
  const start = performance.now()
  const output = createWriteStream(file)
  const temporary = mkdtempSync(join(tmpdir(), 'asg-soak-'))
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env, NO_COLOR: '1', TMPDIR: temporary },
    // In a group of its own, so that the processes that tests start end with it.
    detached: true,
  })
  running.add(child)
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  let isOver = false
  const stop = () => {
    isOver = true
    process.kill(-child.pid, 'SIGKILL')
  }
  const timer = Number.isFinite(end) ? setTimeout(stop, Math.max(0, end - start)) : undefined
  const code = await new Promise(resolve => child.once('close', resolve))
  clearTimeout(timer)
  running.delete(child)
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
  output.end()
  await finished(output)
  if (isOver) rmSync(file)
  return { seconds: ((performance.now() - start) / 1000).toFixed(1), code: isOver ? undefined : code, file }
}

function failedFiles(file) {
  const lines = readFileSync(file, 'utf8').matchAll(/^\s*FAIL\s.*?(\S+\.test\.m?[jt]s)/gm)
  return [...new Set([...lines].map(match => match[1]))]
}

function testFiles() {
  return ['packages', 'scripts', 'bench'].flatMap(folder =>
    readdirSync(root + folder, { recursive: true })
      .map(name => `${folder}/${name}`)
      .filter(name => /\.test\.m?[jt]s$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name)),
  )
}
