/**
 * Asks the registry about the packages of every lock file: known vulnerabilities, and signatures of what is installed.
 *
 * A registry need not answer such questions. Then that is said, and is no failure; a finding is one.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from './toolchain/install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folders with a lock file of their own. */
export const lockedFolders = ['.', 'bench', 'release', 'scripts/toolchain/current-node', 'packages/server/conformance']

/** What `npm audit --json` found: a list of advisories, or undefined when the registry did not answer. */
export function findingsIn(text) {
  const report = parsed(text)
  if (report?.vulnerabilities === undefined || report.auditReportVersion === undefined) return undefined
  return Object.values(report.vulnerabilities).map(({ name, severity }) => `${name} (${severity})`)
}

/** What `npm audit signatures --json` found; undefined when the registry has no signatures, or nothing is installed. */
export function unsignedIn(text) {
  const report = parsed(text)
  if (!Array.isArray(report?.invalid) || !Array.isArray(report.missing)) return undefined
  return [...report.invalid, ...report.missing].map(({ name, version }) => `${name}@${version}`)
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function audited(folder) {
  const asked = [
    ['vulnerabilities', ['audit', '--json'], findingsIn],
    ['signatures', ['audit', 'signatures', '--json'], unsignedIn],
  ]
  let isClean = true
  for (const [what, args, read] of asked) {
    const found = read(npm(args, join(root, folder)).stdout ?? '')
    const said =
      found === undefined ? 'the registry does not tell' : found.length === 0 ? 'none found' : found.join(', ')
    process.stdout.write(`${folder}: ${what}: ${said}\n`)
    if (found !== undefined && found.length > 0) isClean = false
  }
  return isClean
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = lockedFolders.filter(folder => existsSync(join(root, folder, 'package-lock.json')))
  const dirty = folders.filter(folder => !audited(folder))
  if (dirty.length > 0)
    process.stderr.write(`\nFindings in: ${dirty.join(', ')}. Update what is named, and its lock file.\n`)
  process.exitCode = dirty.length > 0 ? 1 : 0
}
