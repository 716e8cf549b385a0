/**
 * Runs the official conformance suite and the Inspector against our server, and writes the summary into docs/mcp.md.
 *
 * What is known to fail is in baseline.json, each with its reason; an entry that passes fails the run, so that none outlives its
 * reason. The suite needs a newer Node than we do, and brings it along.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const newerNode = join(here, 'node_modules/node/bin/node')
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const inspector = join(here, 'node_modules/.bin/mcp-inspector')
const server = join(here, '../bin/agentstategraph-mcp.mjs')
const page = join(here, '../../../docs/mcp.md')

const baseline = JSON.parse(readFileSync(join(here, 'baseline.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'asg-conformance-'))
const fixture = spawn(process.execPath, [join(here, 'fixture-server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [url] = await once(createInterface(fixture.stdout), 'line')
  const rows = Object.entries(baseline).map(([revision, known]) => runSuite(`${url}/mcp`, revision, known))
  const inspected = ['modern', 'legacy'].flatMap(era => [
    inspect(era, 'stdio', [process.execPath, server, '--store', join(folder, 'state.db'), '--tools', 'all']),
    inspect(era, 'HTTP', [`${url}/mcp`]),
  ])
  writeSummary(rows, inspected)
  if (![...rows, ...inspected].every(({ passed }) => passed)) process.exitCode = 1
} finally {
  fixture.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

function runSuite(url, revision, known) {
  for (const { scenario, reason } of known)
    if (!reason) throw new Error(`${scenario} is in the baseline of ${revision} without a reason`)
  const expected = join(folder, `${revision}.yml`)
  writeFileSync(expected, `server: [${known.map(({ scenario }) => scenario).join(', ')}]\n`)
  const results = join(folder, revision)
  const args = [
    suite,
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '-o',
    results,
    '--expected-failures',
    expected,
  ]
  const { status, stdout, stderr } = spawnSync(newerNode, args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  const required = requiredBy(revision)
  const passing = [...stdout.matchAll(/^✓ (\S+): /gm)].map(([, scenario]) => scenario)
  const isKnown = scenario => known.some(entry => entry.scenario === scenario)
  const good = required.filter(scenario => passing.includes(scenario) && !isKnown(scenario)).length
  process.stdout.write(`${revision}: ${good} of ${required.length} required scenarios, ${known.length} known to fail\n`)
  if (status !== 0) process.stdout.write(`${stdout.slice(stdout.indexOf('=== SUMMARY'))}\n${stderr}\n`)
  return { revision, scenarios: required.length, good, known, passed: status === 0 && good > 0 }
}

/** What the suite requires of servers: the first list of its file. Extensions run too, and are not scored. */
function requiredBy(revision) {
  const file = join(here, 'node_modules/@modelcontextprotocol/conformance/requirements', `${revision}.yaml`)
  const [, list = ''] = readFileSync(file, 'utf8').split(/^server:\n/m)
  return [...list.split(/^\S/m)[0].matchAll(/^ {2}- (\S+)$/gm)].map(([, scenario]) => scenario)
}

function inspect(era, over, target) {
  const args = ['--cli', ...target, '--method', 'tools/list', '--strict', '--protocol-era', era]
  const { status, stdout, stderr } = spawnSync(inspector, args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  const passed = status === 0
  process.stdout.write(
    `Inspector --strict, ${era}, ${over}: ${passed ? 'passed' : `exit ${status}\n${stdout}\n${stderr}`}\n`,
  )
  return { era, over, passed }
}

/** The table between two marks of the page. */
function writeSummary(rows, inspected) {
  const table = [
    '| protocol | required scenarios | pass | known to fail |',
    '|---|---|---|---|',
    ...rows.map(
      ({ revision, scenarios, good, known }) =>
        `| ${revision} | ${scenarios} | ${good} | ${known.length === 0 ? 'none' : known.length} |`,
    ),
  ]
  const reasons = rows.flatMap(({ revision, known }) =>
    known
      .filter(({ reason }) => !reason.startsWith('As '))
      .map(({ scenario, reason }) => {
        const same = known.filter(other => other.reason === `As ${scenario}.`).map(other => `\`${other.scenario}\``)
        return `- ${revision}, ${[`\`${scenario}\``, ...same].join(', ')}: ${reason}`
      }),
  )
  const strict = inspected.filter(({ passed }) => passed).map(({ era, over }) => `${era} over ${over}`)
  const text = [
    ...table,
    '',
    ...reasons,
    '',
    `The Inspector's \`--strict\` check of every tool passes: ${strict.join(', ')}.`,
  ].join('\n')
  const whole = readFileSync(page, 'utf8')
  const marked = /(<!-- conformance -->\n)[\s\S]*(\n<!-- \/conformance -->)/
  if (!marked.test(whole)) throw new Error('docs/mcp.md has no place for the summary')
  writeFileSync(
    page,
    whole.replace(marked, (_, before, after) => `${before}${text}${after}`),
  )
}
