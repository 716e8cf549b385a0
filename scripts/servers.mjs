/**
 * Sees to it that the servers are there that some tests talk to.
 *
 * Where they are, it does nothing. Where they can be installed without a question, by root with apt-get, as on a machine
 * made for one run, it installs them once and starts none. Anywhere else it says what will be skipped: a missing server
 * fails no run here, and in CI the test itself asks for it.
 */
import { spawnSync } from 'node:child_process'

const options = {
  encoding: 'utf8',
  timeout: 120_000,
  // Runlevel 1 keeps the package from starting its service.
  env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
}

/** Installs Redis unless it is there or cannot be. */
export function installServers({ run = spawnSync, isRoot = process.getuid?.() === 0, say = defaultSay } = {}) {
  if (succeeds(run, 'redis-server', ['--version'])) return
  if (isRoot && succeeds(run, 'apt-get', ['--version'])) {
    say('Installing redis-server (once)…\n')
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'redis-server']
    const isDone =
      succeeds(run, 'apt-get', install) ||
      (succeeds(run, 'apt-get', ['update', '-qq']) && succeeds(run, 'apt-get', install))
    if (isDone && succeeds(run, 'redis-server', ['--version'])) return
  }
  say('redis-server is not installed: the tests of the Redis example are skipped. Install it to run them.\n')
}

function succeeds(run, command, args) {
  return run(command, args, options).status === 0
}

function defaultSay(text) {
  process.stdout.write(text)
}
