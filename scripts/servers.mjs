/**
 * Sees to it that the programs are there that some tests run or talk to: a server of Redis, and Python for the verifier
 * that is written in it.
 *
 * Where they are, it does nothing. Where they can be installed without a question, by root with apt-get, as on a machine
 * made for one run, it installs them once and starts none. Anywhere else it says what is missing: the Redis example is
 * then skipped, and in CI its test asks for it; the verifiers are held against each other or not at all, so without
 * Python those tests fail, and say so.
 */
import { spawnSync } from 'node:child_process'

const options = {
  encoding: 'utf8',
  timeout: 120_000,
  // Runlevel 1 keeps the package from starting its service.
  env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
}

/** Commands, which are also the names of their packages, and what happens without them. */
const programs = {
  'redis-server': 'the tests of the Redis example are skipped',
  python3: 'the tests of verifiers/verify.py fail',
}

/** Installs each program unless it is there or cannot be. */
export function installServers({ run = spawnSync, isRoot = process.getuid?.() === 0, say = defaultSay } = {}) {
  const isThere = command => succeeds(run, command, ['--version'])
  const missing = Object.keys(programs).filter(command => !isThere(command))
  if (missing.length === 0) return
  if (isRoot && isThere('apt-get')) {
    say(`Installing ${missing.join(' and ')} (once)…\n`)
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing]
    if (!succeeds(run, 'apt-get', install) && succeeds(run, 'apt-get', ['update', '-qq']))
      succeeds(run, 'apt-get', install)
  }
  for (const command of missing) {
    if (!isThere(command)) say(`${command} is not installed: ${programs[command]}. Install it to run them.\n`)
  }
}

function succeeds(run, command, args) {
  return run(command, args, options).status === 0
}

function defaultSay(text) {
  process.stdout.write(text)
}
