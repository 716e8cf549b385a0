/**
 * Installs the programs that some tests run or talk to: Redis and PostgreSQL servers, a browser for the Explorer,
 * shells and a proxy that pages speak of, Python for the verifier that is written in it, pip for the JSON Schema suite, venv for the generated client, and compilers for
 * the clients in Go and C.
 *
 * It does nothing for programs that are there. Root with apt-get, as on a machine made for one run, gets the missing ones
 * installed, and none is started. Elsewhere it says what is missing and what follows: tests are skipped, which CI does not
 * accept, or fail.
 */
import { spawnSync } from 'node:child_process'

const options = {
  encoding: 'utf8',
  timeout: 300_000,
  // Runlevel 1 keeps the package from starting its service.
  env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
}

/** Debian packages, how to ask whether they are there, and what happens without them. */
const programs = {
  'redis-server': { ask: ['redis-server', '--version'], without: 'the tests of the Redis backend are skipped' },
  postgresql: {
    ask: ['sh', '-c', 'ls /usr/lib/postgresql/*/bin/initdb'],
    without: 'the tests of the PostgreSQL backend are skipped',
  },
  pgbouncer: { ask: ['pgbouncer', '--version'], without: 'the tests of PgBouncer are skipped' },
  chromium: { ask: ['chromium', '--version'], without: 'the tests of the Explorer fail' },
  python3: { ask: ['python3', '--version'], without: 'the tests of verifiers/verify.py fail' },
  'golang-go': { ask: ['go', 'version'], without: 'the Go client is not checked' },
  gcc: { ask: ['cc', '--version'], without: 'the C client is not checked' },
  make: { ask: ['make', '--version'], without: 'the C client is not checked' },
  cmake: { ask: ['cmake', '--version'], without: 'the C client is not checked' },
  valgrind: { ask: ['valgrind', '--version'], without: 'the C client is not checked' },
  'nginx-light': { ask: ['nginx', '-v'], without: 'the reverse proxy of docs/guides/service.md is not run' },
  zsh: { ask: ['zsh', '--version'], without: 'completion is not run in zsh' },
  fish: { ask: ['fish', '--version'], without: 'completion is not run in fish' },
  'python3-pip': { ask: ['python3', '-m', 'pip', '--version'], without: 'the JSON Schema suite is skipped' },
  'python3-venv': {
    ask: ['python3', '-c', 'import ensurepip, venv'],
    without: 'the generated client in Python is skipped',
  },
}

/** Installs each program unless it is there or cannot be. */
export function installServers({ run = spawnSync, isRoot = process.getuid?.() === 0, say = defaultSay } = {}) {
  const answers = ([command, ...args]) => succeeds(run, command, args)
  const isThere = name => answers(programs[name].ask)
  const missing = Object.keys(programs).filter(name => !isThere(name))
  if (missing.length === 0) return
  if (isRoot && answers(['apt-get', '--version'])) {
    say(`Installing ${missing.join(' and ')} (once)…\n`)
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing]
    if (!succeeds(run, 'apt-get', install) && succeeds(run, 'apt-get', ['update', '-qq']))
      succeeds(run, 'apt-get', install)
  }
  for (const name of missing) {
    if (!isThere(name)) say(`${name} is not installed: ${programs[name].without}. Install it to run them.\n`)
  }
}

function succeeds(run, command, args) {
  return run(command, args, options).status === 0
}

function defaultSay(text) {
  process.stdout.write(text)
}
