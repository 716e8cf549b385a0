/**
 * Checks the clients in other languages, side by side on stores of their own and then all together on one.
 *
 * A check is mostly one thread that waits for its core or compiler, so two cores do three checks in the time of the longest.
 * A client whose toolchain is not on this machine is skipped and named; CI does not accept that. Each check runs at the root of the
 * workspace with ASG_BUNDLE, the core as one file, and ASG_NODE, a Node that runs it.
 */
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rpcFolder } from './build/rpc-bundle.mjs'
import { playTogether } from './clients/together.mjs'
import { findCurrentNode } from './toolchain/current-node.mjs'
import { root } from './tools.mjs'

/**
 * The clients, one entry each: how to ask whether their toolchain is there, what checks them, and their player, a program that
 * fixtures/clients/README.md describes. A player may use what the check has built. Without `platforms` it is checked on all.
 */
export const clients = [
  {
    name: 'python',
    needs: [['python3', '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']],
    check: ['python3', 'clients/python/check.py'],
    player: ['python3', 'clients/python/tests/player.py'],
  },
  {
    name: 'go',
    platforms: ['linux', 'darwin'],
    needs: [
      ['go', 'version'],
      ['gcc', '--version'],
    ],
    check: [process.execPath, 'scripts/clients/go.mjs'],
    player: ['clients/go/build/player'],
  },
  {
    name: 'c',
    platforms: ['linux'],
    needs: ['cc', 'make', 'cmake', 'valgrind', 'python3'].map(tool => [tool, '--version']),
    check: [process.execPath, 'scripts/clients/c.mjs'],
    player: ['clients/c/build/player'],
  },
]

/** Runs the checks of all clients, or of those that are named, and tells whether every one passed. */
export async function checkClients(names = []) {
  const node = findCurrentNode()
  if (node.path === undefined && !node.isCovered) return isSkipped('all clients', node.reason)
  const env = {
    ...process.env,
    ASG_NODE: process.env['ASG_NODE'] ?? node.path ?? process.execPath,
    ASG_BUNDLE: join(rpcFolder, 'asg-rpc.mjs'),
  }
  const ready = []
  for (const client of clients.filter(({ name }) => names.length === 0 || names.includes(name))) {
    if (client.platforms?.includes(process.platform) === false) {
      process.stdout.write(`SKIPPED: the ${client.name} client: it is not checked on ${process.platform}.\n`)
      continue
    }
    const missing = client.needs.find(command => !succeeds(command, env))
    if (missing !== undefined) {
      if (!isSkipped(`the ${client.name} client`, `${missing.join(' ')} does not succeed`)) return false
    } else ready.push(client)
  }
  const passed = await Promise.all(ready.map(({ check }) => printsAndSucceeds(check, env)))
  return passed.every(Boolean) && playTogether(ready, env)
}

function isSkipped(what, reason) {
  process.stdout.write(`SKIPPED: ${what}: ${reason}.\n`)
  return !process.env['CI']
}

function succeeds([command, ...args], env) {
  return spawnSync(command, args, { cwd: root, env, stdio: 'ignore' }).status === 0
}

/** Prints what a check said once it has ended, so that checks that run side by side do not mix their lines. */
function printsAndSucceeds([command, ...args], env) {
  return new Promise(resolve => {
    execFile(command, args, { cwd: root, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      process.stdout.write(stdout)
      process.stderr.write(stderr)
      resolve(error === null)
    })
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await checkClients(process.argv.slice(2))) ? 0 : 1
}
