/**
 * Makes a release of both packages, or with `--dry` does everything but publish.
 *
 * RELEASE.md has the steps that a person does before and after. This script knows nothing of tests: `npm test` decides
 * whether a commit may be released.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findReleaseFaults, findTarballFaults } from './release-faults.mjs'
import { tryContainer } from './try-container.mjs'
import { newProject, tryRoles } from './try-roles.mjs'
import { tryRuntimes } from './try-runtimes.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const here = fileURLToPath(new URL('./', import.meta.url))
const folders = ['packages/agentstategraph', 'packages/server'].map(name => join(root, name))
const isDry = process.argv.includes('--dry')
const unknown = process.argv.slice(2).filter(word => word !== '--dry')
if (unknown.length > 0) fail(`unknown option ${unknown[0]}: the only one is --dry`)

const manifests = folders.map(folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
const { version } = manifests[0]
const faults = findReleaseFaults({
  manifests,
  workspace: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  origin: output('git', ['remote', 'get-url', 'origin']),
  changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  isDry,
  uncommitted: output('git', ['status', '--porcelain']),
  tags: output('git', ['tag', '--list', `v${version}`]),
})
if (faults.length > 0) fail(faults.join('\n'))

const work = mkdtempSync(join(tmpdir(), 'release-'))
try {
  step('build', () => {
    node(['node_modules/typescript/bin/tsc', '-b', '--clean'])
    node(['scripts/build.mjs'])
  })
  const tarballs = step('pack', () => folders.map(pack))
  for (const { file, name, bytes } of tarballs) {
    step(`publint ${name} (${bytes} bytes)`, () =>
      node([join(here, 'node_modules/publint/src/cli.js'), '--strict', file]),
    )
    step(`types of ${name}`, () =>
      node([join(here, 'node_modules/@arethetypeswrong/cli/dist/index.js'), file, '--profile', 'esm-only']),
    )
  }
  const files = tarballs.map(({ file }) => file)
  await step('the first program on every runtime', () => tryRuntimes(newProject(work, files)))
  await step('the first steps of every role', () => tryRoles(work, files))
  await step('the container, step by step', () => tryContainer(work, files))
  if (isDry) process.stdout.write(`\nNothing was published: this was a dry run of ${version}.\n`)
  else
    for (const { file, name } of tarballs)
      step(`publish ${name}`, () => npm(['publish', file, '--access', 'public'], root))
} catch (error) {
  process.exitCode = 1
  process.stderr.write(`\nRelease stopped: ${error.message}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Packs one package; its name, its tarball, and the sizes of that. */
function pack(folder) {
  const [{ filename, name, size, unpackedSize, files }] = JSON.parse(
    npm(['pack', '--json', '--pack-destination', work], folder, 'pipe'),
  )
  const faults = findTarballFaults({ name, unpackedSize, paths: files.map(({ path }) => path) })
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return { file: join(work, filename), name, bytes: size }
}

function step(title, act) {
  process.stdout.write(`\n— ${title}\n`)
  return act()
}

function node(args) {
  run(process.execPath, args, root)
}

function npm(args, cwd, stdio = 'inherit') {
  return run('npm', args, cwd, stdio, process.platform === 'win32')
}

function run(command, args, cwd, stdio = 'inherit', shell = false) {
  const done = spawnSync(command, args, { cwd, shell, encoding: 'utf8', stdio: ['ignore', stdio, 'inherit'] })
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${done.status ?? done.error?.message}`)
  return done.stdout
}

function output(command, args) {
  return spawnSync(command, args, { cwd: root, encoding: 'utf8' }).stdout.trim()
}

function fail(message) {
  process.stderr.write(`Release stopped: ${message}\n`)
  process.exit(1)
}
