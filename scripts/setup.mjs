/**
 * Makes a clone ready: checks Node, installs what is missing, builds.
 *
 * It uses nothing that has to be installed first, and prints nothing when
 * there is nothing to do. With `--tools` it leaves the build to its caller.
 */
import { readFileSync } from 'node:fs'
import { install } from './toolchain/install.mjs'
import { root, runNode } from './tools.mjs'

const { engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const needed = engines.node.replace('>=', '')

if (isOlder(process.versions.node, needed)) {
  process.stderr.write(`Node ${process.versions.node} is too old: this needs Node ${needed} or later.\n`)
  process.exit(1)
}

install(root)

if (
  !process.argv.includes('--tools') &&
  !runNode(['scripts/build.mjs', 'examples', 'packages/server', 'packages/explorer'])
) {
  process.stderr.write('\nSetup stopped: the sources do not compile. The places are above.\n')
  process.exit(1)
}

function isOlder(version, minimum) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [needMajor = 0, needMinor = 0] = minimum.split('.').map(Number)
  return major < needMajor || (major === needMajor && minor < needMinor)
}
