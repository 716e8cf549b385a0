import { expect, it } from 'vitest'
import { installServers } from './servers.mjs'

/** Packages that have another name than the program that is asked. */
const packages = { sh: 'postgresql', go: 'golang-go', cc: 'gcc', nginx: 'nginx-light' }

/** A machine that has these packages, and on which installing makes others appear. */
function machine({ has, offers = false, isRoot = true }) {
  const there = new Set(has)
  const ran = []
  const said = []
  let knowsPackages = offers === true
  const run = (command, args) => {
    ran.push([command, ...args].join(' '))
    const ofPython = { '-m': 'python3-pip', '-c': 'python3-venv' }
    const name = (command === 'python3' ? ofPython[args[0]] : packages[command]) ?? command
    if (!there.has(name)) return { status: null }
    if (args[0] === 'update') knowsPackages = offers !== false
    if (args[0] !== 'install') return { status: 0 }
    if (knowsPackages) for (const name of args.filter(arg => !arg.startsWith('-')).slice(1)) there.add(name)
    return { status: knowsPackages ? 0 : 100 }
  }
  installServers({ run, isRoot, say: text => said.push(text) })
  return { ran, said: said.join(''), there }
}

const tools = ['golang-go', 'gcc', 'make', 'cmake', 'valgrind']
const shells = ['nginx-light', 'zsh', 'fish']
const python = ['python3-pip', 'python3-venv']
const all = ['redis-server', 'postgresql', 'pgbouncer', 'chromium', 'python3', ...tools, ...shells, ...python]

it('does and says nothing when all are there', () => {
  const { ran, said } = machine({ has: all })
  expect(ran).toEqual([
    'redis-server --version',
    'sh -c ls /usr/lib/postgresql/*/bin/initdb',
    'pgbouncer --version',
    'chromium --version',
    'python3 --version',
    'go version',
    'cc --version',
    'make --version',
    'cmake --version',
    'valgrind --version',
    'nginx -v',
    'zsh --version',
    'fish --version',
    'python3 -m pip --version',
    'python3 -c import ensurepip, venv',
  ])
  expect(said).toBe('')
})

it('installs what is missing as root, with a list of packages that may have to be fetched first', () => {
  for (const offers of [true, 'after update']) {
    const { there, said } = machine({ has: ['apt-get'], offers })
    expect(there).toEqual(new Set(['apt-get', ...all]))
    expect(said).toBe(`Installing ${all.join(' and ')} (once)…\n`)
  }
  const pipOnly = machine({ has: ['apt-get', ...all.filter(name => name !== 'python3-pip')], offers: true })
  expect(pipOnly.said).toBe('Installing python3-pip (once)…\n')
})

it('says what is missing when it cannot be installed, and fails nothing', () => {
  for (const one of [{ has: [] }, { has: ['apt-get'], isRoot: false }, { has: ['apt-get'], offers: false }]) {
    const { ran, said } = machine(one)
    expect(said).toContain('the tests of the Redis backend are skipped')
    expect(said).toContain('the tests of the PostgreSQL backend are skipped')
    expect(said).toContain('the tests of verifiers/verify.py fail')
    expect(said).toContain('the JSON Schema suite is skipped')
    expect(said).toContain('the Go client is not checked')
    expect(said).toContain('the C client is not checked')
    if (one.isRoot === false) expect(ran.filter(line => line.startsWith('apt-get install'))).toEqual([])
  }
})
