/**
 * Makes a release of both packages, or with `--dry` does everything but publish.
 *
 * RELEASE.md has the steps that a person does before and after. This script knows nothing of tests: `npm test` decides
 * whether a commit may be released.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findReleaseFaults } from './release-faults.mjs'

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
  step('install into an empty project and run', () => tryInEmptyProject(tarballs.map(({ file }) => file)))
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

/** Packs one package with the licenses of the repository inside. */
function pack(folder) {
  const licenses = ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']
  try {
    for (const name of licenses) copyFileSync(join(root, name), join(folder, name))
    const [{ filename, name, size }] = JSON.parse(npm(['pack', '--json', '--pack-destination', work], folder, 'pipe'))
    return { file: join(work, filename), name, bytes: size }
  } finally {
    for (const name of licenses) rmSync(join(folder, name), { force: true })
  }
}

/** Installs the tarballs as a user would, and writes, reads and blames with what is there. */
function tryInEmptyProject(files) {
  const project = mkdtempSync(join(work, 'project-'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  npm(['install', '--no-audit', '--no-fund', '--loglevel=error', ...files], project)
  copyFileSync(join(here, 'first-program.mjs'), join(project, 'first-program.mjs'))
  run(process.execPath, ['first-program.mjs'], project)
  if (!statSync(join(project, 'state.db')).isFile()) fail('the first program made no store')
  run(
    process.execPath,
    ['node_modules/@agentstategraph/server/bin/asg.mjs', '--store', 'state.db', 'get', '/greeting'],
    project,
  )
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
