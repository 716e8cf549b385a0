/**
 * Brings a folder's node_modules in line with its package-lock.json.
 *
 * What is installed is read from the list that npm leaves in node_modules
 * when it has finished, so an install made by hand counts, and an
 * interrupted one does not. It knows nothing about what the packages are for.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/
const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

/** Tells whether everything the lock file asks for is there, in the version it asks for. */
export function isInstalled(locked, installed) {
  // Beside the root's there is the node_modules of a workspace, where two need different versions of one package.
  const inModules = ([path]) => /(^|\/)node_modules\//.test(path)
  const sameVersion = ([path, entry]) =>
    path in locked ? locked[path].version === entry.version : entry.optional === true
  const isThere = ([path, entry]) => entry.optional === true || path in installed
  return (
    Object.entries(installed).filter(inModules).every(sameVersion) &&
    Object.entries(locked).filter(inModules).every(isThere)
  )
}

/** Installs what the lock file says, unless it is there; ends the process with a remedy when that fails. */
export function install(folder, extraArgs = []) {
  const failed = tryInstall(folder, extraArgs)
  if (failed === undefined) return
  process.stderr.write(`${failed.said}\n\nSetup stopped: ${failed.remedy}\n`.trimStart())
  process.exit(1)
}

/**
 * Installs what the lock file says, unless it is there; gives a remedy, and what npm said, when that fails.
 *
 * `npm ci` would be the obvious call, but it refuses a lock file that lacks
 * binaries for some other platform, and a registry need not have them all.
 */
export function tryInstall(folder, extraArgs = []) {
  const locked = findPackages(join(folder, 'package-lock.json'))
  if (locked === undefined)
    return {
      remedy: 'package-lock.json is missing or damaged. Restore it with: git checkout package-lock.json',
      said: '',
    }
  const installed = findPackages(join(folder, 'node_modules', '.package-lock.json'))
  if (installed !== undefined && isInstalled(locked, installed)) return undefined

  process.stdout.write(`Installing ${Object.keys(locked).length} packages (once)…\n`)
  const done = npm(['install', '--no-save', '--include=dev', '--include=optional', ...quiet, ...extraArgs], folder)
  if (done.status === 0) {
    const now = findPackages(join(folder, 'node_modules', '.package-lock.json'))
    if (now !== undefined && isInstalled(locked, now)) return undefined
    return { remedy: `npm installed something else in ${folder} than package-lock.json says.`, said: '' }
  }
  const said = `${done.error?.message ?? ''}\n${done.stdout ?? ''}${done.stderr ?? ''}`.trim()
  if (unreachable.test(said))
    return {
      remedy:
        'The package registry cannot be reached. Go online once and run the command again; later runs need no network.',
      said: '',
    }
  return { remedy: `npm could not install the packages in ${folder}. Its words are above.`, said }
}

function findPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Runs npm in a folder. */
export function npm(args, cwd) {
  const options = { cwd, encoding: 'utf8' }
  const running = process.env.npm_execpath
  if (running?.endsWith('.js')) return spawnSync(process.execPath, [running, ...args], options)
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}
